/// A value in a record of SQLite.
enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int)
  case text([UInt8])
  case blob([UInt8])

  var integer: Int? { if case .integer(let number) = self { number } else { nil } }

  var text: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  var bytes: [UInt8]? {
    switch self {
    case .text(let bytes), .blob(let bytes): bytes
    default: nil
    }
  }

  /// Whether a value comes before another one in an index.
  static func < (left: SQLiteValue, right: SQLiteValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
      left.lexicographicallyPrecedes(right)
    default: left.rank < right.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .text: 2
    case .blob: 3
    }
  }
}

/// A page of a tree in a SQLite file, whose bytes are not trusted.
///
/// Source: https://www.sqlite.org/fileformat2.html#b_tree_pages
struct SQLitePage {
  let isInterior: Bool
  let isIndex: Bool

  /// The number of cells.
  let count: Int
  private let bytes: [UInt8]
  private let start: Int

  /// A row or an entry of an index, whose record may go on in other pages.
  struct Cell {
    /// The number of the row; 0 in an index.
    var row: Int
    /// The bytes of the record so far.
    var record: [UInt8]
    /// The bytes that are missing.
    var rest: Int
    /// The page where the record goes on.
    var next: Int
  }

  /// - Parameter isFirst: whether the file's header precedes the page.
  init?(_ bytes: [UInt8], isFirst: Bool) {
    start = isFirst ? 100 : 0
    guard bytes.count >= 512, [2, 5, 10, 13].contains(bytes[start]) else { return nil }
    self.bytes = bytes
    isInterior = bytes[start] < 10
    isIndex = bytes[start] == 2 || bytes[start] == 10
    count = Self.number(bytes, start + 3, 2)
    guard start + 12 + 2 * count <= bytes.count else { return nil }
  }

  /// Returns a number of some bytes, the highest first.
  static func number(_ bytes: [UInt8], _ at: Int, _ length: Int) -> Int {
    bytes[at..<at + length].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the page left of a cell; that of all other rows for the cell after the last.
  func child(_ index: Int) -> Int? {
    let at = index == count ? start + 8 : place(index)
    return at + 4 <= bytes.count ? Self.number(bytes, at, 4) : nil
  }

  /// Returns the greatest number of a row in the page left of a cell.
  func key(_ index: Int) -> Int? {
    var at = place(index) + 4
    return Self.varint(bytes, &at)
  }

  private func place(_ index: Int) -> Int {
    Self.number(bytes, start + (isInterior ? 12 : 8) + 2 * index, 2)
  }

  func cell(_ index: Int) -> Cell? {
    var at = place(index) + (isInterior ? 4 : 0)
    var row = 0
    guard let size = Self.varint(bytes, &at), size >= 0 else { return nil }
    if !isIndex {
      guard let number = Self.varint(bytes, &at) else { return nil }
      row = number
    }
    let usable = bytes.count
    let most = isIndex ? (usable - 12) * 64 / 255 - 23 : usable - 35
    var local = size
    if size > most {
      let least = (usable - 12) * 32 / 255 - 23
      local = least + (size - least) % (usable - 4)
      if local > most { local = least }
    }
    guard at + local + (local < size ? 4 : 0) <= bytes.count else { return nil }
    return Cell(
      row: row, record: Array(bytes[at..<at + local]), rest: size - local,
      next: local < size ? Self.number(bytes, at + local, 4) : 0)
  }

  /// Reads a number of one to nine bytes.
  private static func varint(_ bytes: [UInt8], _ at: inout Int) -> Int? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard at < bytes.count else { return nil }
      let byte = UInt64(bytes[at])
      at += 1
      if index == 8 { return Int(truncatingIfNeeded: value << 8 | byte) }
      value = value << 7 | byte & 127
      if byte < 128 { return Int(truncatingIfNeeded: value) }
    }
    return nil
  }

  /// Returns the values of a record; `nil` if it is none.
  static func values(_ record: [UInt8]) -> [SQLiteValue]? {
    var at = 0
    guard let head = varint(record, &at), head <= record.count else { return nil }
    var (data, values) = (head, [SQLiteValue]())
    while at < head {
      guard let type = varint(record, &at), type >= 0 else { return nil }
      let length = type >= 12 ? (type - 12) / 2 : type < 5 ? type : type == 5 ? 6 : type < 8 ? 8 : 0
      guard data >= 0, length <= record.count - data else { return nil }
      let bytes = record[data..<data + length]
      data += length
      switch type {
      case 0: values.append(.null)
      case 8, 9: values.append(.integer(type - 8))
      case 1...6:
        let sign: UInt64 = (bytes.first ?? 0) > 127 ? .max : 0
        values.append(
          .integer(Int(truncatingIfNeeded: bytes.reduce(sign) { $0 << 8 | UInt64($1) })))
      case 12...: values.append(type % 2 == 0 ? .blob(Array(bytes)) : .text(Array(bytes)))
      default: return nil
      }
    }
    return values
  }
}
