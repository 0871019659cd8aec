import Baking
import Ingest

/// The columns of a source by what they are good for on a map, judging by their names and values.
struct ColumnRoles: Hashable {
  /// The column whose values identify records.
  var id: String?

  /// The column that names a record for people: the text of labels.
  var name: String?

  /// The column of numbers that is worth classes of colours.
  var number: String?

  /// The column of a few texts that is worth colours, where there is no number.
  var category: String?

  /// The column of instants.
  var time: String?

  /// The properties that a tap shows, the most telling first.
  var fields: [String] = []

  /// The maximum number of ``fields``.
  private static let fieldLimit = 12

  /// The maximum number of categories.
  static let categoryLimit = 8

  /// - Parameters:
  ///   - coordinates: the columns of longitude and latitude.
  ///   - records: the number of records that the profiles cover.
  init(_ columns: [ColumnProfile], coordinates: [String], records: Int) {
    let columns = columns.filter { column in
      column.values > 0 && !coordinates.contains(column.name) && column.nested * 2 < column.values
    }
    let traits = columns.map { ColumnTraits($0, records: records) }
    func best(_ score: (ColumnTraits) -> Int) -> String? {
      let scored = traits.map { ($0, score($0)) }
      let most = scored.map(\.1).max() ?? 0
      return most > 0 ? scored.first { $0.1 == most }?.0.name : nil
    }
    id = best(\.idScore)
    name = best(\.nameScore)
    number = best(\.numberScore)
    time = best(\.timeScore)
    category = number == nil ? best(\.categoryScore) : nil
    let first = [name, number ?? category, time].compactMap(\.self)
    let others = traits.filter(\.isWorthShowing).map(\.name).filter { !first.contains($0) }
    fields = Array((first + others).prefix(Self.fieldLimit))
  }
}

/// The roles that the name and the values of one column suggest.
struct ColumnTraits {
  private let profile: ColumnProfile
  private let records: Int

  /// The words of the name in lower case.
  private let words: [String]

  var name: String { profile.name }

  init(_ profile: ColumnProfile, records: Int) {
    self.profile = profile
    self.records = records
    words = TableColumn.words(of: profile.name)
  }

  private static let idWords: Set = [
    "id", "fid", "gid", "oid", "uid", "uuid", "guid", "key", "objectid", "osm", "ref", "bbl",
  ]

  /// Words for numbers that name or place something instead of measuring it.
  private static let codeWords: Set = [
    "code", "zip", "plz", "postal", "postcode", "phone", "tel", "fax", "fips", "iso", "no", "nr",
    "index", "rank", "lat", "latitude", "lng", "lon", "long", "longitude", "x", "y", "easting",
    "northing", "fill", "stroke", "marker", "zoom", "month", "day", "hour", "minute", "second",
  ]

  private static let measures: Set = [
    "population", "pop", "density", "income", "price", "value", "rate", "count", "total", "amount",
    "sales", "revenue", "height", "floors", "elevation", "altitude", "magnitude", "mag", "depth",
    "temperature", "temp", "score", "rating", "capacity", "size", "percent", "share", "speed",
    "beds", "rooms", "einwohner", "volume",
  ]

  /// Words before "name" in columns that do not name the record as a whole.
  private static let otherNames: Set = [
    "user", "file", "street", "owner", "country", "state", "first", "last", "middle",
  ]

  private var isText: Bool { profile.texts * 10 >= profile.values * 9 }
  private var isNumber: Bool { profile.numbers * 10 >= profile.values * 9 }
  private var isFull: Bool { profile.nulls == 0 }

  private var isTime: Bool {
    profile.zonedTimes + profile.zonelessTimes.count > 0
      && (profile.zonedTimes + profile.zonelessTimes.count) * 10 >= profile.values * 9
  }

  private var isAddress: Bool {
    let text = profile.firstValue.lowercased()
    return text.contains("://") || text.hasPrefix("www.") || text.contains("@")
  }

  private var isNamedID: Bool { !Set(words).isDisjoint(with: Self.idWords) }
  private var isCode: Bool {
    !Set(words).isDisjoint(with: Self.codeWords)
      || words.contains { $0.hasPrefix("fips") || $0.hasSuffix("fips") }
  }

  /// Whether nearly every record has a value of its own; estimates of large counts are off by a few
  /// percent.
  private var isDistinct: Bool {
    let count = profile.distinct.count
    return profile.distinct.isExact ? count == profile.values : count * 100 >= profile.values * 93
  }

  /// Whether the values are the numbers 1 … n or 0 … n − 1 of the records.
  private var isSerial: Bool {
    startsWhole && profile.minimum >= 0 && profile.minimum <= 1 && isDistinct
      && profile.maximum <= Double(records) + 1 && profile.values > 2
  }

  /// Whether every record has a whole number of its own, as numbers of a list or a register are.
  private var isNumbering: Bool { isDistinct && profile.values > 10 && startsWhole }

  /// Whether the first value is a whole number.
  private var startsWhole: Bool { profile.firstValue.allSatisfy(\.isNumber) }

  // MARK: Scores, 0 for a column that cannot be meant

  var idScore: Int {
    guard isFull, isDistinct, profile.texts + profile.numbers == profile.values, isNamedID else {
      return 0
    }
    return name.lowercased() == "id" ? 3 : words.last == "id" ? 2 : 1
  }

  var nameScore: Int {
    guard isText, !isTime, !isAddress, profile.longestText <= 120, profile.longestText >= 2 else {
      return 0
    }
    let lower = name.lowercased()
    if lower == "name" { return 10 }
    if words.contains("name") || lower.hasSuffix("name") {
      return Set(words).isDisjoint(with: Self.otherNames) ? 8 : 2
    }
    if !Set(words).isDisjoint(with: ["title", "label", "nom", "nombre", "naam", "navn", "titel"]) {
      return 7
    }
    let isTelling = profile.distinct.count * 2 >= profile.values && profile.values > 1
    guard isTelling, !isNamedID, !isCode, profile.longestText <= 40,
      profile.firstValue.contains(where: \.isLetter),
      profile.firstValue.contains(where: \.isLowercase)
    else { return 0 }
    return 1
  }

  var numberScore: Int {
    guard isNumber, profile.distinct.count >= 4, !isNamedID, !isCode, !isSerial,
      profile.numbers * 2 >= records, profile.minimum < profile.maximum
    else { return 0 }
    let isMeasure = !Set(words).isDisjoint(with: Self.measures)
    let isOfShape = !Set(words).isDisjoint(with: ["shape", "area", "perimeter", "len", "length"])
    return 4 + (isMeasure ? 8 : 0) - (isOfShape ? 2 : isNumbering ? 3 : 0)
  }

  var categoryScore: Int {
    guard isText, !isTime, profile.distinct.isExact, profile.longestText <= 40,
      (2...ColumnRoles.categoryLimit).contains(profile.distinct.count),
      profile.values >= 3 * profile.distinct.count
    else { return 0 }
    let known: Set = [
      "type", "class", "category", "kind", "status", "zone", "group", "brand", "use",
    ]
    return Set(words).isDisjoint(with: known) ? 1 : 2
  }

  var timeScore: Int { isTime ? 1 : 0 }

  /// Whether a reader of the map would look at the value: no long texts, no columns without content.
  var isWorthShowing: Bool {
    profile.longestText <= 300 && profile.nested == 0 && !TapSource.ownNames.contains(name)
      && !(profile.distinct.isExact && profile.distinct.count == 1 && records > 20)
  }
}
