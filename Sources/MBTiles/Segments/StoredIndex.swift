/// The leaves of an index in a file that this program wrote, in order, with the entries between them.
struct StoredIndex: Sendable {
  /// The number of each leaf's page.
  private(set) var pages: ContiguousArray<UInt32> = []

  /// The cell of the entry after each leaf, one after the other, and the end of each; the last leaf
  /// has none.
  private var separators: [UInt8] = []
  private var ends: ContiguousArray<Int> = []

  /// The number of leaves.
  var count: Int { pages.count }

  /// Adds a leaf and the cell of the entry after it, which is empty for the last leaf.
  mutating func append(_ page: UInt32, separator: some Collection<UInt8>) {
    pages.append(page)
    separators.append(contentsOf: separator)
    ends.append(separators.count)
  }

  /// Returns the cell of the entry after a leaf; empty for the last leaf.
  func separator(_ leaf: Int) -> ArraySlice<UInt8> {
    separators[(leaf == 0 ? 0 : ends[leaf - 1])..<ends[leaf]]
  }
}

/// The values of a record in the order in which they are stored.
///
/// Source: https://www.sqlite.org/fileformat2.html#record_format.
struct IndexRecord {
  private let bytes: UnsafeRawBufferPointer
  private let headerEnd: Int
  private var type = 1
  private var value: Int

  /// - Returns: `nil` if the header is longer than those of this program, or than the bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let size = bytes.first, (1..<0x80).contains(size), size <= bytes.count else { return nil }
    self.bytes = bytes
    headerEnd = Int(size)
    value = headerEnd
  }

  private mutating func next() -> UInt8? {
    guard type < headerEnd else { return nil }
    defer { type += 1 }
    return bytes[type]
  }

  /// Returns the next value if it is an integer.
  mutating func integer() -> Int64? {
    guard let type = next() else { return nil }
    if type == 8 || type == 9 { return Int64(type) - 8 }
    let count: Int
    switch type {
    case 1...4: count = Int(type)
    case 5: count = 6
    case 6: count = 8
    default: return nil
    }
    guard value + count <= bytes.count else { return nil }
    var number: Int64 = bytes[value] & 0x80 == 0 ? 0 : -1
    for byte in bytes[value..<(value + count)] { number = number << 8 | Int64(byte) }
    value += count
    return number
  }

  /// Returns the next value if it is a text of less than 58 bytes.
  mutating func text() -> UnsafeRawBufferPointer? {
    guard let type = next(), type >= 13, type < 0x80, type % 2 == 1 else { return nil }
    let count = Int(type - 13) / 2
    guard value + count <= bytes.count else { return nil }
    defer { value += count }
    return UnsafeRawBufferPointer(rebasing: bytes[value..<(value + count)])
  }
}
