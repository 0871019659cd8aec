import CScan
package import Features
package import JSON

/// The texts of a sequence in a stream: its lines, or what follows each record separator (RFC 8142)
/// where the stream begins with one.
///
/// A text is a view into the source's buffer, valid until the next call.
package struct GeoJSONTexts {
  /// The next item of the stream.
  package enum Text {
    /// A text that is not blank, and the place of its first byte.
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
  /// The position in the file of the text returned last.
  private(set) var textOffset = 0
  /// The byte that ends a text; `nil` before the first.
  private(set) var terminator: UInt8?

  package init(source: ByteSource, maximumBytes: Int) {
    self.source = source
    self.maximumBytes = maximumBytes
  }

  /// Creates the texts of a section that begins with a text, at line and column 1.
  package init(section source: ByteSource, maximumBytes: Int, terminator: UInt8) {
    self.init(source: source, maximumBytes: maximumBytes)
    self.terminator = terminator
  }

  /// The position in the file of the next text, and its place.
  var position: GeoJSONPosition {
    GeoJSONPosition(offset: source.bytesRead - source.buffer.count + start, place: place)
  }

  /// Returns the next text that is not blank, `nil` at the end.
  package mutating func next() throws(SourceError) -> Text? {
    if self.terminator == nil { try begin() }
    let terminator = self.terminator ?? JSONByte.lineFeed
    while let length = try length(to: terminator) {
      let at = place
      textOffset = position.offset
      guard length <= maximumBytes else {
        try skip(to: terminator)
        return .tooLong(at)
      }
      let text = UnsafeRawBufferPointer(rebasing: source.buffer[start..<(start + length)])
      if terminator == JSONByte.lineFeed, start + length < source.buffer.count {
        start += length + 1
        place = JSONPlace(line: at.line + 1, column: 1)
      } else {
        use(length)
        if start < source.buffer.count { use(1) }
      }
      if !text.allSatisfy(JSONByte.isSpace) { return .text(text, at) }
    }
    return nil
  }

  /// Skips the byte order mark and space before the first text, and detects the kind of sequence.
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

  /// Returns the number of bytes up to the next terminator or the stream's end, more than the limit
  /// if neither is found within it; `nil` at the end.
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

  /// Drops everything up to and including the next terminator.
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
  /// Returns the distance from the start to the first occurrence of a byte.
  ///
  /// - Complexity: O(bytes), sixteen at a time.
  func firstOffset(of byte: UInt8) -> Int? {
    let bytes = UnsafeRawBufferPointer(rebasing: self)
    guard let start = bytes.baseAddress else { return nil }
    let offset = cscan_find(start.assumingMemoryBound(to: UInt8.self), bytes.count, byte)
    return offset < bytes.count ? offset : nil
  }
}
