/// Bytes that arrive in pieces, in order, through one reused buffer.
package protocol JSONSource: AnyObject {
  /// The valid bytes, followed by at least eight readable bytes, the first of which is never part
  /// of a number. Pointers into it are invalid after the next fill.
  var buffer: UnsafeRawBufferPointer { get }

  /// Keeps the last `tail` bytes of the buffer, drops those before them and reads more.
  ///
  /// - Returns: the number of new bytes after the tail; 0 at the end.
  func fill(keeping tail: Int) throws -> Int
}
