/// A writer of the features of a result in one form, in the order in which they arrive.
protocol FeatureWriter: AnyObject {
  /// Writes the view's row.
  func write(_ view: RecordView) throws

  /// Writes the text after the last feature.
  func end() throws
}

/// A buffer of output bytes, written in pieces of some ten kilobytes.
final class OutputBuffer {
  /// The size in bytes from which the buffer is flushed; larger ones are not measurably faster.
  private static let flushSize = 64 << 10

  var bytes: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void

  /// - Parameter sink: receives the bytes piece by piece.
  init(_ sink: @escaping ([UInt8]) throws -> Void) {
    self.sink = sink
  }

  /// Writes the bytes if there are many.
  func flushIfLarge() throws {
    if bytes.count >= Self.flushSize { try flush() }
  }

  /// Writes all bytes.
  func flush() throws {
    guard !bytes.isEmpty else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
