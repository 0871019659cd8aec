/// A buffer for a row or an index entry in SQLite's record format: the types of all values, then
/// the values.
///
/// It is filled value by value, then passed on as a ``RecordPayload``, and reused for the next one.
/// Source: https://www.sqlite.org/fileformat2.html#record_format.
struct RecordBuffer: ~Copyable {
  /// Bytes reserved for the header before the values; six columns of nine bytes take less.
  private static let headerRoom = 64

  private var types = Varints()
  private var bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 16)
  private var end = RecordBuffer.headerRoom

  deinit { bytes.deallocate() }

  /// Begins a new record.
  mutating func begin() {
    types.removeAll()
    end = Self.headerRoom
  }

  mutating func addNull() { types.append(0) }

  /// Adds a number in as few bytes as it needs.
  mutating func add(_ value: Int64) {
    let (type, count): (UInt64, Int) =
      switch value {
      case 0: (8, 0)
      case 1: (9, 0)
      case -0x80...0x7F: (1, 1)
      case -0x8000...0x7FFF: (2, 2)
      case -0x80_0000...0x7F_FFFF: (3, 3)
      case -0x8000_0000...0x7FFF_FFFF: (4, 4)
      case -0x8000_0000_0000...0x7FFF_FFFF_FFFF: (5, 6)
      default: (6, 8)
      }
    types.append(type)
    reserve(8)
    for place in 0..<count {
      bytes[end + place] = UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - place)))
    }
    end += count
  }

  /// Adds a text of 32 hexadecimal digits.
  mutating func add(_ digest: MD5Digest) {
    types.append(UInt64(13 + 2 * MD5Digest.hexadecimalCount))
    reserve(MD5Digest.hexadecimalCount)
    digest.writeHexadecimal(to: UnsafeMutableRawBufferPointer(rebasing: bytes[end...]))
    end += MD5Digest.hexadecimalCount
  }

  /// Adds a text in UTF-8.
  mutating func add(text: some Collection<UInt8>) {
    types.append(UInt64(13 + 2 * text.count))
    reserve(text.count)
    UnsafeMutableRawBufferPointer(rebasing: bytes[end..<(end + text.count)]).copyBytes(from: text)
    end += text.count
  }

  /// Calls `body` with the record.
  ///
  /// - Parameter blob: the last value, which is not copied; `nil` if there is none.
  mutating func withPayload<Result>(
    blob: UnsafeRawBufferPointer? = nil,
    _ body: (RecordPayload) throws(ArchiveError) -> Result
  ) throws(ArchiveError) -> Result {
    if let blob { types.append(UInt64(12 + 2 * blob.count)) }
    // The header's size counts its own byte.
    let start = Self.headerRoom - types.count - 1
    bytes[start] = UInt8(types.count + 1)
    types.copy(to: UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 1)...]))
    return try body(
      RecordPayload(
        head: UnsafeRawBufferPointer(rebasing: bytes[start..<end]),
        tail: blob ?? UnsafeRawBufferPointer(start: nil, count: 0)))
  }

  private mutating func reserve(_ count: Int) {
    guard end + count > bytes.count else { return }
    let grown = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(bytes.count * 2, end + count), alignment: 16)
    grown.copyMemory(from: UnsafeRawBufferPointer(bytes))
    bytes.deallocate()
    bytes = grown
  }
}

/// The bytes of a record, in two pieces.
struct RecordPayload {
  let head: UnsafeRawBufferPointer
  let tail: UnsafeRawBufferPointer

  var count: Int { head.count + tail.count }

  /// Copies the bytes from an offset on until a buffer is full.
  func copy(from offset: Int, to target: UnsafeMutableRawBufferPointer) {
    let ofHead = max(0, min(head.count - offset, target.count))
    if ofHead > 0 {
      UnsafeMutableRawBufferPointer(rebasing: target[..<ofHead])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: head[offset..<(offset + ofHead)]))
    }
    guard ofHead < target.count else { return }
    let start = offset + ofHead - head.count
    UnsafeMutableRawBufferPointer(rebasing: target[ofHead...])
      .copyMemory(
        from: UnsafeRawBufferPointer(rebasing: tail[start..<(start + target.count - ofHead)]))
  }
}

/// A buffer of numbers in SQLite's variable-length encoding: seven bits per byte, the highest
/// first, the ninth byte with eight.
struct Varints: ~Copyable {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
  private(set) var count = 0

  deinit { bytes.deallocate() }

  mutating func removeAll() { count = 0 }

  mutating func append(_ value: UInt64) {
    count += Self.write(value, to: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]))
  }

  func copy(to target: UnsafeMutableRawBufferPointer) {
    UnsafeMutableRawBufferPointer(rebasing: target[..<count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
  }

  /// Returns the number of bytes that a number takes.
  static func length(of value: UInt64) -> Int {
    value >> 56 != 0 ? 9 : max(1, (64 - value.leadingZeroBitCount + 6) / 7)
  }

  /// Writes a number to the start of a buffer and returns the number of bytes written.
  static func write(_ value: UInt64, to target: UnsafeMutableRawBufferPointer) -> Int {
    let count = length(of: value)
    var rest = value
    var place = count - 1
    if count == 9 {
      target[8] = UInt8(truncatingIfNeeded: rest)
      rest >>= 8
      place = 7
    }
    while place >= 0 {
      target[place] = UInt8(truncatingIfNeeded: rest) & 0x7F | (place == count - 1 ? 0 : 0x80)
      rest >>= 7
      place -= 1
    }
    return count
  }
}
