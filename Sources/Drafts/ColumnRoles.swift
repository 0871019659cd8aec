import Baking
import Ingest

/// The columns of a source by what they are good for on a map, judging by their names and values.
struct ColumnRoles: Hashable {
  /// The column whose values identify records.
  var id: String?

  /// The column that names a record for people: the text of labels.
  var name: String?

  /// The column that decides the colours; `nil` for one colour.
  var lead: Lead?

  /// Columns that could lead as well, the most interesting first.
  var others: [String] = []

  /// The column of instants.
  var time: String?

  /// The columns that make tracks of points, if the points seem to be vertices.
  var track: Track?

  /// The columns of simplestyle in which features have colours of their own.
  var ownColors: Set<String> = []

  /// The properties that a tap shows, the most telling first.
  var fields: [String] = []

  /// A column that decides the colours.
  enum Lead: Hashable {
    case number(String, ColumnWords.Measure)
    case category(String)

    var column: String {
      switch self {
      case .number(let name, _), .category(let name): name
      }
    }
  }

  /// The columns that connect points.
  struct Track: Hashable {
    /// The column whose values are the tracks; `nil` for one track of all points.
    var by: String?

    /// The column that orders the points of a track; `nil` for the order of the file.
    var order: String?
  }

  /// The column of numbers that is surveyed.
  var number: String? { if case .number(let name, _)? = lead { name } else { nil } }

  /// The column of categories that is surveyed.
  var category: String? { if case .category(let name)? = lead { name } else { nil } }

  /// The maximum number of ``fields``.
  private static let fieldLimit = 12

  /// The maximum number of colours of categories; rarer ones share a gray.
  static let categoryLimit = 8

  /// The maximum number of ``others``.
  private static let otherLimit = 4

  /// The facts by which columns are judged.
  struct Subject {
    /// The number of records that the profiles cover.
    var records: Int

    /// The columns of longitude and latitude.
    var coordinates: [String]

    /// Whether records are lines or areas, whose own size is no news.
    var hasShapes: Bool

    /// Whether all records are points.
    var isDots: Bool

    /// The column that the user wants to see; `nil` for the most interesting.
    var wanted: String?
  }

  init(_ profiles: [ColumnProfile], of subject: Subject) {
    let columns = profiles.filter { column in
      column.values > 0 && !subject.coordinates.contains(column.name)
        && column.nested * 2 < column.values
    }
    let traits = columns.map { ColumnTraits($0, subject) }
    func best(_ score: (ColumnTraits) -> Int) -> ColumnTraits? {
      let scored = traits.map { ($0, score($0)) }
      let most = scored.map(\.1).max() ?? 0
      return most > 0 ? scored.first { $0.1 == most }?.0 : nil
    }
    ownColors = Set(traits.filter(\.isOwnColor).map(\.name))
    id = best(\.idScore)?.name
    name = best(\.nameScore)?.name
    time = best(\.timeScore)?.name
    let leaders = traits.filter { $0.leadScore > 0 }.enumerated().sorted {
      ($1.element.leadScore, $0.offset) < ($0.element.leadScore, $1.offset)
    }.map(\.element)
    let chosen = subject.wanted.flatMap { wanted in traits.first { $0.name == wanted } }
    // Whoever gave the features colours wants to see them.
    if chosen != nil { ownColors = [] }
    lead = (chosen ?? (ownColors.isEmpty ? leaders.first : nil))?.lead
    others = Array(leaders.map(\.name).filter { $0 != lead?.column }.prefix(Self.otherLimit))
    if subject.isDots { track = Self.track(traits, time: time) }
    let first = [name, lead?.column, time].compactMap(\.self)
    let rest = traits.filter(\.isWorthShowing).map(\.name).filter { !first.contains($0) }
    fields = Array((first + rest).prefix(Self.fieldLimit))
  }

  /// Returns the columns that say that points are the vertices of tracks.
  private static func track(_ traits: [ColumnTraits], time: String?) -> Track? {
    let ordinal = traits.first(where: \.isOrdinal)?.name
    guard let order = ordinal ?? time else { return nil }
    let by = traits.first { $0.isTrack && $0.name != order }
    // Without a column of tracks, only the distances of the points tell.
    return Track(by: by?.name, order: order)
  }
}

/// The roles that the name and the values of one column suggest.
struct ColumnTraits {
  private let profile: ColumnProfile
  private let subject: ColumnRoles.Subject
  private let words: ColumnWords

  var name: String { profile.name }

  init(_ profile: ColumnProfile, _ subject: ColumnRoles.Subject) {
    self.profile = profile
    self.subject = subject
    words = ColumnWords(profile.name)
  }

  private var records: Int { subject.records }
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
    guard isFull, isDistinct, profile.texts + profile.numbers == profile.values, words.areIDs else {
      return 0
    }
    return name.lowercased() == "id" ? 3 : words.words.last == "id" ? 2 : 1
  }

  var nameScore: Int {
    guard isText, !isTime, !isAddress, profile.longestText <= 120, profile.longestText >= 2 else {
      return 0
    }
    let score = words.nameScore
    let isTelling = profile.distinct.count * 2 >= profile.values
    // The same few names over and over are not those of the records.
    let isRepeated = profile.values >= 20 && profile.distinct.count * 10 < profile.values
    if score == 10 { return score }
    if score > 1 { return isRepeated ? 0 : isTelling ? score : 2 }
    guard isTelling, profile.values > 1, !words.areIDs, !words.areCodes, profile.longestText <= 40,
      profile.firstValue.contains(where: \.isLetter),
      profile.firstValue.contains(where: \.isLowercase)
    else { return 0 }
    return 1
  }

  /// The role of the column if it decides the colours, whatever its score.
  var lead: ColumnRoles.Lead? {
    if isNumber, profile.minimum < profile.maximum {
      return .number(name, words.measure?.kind ?? .level)
    }
    return profile.values > 0 ? .category(name) : nil
  }

  /// The interest of people in the column; 0 for one that cannot lead.
  var leadScore: Int { max(numberScore, categoryScore) }

  private var numberScore: Int {
    guard isNumber, profile.distinct.count >= 4, !words.areIDs, !words.areFootnotes, !isSerial,
      profile.numbers * 2 >= records, profile.minimum < profile.maximum,
      !words.areSizes || !subject.hasShapes && words.measure != nil
    else { return 0 }
    let measure = words.measure
    guard measure != nil || !words.areCodes else { return 0 }
    return max(4 + (measure?.interest ?? 0) - (isNumbering && measure == nil ? 3 : 0), 1)
  }

  private var categoryScore: Int {
    guard isText || isNumber && words.areKinds, !isTime, !words.areIDs,
      words.areKinds || !words.areCodes && words.nameScore < 2, profile.distinct.isExact,
      profile.longestText <= 60, profile.distinct.count >= 2,
      profile.values >= 3 * profile.distinct.count
    else { return 0 }
    let count = profile.distinct.count
    if words.areKinds {
      if (3...ColumnRoles.categoryLimit).contains(count) { return 14 }
      // The most frequent kinds get a colour; of two, one is often the rule and the other rare.
      return count == 2 ? 5 : count <= 40 ? 10 : 0
    }
    return isText && count <= ColumnRoles.categoryLimit ? 3 : 0
  }

  var timeScore: Int { isTime ? 1 : 0 }

  /// Whether the values are the features' own colours, as simplestyle names them.
  var isOwnColor: Bool {
    ["fill", "stroke", "marker-color"].contains(name) && isText
      && profile.firstValue.hasPrefix("#")
  }

  /// Whether equal values say that points belong to one track.
  var isTrack: Bool {
    words.areTracks && !isTime && profile.values * 10 >= records * 9
      && profile.values >= 5 * profile.distinct.count
  }

  /// Whether the numbers count the points of a track.
  var isOrdinal: Bool { words.areOrdinals && isNumber && profile.values * 10 >= records * 9 }

  /// Whether a reader of the map would look at the value: no long texts, no columns without content.
  var isWorthShowing: Bool {
    !isOwnColor && profile.longestText <= 300 && profile.nested == 0
      && !TapSource.ownNames.contains(name)
      && !(profile.distinct.isExact && profile.distinct.count == 1 && records > 20)
  }
}
