/// The words by which columns are named longitude, latitude or position in the languages of
/// open data.
package enum CoordinateWords {
  /// Parts of names that mean a longitude and nothing else.
  private static let longitudes = [
    "longitud", "längengrad", "laengengrad", "lengtegraad", "lengdegrad", "længdegrad",
    "długość geogr", "dlugosc geogr", "zeměpisná délka", "zemepisna delka", "zemepisná dĺžka",
    "долгота", "довгота", "hosszúság", "hosszusag", "boylam", "経度", "经度", "經度", "경도",
    "γεωγραφικό μήκος", "pituusaste", "pikkuskraad", "geografska dužina", "geografska duzina",
    "kinh độ", "ลองจิจูด", "देशांतर", "garis bujur", "خط الطول", "קו אורך",
  ]

  /// Parts of names that mean a latitude and nothing else.
  private static let latitudes = [
    "latitud", "breitengrad", "breedtegraad", "breddegrad", "szerokość geogr", "szerokosc geogr",
    "zeměpisná šířka", "zemepisna sirka", "zemepisná šírka", "широта", "szélesség", "szelesseg",
    "enlem", "緯度", "纬度", "위도", "γεωγραφικό πλάτος", "leveysaste", "laiuskraad",
    "geografska širina", "geografska sirina", "vĩ độ", "ละติจูด", "अक्षांश", "garis lintang",
    "دائرة العرض", "קו רוחב",
  ]

  /// Words that may mean a position: with values in degrees, they do.
  private static let positions: Set = [
    "geo", "point", "geopoint", "coord", "coords", "coordinate", "coordinates", "location", "loc",
    "position", "pos", "latlng", "latlon", "latlong", "lonlat", "lnglat", "geolocation", "gps",
    "geom", "geometry", "geometrie", "geometria", "geocode", "wgs", "koordinaten", "koordinate",
    "coordenadas", "coordenada", "coordonnees", "coordonnées", "coordinaten", "coordinate",
    "coordinata", "ubicacion", "ubicación", "standort", "localisation", "localizacion",
    "localización", "localizacao", "localização", "координаты",
  ]

  /// Whether a name says that the column holds longitudes, or latitudes, and nothing else.
  static func names(_ name: String, isLongitude: Bool) -> Bool {
    let name = name.lowercased()
    return (isLongitude ? longitudes : latitudes).contains(where: name.contains)
  }

  /// Returns the columns of numbers whose names say that they are longitude and latitude, or x and y;
  /// `nil` where there are none.
  package static func coordinates(among columns: [ColumnProfile]) -> (x: String, y: String)? {
    func column(isLongitude: Bool) -> String? {
      let known = isLongitude ? CSVOptions.longitudeNames : CSVOptions.latitudeNames
      let numbers = columns.filter { $0.numbers * 5 >= $0.values * 4 && $0.values > 0 }
      func first(_ isMeant: (String) -> Bool) -> String? {
        numbers.map(\.name).first(where: isMeant)
      }
      return first { known.contains($0.lowercased()) } ?? first {
        names($0, isLongitude: isLongitude)
      }
        ?? first { !Set(TableColumn.words(of: $0)).isDisjoint(with: known) }
    }
    guard let x = column(isLongitude: true), let y = column(isLongitude: false), x != y else {
      return nil
    }
    return (x, y)
  }

  /// Whether a name says that the column holds positions.
  static func namesPosition(_ name: String) -> Bool {
    !positions.isDisjoint(with: TableColumn.words(of: name))
  }
}
