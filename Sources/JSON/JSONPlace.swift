import CScan

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
  /// - Complexity: O(bytes), sixteen at a time.
  package func advanced(over bytes: UnsafeRawBufferPointer) -> JSONPlace {
    let feeds =
      bytes.baseAddress.map {
        cscan_count($0.assumingMemoryBound(to: UInt8.self), bytes.count, JSONByte.lineFeed)
      } ?? 0
    guard feeds > 0 else { return JSONPlace(line: line, column: column + bytes.count) }
    var behindFeed = bytes.count
    while bytes[behindFeed - 1] != JSONByte.lineFeed { behindFeed -= 1 }
    return JSONPlace(line: line + feeds, column: bytes.count - behindFeed + 1)
  }

  /// Returns this place of a text as a place of its file, in which the text begins at `start`.
  package func moved(to start: JSONPlace) -> JSONPlace {
    JSONPlace(
      line: start.line + line - 1, column: line == 1 ? start.column + column - 1 : column)
  }
}
