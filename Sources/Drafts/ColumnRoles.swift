import Baking
import Definition
import Examination
import Ingest

/// The columns of a source by what they are good for on a map, judging by their names and values.
struct ColumnRoles: Hashable {
  /// The column whose values identify records.
  var id: String?

  /// The column that names a record for people: the text of labels.
  var name: String?

  /// The column that decides the colours; `nil` for one colour.
  var lead: Lead?

  /// The column that the user wants to decide sizes; `nil` for the leading one.
  var size: String?

  /// The column whose few values can divide clusters into slices: the leading one, or the most
  /// interesting that has them.
  var slices: String?

  /// Columns that could lead as well, the most interesting first.
  var others: [String] = []

  /// The column of instants.
  var time: String?

  /// The column by whose instants records may be divided into frames: that of ``time``, or of days.
  var instants: String?

  /// The columns that make tracks of points, if the points seem to be vertices.
  var track: Track?

  /// The columns of simplestyle in which features have colours of their own.
  var ownColors: Set<String> = []

  /// The properties that a tap shows, the most telling first.
  var fields: [String] = []

  /// The ways in which columns of texts are numbers.
  var spellings: [String: ColumnSpelling] = [:]

  /// A column that decides the colours.
  enum Lead: Hashable {
    case number(String, ColumnWords.Measure)
    /// Classes from the least to the most.
    case ordered(String, [String])
    case category(String)

    var column: String {
      switch self {
      case .number(let name, _), .ordered(let name, _), .category(let name): name
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
  var category: String? {
    switch lead {
    case .category(let name)?, .ordered(let name, _)?: name
    case .number?, nil: nil
    }
  }

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

    /// Whether records are lines between two places, whose widths show an amount.
    var areConnections = false

    /// The columns of a joined table, which is what the map is about.
    var joined: Set<String> = []

    /// The choices of the user.
    var choices = PipelineDraft.Choices()
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
    func known(_ name: String?) -> ColumnTraits? {
      name.flatMap { name in traits.first { $0.name == name } }
    }
    spellings = Dictionary(
      uniqueKeysWithValues: traits.compactMap { column in column.spelling.map { (column.name, $0) }
      })
    ownColors = Set(traits.filter(\.isOwnColor).map(\.name))
    id = best(\.idScore)?.name
    name = (known(subject.choices.label) ?? best(\.nameScore))?.name
    time = best(\.timeScore)?.name
    instants = best(\.instantScore)?.name
    let leaders = traits.map { column in
      let score = column.leadScore
      return (column, score > 0 && subject.joined.contains(column.name) ? score + 100 : score)
    }.filter { $0.1 > 0 }.enumerated().sorted {
      ($1.element.1, $0.offset) < ($0.element.1, $1.offset)
    }.map(\.element.0)
    let named = known(subject.choices.colorBy)
    let sliced = (named.map { [$0] } ?? leaders).first(where: \.hasFewValues)
    slices = sliced?.name
    let chosen = named ?? (subject.choices.look == .donuts ? sliced : nil)
    // A user who names a column wants to see it instead of the features' own colours.
    if chosen != nil { ownColors = [] }
    lead = (chosen ?? (ownColors.isEmpty ? leaders.first : nil))?.lead
    size = known(subject.choices.sizeBy).flatMap { $0.isNumber ? $0.name : nil }
    if subject.areConnections {
      // An amount is the width of a line, and needs no colour.
      size =
        size ?? leaders.first { $0.kind == .count }?.name
        ?? leaders.first { $0.kind.isQuantity }?.name
      if chosen == nil, lead?.column == size || number != nil { lead = nil }
    }
    others = Array(leaders.map(\.name).filter { $0 != lead?.column }.prefix(Self.otherLimit))
    if subject.isDots { track = Self.track(traits, time: time, by: known(subject.choices.groupBy)) }
    let first = [name, lead?.column, size, time].compactMap(\.self)
    let rest = traits.filter(\.isWorthShowing).map(\.name).filter { !first.contains($0) }
    var shown: [String] = []
    for field in first + rest where !shown.contains(field) { shown.append(field) }
    fields = Array(shown.prefix(Self.fieldLimit))
  }

  /// Returns the columns that say that points are the vertices of tracks.
  private static func track(
    _ traits: [ColumnTraits], time: String?, by chosen: ColumnTraits?
  ) -> Track? {
    let order = traits.first(where: \.isOrdinal)?.name ?? time
    let tracks = traits.filter { $0.isTrack && $0.name != order }
    let best = tracks.map(\.trackScore).max()
    let by = chosen ?? tracks.first { $0.trackScore == best }
    // Times in another form are no order, but say that the file has one.
    guard order != nil || by != nil && (chosen != nil || traits.contains(where: \.hasUnreadTimes))
    else { return nil }
    // Without a column of tracks, only the distances of the points tell.
    return Track(by: by?.name, order: order)
  }
}

/// The roles that the name and the values of one column suggest.
struct ColumnTraits {
  let profile: ColumnProfile
  let subject: ColumnRoles.Subject
  let words: ColumnWords

  /// The way in which its texts are numbers; `nil` for other texts.
  let spelling: ColumnSpelling?

  var name: String { profile.name }

  init(_ profile: ColumnProfile, _ subject: ColumnRoles.Subject) {
    self.profile = profile
    self.subject = subject
    words = ColumnWords(profile.name)
    let mayBeSpelled =
      profile.texts > 0 && (profile.texts + profile.numbers) * 10 >= profile.values * 9
      && profile.longestText <= 32
    spelling = mayBeSpelled ? ColumnSpelling(profile.examples) : nil
  }

  var records: Int { subject.records }
  private var isText: Bool { spelling == nil && profile.texts * 10 >= profile.values * 9 }
  var isNumber: Bool { profile.numbers * 10 >= profile.values * 9 || spelling != nil }
  private var isFull: Bool { profile.nulls == 0 }

  /// The least and the greatest number.
  var range: ClosedRange<Double> {
    let plain = profile.minimum <= profile.maximum ? profile.minimum...profile.maximum : nil
    guard let spelled = spelling?.range else { return plain ?? 0...0 }
    guard let plain else { return spelled }
    return min(plain.lowerBound, spelled.lowerBound)...max(plain.upperBound, spelled.upperBound)
  }

  /// Whether more numbers than a few odd ones are not whole.
  var hasFractions: Bool {
    profile.fractions * 50 > profile.numbers || spelling?.hasFractions == true
  }

  var isTime: Bool {
    let times = profile.zonedTimes + profile.zonelessTimes.count + profile.unreadTimes.count
    return times > 0 && times * 10 >= profile.values * 9
  }

  /// Whether the times are written in a way that does not sort.
  var hasUnreadTimes: Bool { isTime && profile.unreadTimes.count > 0 }

  var isAddress: Bool {
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
  var isSerial: Bool {
    !hasFractions && (0...1).contains(range.lowerBound) && isDistinct
      && range.upperBound <= Double(records) + 1 && profile.values > 2
  }

  /// Whether every record has a whole number of its own, as numbers of a list or a register are.
  var isNumbering: Bool {
    isDistinct && profile.values > 10 && !hasFractions && spelling == nil && range.lowerBound >= 0
  }

  // MARK: Scores, 0 for a column that cannot be meant

  var idScore: Int {
    guard isFull, isDistinct, profile.texts + profile.numbers == profile.values, words.areIDs else {
      return 0
    }
    return name.lowercased() == "id" ? 3 : words.words.last == "id" ? 2 : 1
  }

  var nameScore: Int {
    guard isText, !isTime, !isAddress, profile.longestText <= 120, profile.longestText >= 2,
      profile.examples.contains(where: { $0.contains(where: \.isLetter) })
    else { return 0 }
    let score = words.nameScore
    let isTelling = profile.distinct.count * 2 >= profile.values
    // The same few names over and over are not those of the records.
    let isRepeated = profile.values >= 20 && profile.distinct.count * 10 < profile.values
    if score == 10 { return score }
    if score > 1 { return isRepeated ? 0 : isTelling ? score : 2 }
    guard isTelling, profile.values > 1, !words.areIDs, !words.areCodes, profile.longestText <= 40,
      profile.firstValue.contains(where: \.isLetter),
      profile.firstValue.contains(where: { $0.isLetter && ($0.isLowercase || !$0.isCased) })
    else { return 0 }
    return 1
  }

  /// The role of the column if it decides the colours, whatever its score.
  var lead: ColumnRoles.Lead? {
    if kind == .category { return .category(name) }
    if isNumber, range.lowerBound < range.upperBound {
      let isChange = kind == .change || kind == .share && range.lowerBound < 0
      return .number(
        name,
        isChange
          ? .change
          : words.measure.map { measure in
            measure.kind == .change ? .level : measure.kind
          } ?? .level)
    }
    if let order = classOrder { return .ordered(name, order) }
    return profile.values > 0 ? .category(name) : nil
  }

  /// Whether the column has so few values that each can have a slice of a donut.
  var hasFewValues: Bool {
    guard profile.distinct.isExact, (2...6).contains(profile.distinct.count) else { return false }
    return switch lead {
    case .category, .ordered: true
    case .number, nil: false
    }
  }

  /// The interest of people in the column; 0 for one that cannot lead. On areas what can be compared
  /// goes before amounts, which grow with the area.
  var leadScore: Int {
    let kind = kind
    let unit = spelling?.unit.isEmpty == false ? kind == .measure ? 12 : 18 : 0
    let interest = 4 + (words.measure?.interest ?? unit)
    switch kind {
    case .change, .share, .money, .measure, .count:
      guard profile.distinct.count >= 4, profile.values * 2 >= records,
        range.lowerBound < range.upperBound
      else { return 0 }
      if !subject.hasShapes { return interest }
      return kind == .change ? 27 : kind == .share ? 26 : kind == .count ? 16 : interest
    case .orderedClass: return subject.hasShapes ? 18 : 16
    case .category: return categoryScore
    default: return 0
    }
  }

  private var categoryScore: Int {
    let count = profile.distinct.count
    guard profile.distinct.isExact, count >= 2, profile.longestText <= 60,
      profile.values >= 3 * count
    else { return 0 }
    if words.mean(.kind) {
      if (3...ColumnRoles.categoryLimit).contains(count) { return subject.hasShapes ? 17 : 14 }
      // The most frequent kinds get a colour; of two, one is often the rule and the other rare.
      return count == 2 ? 5 : count <= 40 ? 10 : 0
    }
    return count <= ColumnRoles.categoryLimit ? 3 : 0
  }

  /// Times that sort, also those whose day or month comes first, if all say the same.
  var timeScore: Int {
    isTime && (!hasUnreadTimes || WrittenTimes(profile.examples) != nil) ? 1 : 0
  }

  /// Times and days of all records that begin with the year, as ISO 8601 writes them.
  var instantScore: Int {
    guard isFull, kind == .time, profile.firstValue.dropFirst(4).hasPrefix("-") else { return 0 }
    return timeScore + 1
  }

  /// Whether the values are the features' own colours, as simplestyle and GTFS name them.
  var isOwnColor: Bool {
    isText && ["fill", "stroke", "marker-color"].contains(name) && profile.firstValue.hasPrefix("#")
      || isText && name == SourceDrafter.routeColor && profile.longestText == 6
  }

  /// Whether equal values say that points belong to one track.
  var isTrack: Bool {
    trackScore > 0 && !isTime && profile.values * 10 >= records * 9
      && profile.values >= 5 * profile.distinct.count
  }

  /// A score of the name as one of tracks: a trip before the vehicle that makes several, its number before
  /// its name, and never its type.
  var trackScore: Int {
    let isJourney = words.mean(.journey)
    guard isJourney || words.mean(.vehicle), !words.mean(.kind) else { return 0 }
    return (isJourney ? 3 : 1) + (words.areIDs ? 1 : 0)
  }

  /// Whether the numbers count the points of a track.
  var isOrdinal: Bool { words.mean(.order) && isNumber && profile.values * 10 >= records * 9 }

  /// Whether a reader of the map would look at the value: no long texts, no columns without content.
  var isWorthShowing: Bool {
    !isOwnColor && profile.longestText <= 300 && profile.nested == 0
      && !Interactivity.ownNames.contains(name)
      && !(profile.distinct.isExact && profile.distinct.count == 1 && records > 20)
  }
}
