/// Bytes that arrive in pieces, in order, through one reused buffer.
package protocol JSONSource: AnyObject {
  /// The valid bytes; at least eight readable bytes of which the first belongs to no number follow
  /// them. Pointers into it die with the next fill.
  var buffer: UnsafeRawBufferPointer { get }

  /// Keeps the last `tail` bytes of the buffer, drops those before and reads on.
  ///
  /// - Returns: the number of new bytes behind the tail; 0 at the end.
  func fill(keeping tail: Int) throws -> Int
}
