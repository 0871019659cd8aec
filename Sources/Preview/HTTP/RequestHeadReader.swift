/// A reader of request heads from bytes as they arrive.
///
/// Every byte is looked at once, and no more than a head's limit is kept.
package struct RequestHeadReader {
  /// Maximum bytes of a line with its end.
  package static let maxLine = 8 << 10

  /// Maximum bytes of all lines of a head.
  package static let maxHead = 32 << 10

  private var bytes: [UInt8] = []

  /// The complete lines, without their ends, as ranges of `bytes`.
  private var lines: [Range<Int>] = []
  private var lineStart = 0

  /// The number of bytes that were searched for the end of a line.
  private var searched = 0

  package init() {}

  /// Whether nothing of a further head has arrived.
  package var isEmpty: Bool { bytes.isEmpty }

  /// Removes and returns bytes that follow a head.
  mutating func take(_ count: Int) -> [UInt8] {
    let taken = Array(bytes.prefix(count))
    bytes.removeFirst(taken.count)
    return taken
  }

  package mutating func append(_ arrived: some Sequence<UInt8>) {
    bytes += arrived
  }

  /// Removes the next head from the bytes; `nil` if its end has not arrived.
  ///
  /// - Complexity: O(bytes that arrived since the last call).
  /// - Throws: ``RequestRefusal`` for a head that is too long or malformed.
  package mutating func next() throws(RequestRefusal) -> RequestHead? {
    while searched < bytes.count {
      let byte = bytes[searched]
      searched += 1
      guard searched - lineStart <= Self.maxLine else {
        throw lines.isEmpty ? .longLine : .longHead
      }
      guard searched <= Self.maxHead else { throw .longHead }
      guard byte == 0x0A else { continue }
      var line = lineStart..<searched - 1
      if bytes[line].last == 0x0D { line = line.lowerBound..<line.upperBound - 1 }
      lineStart = searched
      if !line.isEmpty {
        lines.append(line)
      } else if !lines.isEmpty {
        // Empty lines before a request are skipped (RFC 9112, section 2.2).
        let head = try RequestHead(lines.map { bytes[$0] })
        bytes.removeFirst(searched)
        (lines, lineStart, searched) = ([], 0, 0)
        return head
      }
    }
    return nil
  }
}
