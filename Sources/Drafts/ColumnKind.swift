import Examination
import Ingest

/// The kind of a column's values, which decides what a map can do with them.
enum ColumnKind: String, Hashable, CaseIterable {
  /// A coordinate or a whole geometry.
  case place
  /// Keys, codes and numbers of lists and registers: equal or not, and nothing else.
  case identifier
  /// Years, months, weekdays and hours as numbers.
  case calendar
  case houseNumber
  case name
  /// Addresses of pages, mail and telephones.
  case link
  /// The length or area of the shape itself.
  case shapeSize
  /// Amounts that add up.
  case count
  /// Parts of a whole, rates, densities, scores: comparable whatever the size of the place.
  case share
  /// Differences, some of them below 0.
  case change
  case money
  case measure
  /// The exactness of other values.
  case footnote
  /// Classes in an order, such as `55–59` and `≥ 75`.
  case orderedClass
  case category
  case time
  /// One of two answers.
  case flag
  /// Words for people to read.
  case text
  /// Nothing, or the same everywhere.
  case empty

  /// Whether the values are numbers whose size means something.
  var isQuantity: Bool {
    switch self {
    case .count, .share, .change, .money, .measure: true
    default: false
    }
  }
}

extension ColumnTraits {
  /// The kind of the column, by its values first and by its name where these leave it open.
  var kind: ColumnKind {
    guard profile.values > 0 else { return .empty }
    if isGeometry { return .place }
    if isTime || areDates { return .time }
    if isAddress { return .link }
    if words.mean(.contact) { return isNumber ? .identifier : .link }
    if isFlag { return .flag }
    if profile.distinct.isExact, profile.distinct.count == 1, records > 20 { return .empty }
    return isNumber ? numberKind : textKind
  }

  private var isGeometry: Bool {
    if profile.nested * 2 >= profile.values { return false }
    guard isNumber else {
      return !profile.examples.isEmpty
        && profile.examples.allSatisfy { GeometryText.Form(likely: $0) != nil }
    }
    let name = CoordinateName(profile.name)
    let (least, most) = (range.lowerBound, range.upperBound)
    let isAxis = (name.longitude + name.latitude).contains { $0.strength > 1 }
    let isGrid = least >= 10_000 && (hasFractions || profile.name.lowercased().contains("oord"))
    return isAxis && isGrid || name.isSureLongitude && least >= -360 && most <= 360
      || name.isSureLatitude && least >= -90 && most <= 90
      || ["x", "y", "easting", "northing", "rechtswert", "hochwert"].contains(
        profile.name.lowercased())
  }

  /// Whether the texts are days: `2024-01-19`, `19.1.2024`, `1/19/24`.
  private var areDates: Bool {
    guard profile.texts * 10 >= profile.values * 9, !profile.examples.isEmpty else { return false }
    let days = profile.examples.count { text in
      let parts = text.split { "-/.".contains($0) }.map { (Int($0) ?? -1, $0.count) }
      guard parts.count == 3, parts.allSatisfy({ $0.0 >= 0 }),
        let year = [0, 2].first(where: { parts[$0].1 == 4 }) ?? (parts[2].1 == 2 ? 2 : nil)
      else { return false }
      let (one, other) = (parts[1].0, parts[2 - year].0)
      return (1...12).contains(min(one, other)) && (1...31).contains(max(one, other))
    }
    return days * 10 >= profile.examples.count * 9
  }

  private static let answers: Set = [
    "yes", "no", "y", "n", "true", "false", "t", "f", "ja", "nein", "nee", "nej", "oui", "non",
    "sí",
    "si", "sì", "sim", "não", "nao", "tak", "nie", "ano", "ne", "igen", "nem", "да", "нет", "так",
    "ні",
    "是", "否", "有", "無", "예", "아니오", "نعم", "لا", "evet", "hayır", "x", "0", "1",
  ]

  private var isFlag: Bool {
    if profile.booleans * 10 >= profile.values * 9 { return true }
    guard profile.distinct.isExact, profile.distinct.count == 2 else { return false }
    if isNumber { return range == 0...1 }
    return profile.examples.count == 2
      && profile.examples.allSatisfy { Self.answers.contains($0.lowercased()) }
  }

  // MARK: Numbers

  private var numberKind: ColumnKind {
    let measure = words.measure
    if profile.leadingZeros.count > 0 && spelling == nil
      || words.areIDs && (!hasFractions || measure == nil)
      || words.endsInCode && !hasFractions && !words.mean(.houseNumber)
    {
      return .identifier
    }
    if isCalendar { return .calendar }
    if words.mean(.houseNumber), !hasFractions { return .houseNumber }
    if words.mean(.footnote) { return .footnote }
    if let unit = spelling?.unit, !unit.isEmpty { return Self.kind(ofUnit: unit) ?? .measure }
    if words.mean(.size), !words.mean(.share), !words.mean(.money), measure == nil || isShapeSize {
      return .shapeSize
    }
    if measure == nil,
      words.areCodes || !hasFractions && (isSerial || isNumbering || isCodeOfLength)
    {
      return .identifier
    }
    if words.mean(.ranks), !hasFractions, profile.distinct.isExact, profile.distinct.count <= 12,
      measure?.kind != .amount
    {
      return words.mean(.kind) ? .category : .orderedClass
    }
    if words.mean(.kind), !hasFractions, profile.distinct.isExact, profile.distinct.count <= 40 {
      return .category
    }
    guard let measure else { return .measure }
    return kind(of: measure.kind)
  }

  private func kind(of measure: ColumnWords.Measure) -> ColumnKind {
    if words.mean(.change), range.lowerBound < 0 { return .change }
    if words.mean(.magnitude) { return .measure }
    if words.mean(.share) { return .share }
    if words.mean(.turnover) || words.mean(.money) { return .money }
    return measure == .amount ? .count : .measure
  }

  private var isShapeSize: Bool { subject.hasShapes || words.words.contains("shape") }

  private static func kind(ofUnit unit: String) -> ColumnKind? {
    if ["%", "‰"].contains(unit) { return .share }
    return NumberSpelling.isCurrency(unit) ? .money : nil
  }

  /// Whether the numbers are years, months, days or hours by their range and their name; years also by
  /// their range alone.
  private var isCalendar: Bool {
    guard !hasFractions, spelling == nil else { return false }
    let (least, most) = (range.lowerBound, range.upperBound)
    if words.mean(.date), least >= 1000, most <= 99_999_999, words.measure == nil { return true }
    if words.mean(.year), least >= 0, most <= 2200 { return true }
    if least >= 1800, most <= 2100, least > 1900 || most > 1990, words.measure == nil,
      !words.areCodes, profile.distinct.count < profile.values || profile.values < 3
    {
      return true
    }
    return words.mean(.month) && least >= 0 && most <= 366
      || words.mean(.hour) && least >= 0 && most <= 60
  }

  /// Whether all numbers have the same number of digits, five or more, and few occur twice: numbers of
  /// registers are given out so.
  private var isCodeOfLength: Bool {
    range.lowerBound >= 10_000 && "\(range.lowerBound)".count == "\(range.upperBound)".count
      && profile.distinct.count * 10 >= profile.values * 9
  }

  // MARK: Texts

  private var textKind: ColumnKind {
    if classOrder != nil { return .orderedClass }
    if words.areIDs, !hasSpaces { return .identifier }
    if isCode { return .identifier }
    let count = profile.distinct.count
    let isFew = profile.distinct.isExact && profile.values >= 3 * count && profile.longestText <= 60
    if words.mean(.houseNumber), profile.longestText <= 8 { return .houseNumber }
    if words.mean(.kind), profile.distinct.isExact, count <= 64, words.nameScore < 7 {
      return .category
    }
    if nameScore > 1 { return .name }
    if isFew, count <= 40, words.nameScore < 2 { return words.areCodes ? .identifier : .category }
    return nameScore > 0 ? .name : words.areCodes ? .identifier : .text
  }

  private var hasSpaces: Bool { profile.examples.contains { $0.contains(" ") } }

  /// Whether the texts are codes such as `DE-1234` or `A12`: digits, no spaces, no small letters, and
  /// few occur twice.
  private var isCode: Bool {
    guard profile.distinct.count * 10 >= profile.values * 9, profile.values > 2,
      !profile.examples.isEmpty
    else { return false }
    return profile.examples.allSatisfy { text in
      text.contains(where: \.isNumber) && !text.contains(" ")
        && !text.contains { $0.isLetter && !$0.isUppercase }
    }
  }

  /// The classes of the column from the least to the most; `nil` for texts in no order.
  var classOrder: [String]? {
    guard !isNumber, profile.distinct.isExact, profile.examples.count == profile.distinct.count
    else { return nil }
    // A, B and C are kinds more often than grades.
    if profile.longestText == 1, !words.mean(.ranks) { return nil }
    let areRepeated = profile.values >= 3 * profile.distinct.count
    return OrderedClasses(profile.examples, areRepeated: areRepeated)?.texts
  }
}
