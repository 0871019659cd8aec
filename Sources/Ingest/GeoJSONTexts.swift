import Features
import JSON

/// Cuts a stream into the texts of a sequence: its lines, or what stands behind each record
/// separator (RFC 8142) where the stream begins with one.
///
/// A text lies in the source's buffer and dies with the next call.
struct GeoJSONTexts {
  /// The next thing in the stream.
  enum Text {
    /// A text that holds more than space, and the place of its first byte.
    case text(UnsafeRawBufferPointer, JSONPlace)
    /// A text over the limit, which has been dropped.
    case tooLong(JSONPlace)
  }

  private let source: ByteSource
  private let maximumBytes: Int
  /// The first byte of the buffer that has not been used.
  private var start = 0
  /// The place of that byte.
  private var place = JSONPlace(line: 1, column: 1)
  /// What ends a text; `nil` before the first.
  private var terminator: UInt8?

  init(source: ByteSource, maximumBytes: Int) {
    self.source = source
    self.maximumBytes = maximumBytes
  }

  /// The next text that holds more than space, `nil` at the end.
  mutating func next() throws(SourceError) -> Text? {
    if self.terminator == nil { try begin() }
    let terminator = self.terminator ?? JSONByte.lineFeed
    while let length = try length(to: terminator) {
      let at = place
      guard length <= maximumBytes else {
        try skip(to: terminator)
        return .tooLong(at)
      }
      let text = UnsafeRawBufferPointer(rebasing: source.buffer[start..<(start + length)])
      use(length)
      if start < source.buffer.count { use(1) }
      if !text.allSatisfy(JSONByte.isSpace) { return .text(text, at) }
    }
    return nil
  }

  /// Skips the byte order mark and space before the first text, and sees what kind of sequence
  /// this is.
  private mutating func begin() throws(SourceError) {
    while source.buffer.count < 3 {
      if try source.fill(keeping: source.buffer.count) == 0 { break }
    }
    if source.buffer.starts(with: [0xEF, 0xBB, 0xBF]) { use(3) }
    while true {
      if start == source.buffer.count, try !refill() { break }
      guard JSONByte.isSpace(source.buffer[start]) else { break }
      use(1)
    }
    let isSeparated =
      start < source.buffer.count && source.buffer[start] == JSONByte.recordSeparator
    if isSeparated { use(1) }
    terminator = isSeparated ? JSONByte.recordSeparator : JSONByte.lineFeed
  }

  /// The bytes up to the next terminator or the stream's end, more than the limit if it is not
  /// found within; `nil` at the end.
  private mutating func length(to terminator: UInt8) throws(SourceError) -> Int? {
    var length = 0
    while true {
      let found = source.buffer[(start + length)...].firstOffset(of: terminator)
      if let found { return length + found }
      length = source.buffer.count - start
      if length > maximumBytes { return length }
      if try !refill() { return length > 0 ? length : nil }
    }
  }

  /// Drops everything up to the next terminator and that too.
  private mutating func skip(to terminator: UInt8) throws(SourceError) {
    repeat {
      if let found = source.buffer[start...].firstOffset(of: terminator) {
        use(found + 1)
        return
      }
      use(source.buffer.count - start)
    } while try refill()
  }

  private mutating func refill() throws(SourceError) -> Bool {
    let tail = source.buffer.count - start
    let added = try source.fill(keeping: tail)
    start = 0
    return added > 0
  }

  private mutating func use(_ count: Int) {
    place = place.advanced(
      over: UnsafeRawBufferPointer(rebasing: source.buffer[start..<(start + count)]))
    start += count
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// The distance from the start to the first such byte.
  ///
  /// - Complexity: O(bytes), eight at a time.
  fileprivate func firstOffset(of byte: UInt8) -> Int? {
    let bytes = UnsafeRawBufferPointer(rebasing: self)
    let ones: UInt64 = 0x0101_0101_0101_0101
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let difference = word ^ (ones &* UInt64(byte))
      let hits = (difference &- ones) & ~difference & (ones &* 0x80)
      if hits != 0 { return offset + hits.trailingZeroBitCount >> 3 }
      offset += 8
    }
    while offset < bytes.count {
      if bytes[offset] == byte { return offset }
      offset += 1
    }
    return nil
  }
}
