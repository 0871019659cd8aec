/// A place in a text: line and column from 1, the column in bytes.
///
/// Lines end with a line feed; carriage returns are bytes like any other.
package struct JSONPlace: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The place that follows when these bytes stand at this one.
  ///
  /// - Complexity: O(bytes).
  func advanced(over bytes: UnsafeBufferPointer<UInt8>) -> JSONPlace {
    var feeds = 0
    for byte in bytes { feeds &+= byte == 0x0A ? 1 : 0 }
    guard feeds > 0 else { return JSONPlace(line: line, column: column + bytes.count) }
    var behindFeed = bytes.count
    while bytes[behindFeed - 1] != 0x0A { behindFeed -= 1 }
    return JSONPlace(line: line + feeds, column: bytes.count - behindFeed + 1)
  }
}
