/// A place in a text: line and column from 1, the column in bytes.
///
/// Lines end with a line feed; carriage returns count as any other byte.
package struct JSONPlace: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Returns the place after these bytes.
  ///
  /// - Complexity: O(bytes), eight at a time.
  package func advanced(over bytes: UnsafeRawBufferPointer) -> JSONPlace {
    let feeds = Self.lineFeeds(in: bytes)
    guard feeds > 0 else { return JSONPlace(line: line, column: column + bytes.count) }
    var behindFeed = bytes.count
    while bytes[behindFeed - 1] != JSONByte.lineFeed { behindFeed -= 1 }
    return JSONPlace(line: line + feeds, column: bytes.count - behindFeed + 1)
  }

  /// Returns the number of line feeds: each byte of a word holds a 1 for a feed, and the words are
  /// summed byte by byte.
  private static func lineFeeds(in bytes: UnsafeRawBufferPointer) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let lows = ones &* 0x7F
    var feeds = 0
    var offset = 0
    while bytes.count - offset >= 8 {
      // A byte can count 31 words of 8 feeds each.
      let end = offset + 8 * min((bytes.count - offset) / 8, 31)
      var sums: UInt64 = 0
      while offset < end {
        let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let differing = word ^ (ones &* UInt64(JSONByte.lineFeed))
        // The top bit of each byte that is not 0; unlike Mycroft's test, exact in every byte.
        let nonZero = ((differing & lows) &+ lows) | differing
        sums &+= (~nonZero >> 7) & ones
        offset += 8
      }
      feeds += Int((sums &* ones) >> 56)
    }
    for byte in bytes[offset...] where byte == JSONByte.lineFeed { feeds += 1 }
    return feeds
  }
}
