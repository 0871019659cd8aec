import Platform

/// The bytes of value 0 in the buffer of a cursor, which no text has: a file system leaves them where
/// a file was not written to its end.
struct NULBytes {
  /// The fill that was examined; 0 for none.
  private var fill = 0
  private var areThere = false

  /// Whether the buffer has any.
  ///
  /// - Complexity: O(bytes) for a buffer that was filled since.
  mutating func areIn(_ cursor: CSVCursor) -> Bool {
    if fill != cursor.fills {
      fill = cursor.fills
      areThere = Self.first(in: cursor.buffer, cursor.index..<cursor.buffer.count) != nil
    }
    return areThere
  }

  /// Returns the index of the first in a range of a buffer.
  static func first(in buffer: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
    guard let base = buffer.baseAddress, !range.isEmpty,
      let place = memchr(base + range.lowerBound, 0, range.count)
    else { return nil }
    return base.distance(to: place)
  }

  /// Returns the cause and the cure, for a message.
  ///
  /// - Parameter record: the bytes of a record or line of names, the first NUL byte at `place`. In
  ///   UTF-16 every second byte of plain text is 0.
  static func advice(
    _ buffer: UnsafeRawBufferPointer, _ record: Range<Int>, at place: Int
  ) -> String {
    let isHole =
      place == record.lowerBound || place + 1 < record.upperBound && buffer[place + 1] == 0
    return isHole
      ? "The file was not written to its end: export or copy it again"
      : "Set 'encoding: utf-16' if it is that, otherwise export it again"
  }
}
