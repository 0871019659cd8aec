import Features

/// The values by which a record is ordered, encoded as bytes: records are ordered as their bytes
/// are.
///
/// Booleans come first (false, then true), then numbers, then texts by their UTF-8, then lists and
/// objects by their JSON text; a descending rule reverses all that. Null and missing come last in
/// either direction. The record's number follows the values, so keys are never equal and records
/// with equal values keep the order of the sources and their files.
struct SortKey {
  private enum Tag: UInt8 {
    case bool = 1
    case number
    case text
    case json
  }

  /// A tag that sorts after all others, including inverted ones.
  private static let nullTag: UInt8 = 0xFF

  private let rules: [SortRule]
  /// The columns of the rules, looked up again when the source or its batches change.
  private var places: (source: Int, generation: Int, columns: [Int?]) = (-1, -1, [])

  /// The last key that was made.
  private(set) var bytes: [UInt8] = []

  init(_ rules: [SortRule]) {
    self.rules = rules
  }

  /// Makes the key of the view's row.
  ///
  /// - Parameter number: the record's number in the order of the sources.
  mutating func make(_ view: RecordView, number: UInt64) {
    if places.source != view.source || places.generation != view.generation {
      places = (
        view.source, view.generation,
        rules.map { rule in
          view.batch.columns.firstIndex { $0.name == rule.property }
        }
      )
    }
    bytes.removeAll(keepingCapacity: true)
    for (rule, place) in zip(rules, places.columns) {
      guard let place, !view.batch.columns[place].isNull(view.row) else {
        bytes.append(Self.nullTag)
        continue
      }
      let start = bytes.count
      append(view.batch.columns[place], view.row)
      if rule.isDescending { for index in start..<bytes.count { bytes[index] = ~bytes[index] } }
    }
    appendBigEndian(number)
  }

  private mutating func append(_ column: PropertyColumn, _ row: Int) {
    if let number = column.number(row) {
      bytes.append(Tag.number.rawValue)
      // Flipping the sign, or all bits of negative numbers, makes the unsigned order that of the
      // numbers.
      let pattern = (number == 0 ? 0 : number).bitPattern
      appendBigEndian(pattern >> 63 == 0 ? pattern | 1 << 63 : ~pattern)
      if number.isBeyondExactWholes { append(column.wholeNumber(row)) }
      return
    }
    switch column.kinds[row] {
    case .false: bytes += [Tag.bool.rawValue, 0]
    case .true: bytes += [Tag.bool.rawValue, 1]
    case .json: append(.json, column, row)
    default: append(.text, column, row)
    }
  }

  /// Appends the digits by which whole numbers that share a Double are ordered; such a number
  /// without digits comes first.
  private mutating func append(_ whole: WholeNumber?) {
    let digits = whole?.text.utf8.drop { $0 == UInt8(ascii: "-") } ?? ""[...].utf8
    let start = bytes.count
    appendBigEndian(UInt64(digits.count))
    bytes += digits
    guard let whole, whole.double < 0 else { return }
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }

  /// Appends a text with its end marked by two zeros, so that a prefix comes first; a zero inside
  /// is followed by 255.
  private mutating func append(_ tag: Tag, _ column: PropertyColumn, _ row: Int) {
    bytes.append(tag.rawValue)
    column.withBytes(row) { text in
      for byte in text {
        bytes.append(byte)
        if byte == 0 { bytes.append(0xFF) }
      }
    }
    bytes += [0, 0]
  }

  private mutating func appendBigEndian(_ word: UInt64) {
    withUnsafeBytes(of: word.bigEndian) { bytes += $0 }
  }
}
