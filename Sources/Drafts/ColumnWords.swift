import Ingest

/// The meaning of a column's name, in the languages of open data.
struct ColumnWords {
  /// The words of the name in lower case.
  let words: [String]

  private let name: String

  init(_ name: String) {
    self.name = name.lowercased()
    words = TableColumn.words(of: name)
  }

  /// The quantity that a column measures, which decides how it is drawn.
  enum Measure: Hashable {
    /// Amounts that add up, such as people or money: twice as much has twice the area.
    case amount
    /// Magnitudes of earthquakes, on a logarithmic scale.
    case magnitude
    case temperature
    case rain
    case height
    /// Anything else that has an order: prices, rates, scores, speeds.
    case level
  }

  /// The quantity that the numbers measure, and the interest of people in it, 1 to 20; `nil` for
  /// a name that says nothing.
  var measure: (kind: Measure, interest: Int)? {
    Self.measures.first { !$0.words.isDisjoint(with: words) }.map { ($0.kind, $0.interest) }
  }

  /// The first that fits counts.
  private static let measures: [(words: Set<String>, kind: Measure, interest: Int)] = [
    (["magnitude", "mag"], .magnitude, 20),
    (
      ["temperature", "temp", "temperatur", "temperatura", "température", "sst", "tmax", "tmin"],
      .temperature, 18
    ),
    (
      [
        "precipitation", "precip", "rain", "rainfall", "niederschlag", "precipitacion", "pluie",
        "pioggia", "prcp",
      ], .rain, 17
    ),
    (
      [
        "price", "preis", "prix", "precio", "prezzo", "preço", "preco", "prijs", "cena", "cost",
        "rent", "miete", "salary", "income", "value", "wert", "valeur", "valor", "rate", "quote",
        "density", "dichte", "percent", "percentage", "pct", "share", "anteil", "score", "rating",
        "stars", "aqi", "pm", "ndvi", "index", "risk",
      ], .level, 18
    ),
    (
      [
        "population", "pop", "einwohner", "bevölkerung", "habitants", "habitantes", "poblacion",
        "población", "popolazione", "abitanti", "população", "populacao", "inwoners", "residents",
        "count", "anzahl", "total", "number", "num", "amount", "menge", "sales", "revenue",
        "turnover", "umsatz", "volume", "visitors", "passengers", "attendance", "capacity",
        "kapazität", "capacité", "capacite", "capacidad", "capienza", "plätze", "beds", "betten",
        "seats",
        "casualties", "deaths", "cases", "employees", "students", "households", "units", "mw",
        "budget", "sum", "quantity", "nombre", "cantidad", "aantal",
      ], .amount, 16
    ),
    (["depth", "tiefe", "profondeur", "profundidad"], .level, 15),
    (["speed", "velocity", "sog", "geschwindigkeit", "vitesse", "wind", "size"], .level, 11),
    (
      [
        "height", "elevation", "elev", "altitude", "höhe", "hoehe", "ele", "floors", "storeys",
        "levels", "alt",
      ], .height, 8
    ),
  ]

  private static let kinds: Set = [
    "type", "typ", "tipo", "kind", "class", "klasse", "classe", "clase", "category", "categoria",
    "categoría", "catégorie", "categorie", "kategorie", "kategoria", "status", "estado", "état",
    "etat", "stato", "zone", "zoning", "zona", "group", "gruppe", "brand", "use", "usage",
    "landuse",
    "nutzung", "art", "rodzaj", "sort", "species", "highway", "amenity", "fclass", "surface",
    "severity", "level", "grade", "phase", "operator", "mode", "vehicle", "rótulo", "rotulo",
    "party", "winner", "cause", "condition", "result", "тип", "вид",
  ]

  /// Whether the name says that the values are the classes of a few.
  var areKinds: Bool { !Self.kinds.isDisjoint(with: words) }

  private static let ids: Set = [
    "id", "fid", "gid", "oid", "uid", "uuid", "guid", "key", "objectid", "osm", "ref", "bbl",
    "mmsi", "imo", "geoid", "geonameid", "siret", "siren",
  ]

  /// Whether the name says that the values identify records.
  var areIDs: Bool {
    !Self.ids.isDisjoint(with: words) || words.last?.hasSuffix("id") == true && words.count == 1
  }

  /// Words for numbers that name or place something instead of measuring it.
  private static let codes: Set = [
    "code", "zip", "plz", "postal", "postcode", "phone", "tel", "fax", "fips", "iso", "no", "nr",
    "index", "rank", "lat", "latitude", "lng", "lon", "long", "longitude", "x", "y", "easting",
    "northing", "fill", "stroke", "marker", "zoom", "year", "jahr", "año", "month", "day", "hour",
    "minute", "second", "district", "ward", "precinct", "block", "lot", "heading", "course", "cog",
    "bearing", "sequence", "seq", "epoch", "unix", "timestamp", "ts", "insee", "ags", "nuts",
    "distrito", "arrondissement", "version", "changeset",
  ]

  /// Whether the numbers name or place something.
  var areCodes: Bool {
    !Self.codes.isDisjoint(with: words)
      || words.contains { $0.hasPrefix("fips") || $0.hasSuffix("fips") || $0.hasSuffix("fp") }
  }

  /// Words for the size of a line or an area itself.
  private static let sizes: Set = [
    "shape", "area", "perimeter", "stlen", "stlength", "starea", "aland", "awater", "leng", "len",
    "length", "acres", "hectares", "sqkm", "sqmi", "areasqkm", "superficie", "fläche", "flaeche",
    "oppervlakte", "omtrek", "umfang",
  ]

  /// Whether the numbers are the size of the shape itself, which everybody sees.
  var areSizes: Bool {
    !Self.sizes.isDisjoint(with: words) || name.contains("shape_") || name.contains("starea")
      || name.contains("stlen")
  }

  /// Words for how exact or how old other values are.
  private static let footnotes: Set = [
    "error", "uncertainty", "accuracy", "rms", "gap", "dmin", "nst", "confidence", "precision",
    "minimum", "maximum", "stddev",
  ]

  /// Whether the numbers say how good others are.
  var areFootnotes: Bool { !Self.footnotes.isDisjoint(with: words) }

  /// Words before "name" in columns that do not name the record as a whole.
  private static let otherNames: Set = [
    "user", "file", "street", "owner", "country", "state", "first", "last", "middle", "admin",
    "host", "region", "province", "county", "department", "departement", "agency", "operator",
    "end", "class", "code",
  ]

  private static let titles: Set = [
    "title", "label", "nom", "nombre", "naam", "navn", "namn", "titel", "nazwa", "nome", "název",
    "назва", "название", "имя", "nimi", "név", "isim", "ad",
  ]

  private static let places: Set = [
    "city", "town", "village", "place", "station", "municipality", "ort", "stadt", "gemeinde",
    "comune", "commune", "ciudad", "municipio", "ville", "cidade", "stop", "site", "filiale",
    "store", "school", "airport", "park", "peak", "summit",
  ]

  /// The fitness of a text of this name as the label of a record, 0 to 10; 1 where the name says
  /// nothing.
  var nameScore: Int {
    if name == "name" { return 10 }
    if words.contains("name") || name.hasSuffix("name") {
      return Self.otherNames.isDisjoint(with: words) ? 8 : 2
    }
    if !Self.titles.isDisjoint(with: words) { return 7 }
    return Self.places.isDisjoint(with: words) ? 1 : 5
  }

  private static let tracks: Set = [
    "track", "trip", "tripid", "mmsi", "vessel", "ship", "vehicle", "flight", "callsign", "icao",
    "shape", "shapeid", "route", "voyage", "device", "deviceid", "imei", "animal", "individual",
    "tag", "journey", "ride", "run", "session", "trajectory", "storm", "sid", "cruise", "line",
    "segment", "trk",
  ]

  /// Whether equal values say that points belong to one track.
  var areTracks: Bool { !Self.tracks.isDisjoint(with: words) }

  private static let orders: Set = ["sequence", "seq", "order", "step", "vertex", "ordinal"]

  /// Whether the numbers count the points of a track.
  var areOrdinals: Bool { !Self.orders.isDisjoint(with: words) }
}
