/// Writes the features of an answer in one form, in the order in which they come.
protocol FeatureWriter: AnyObject {
  /// Writes the view's row.
  func write(_ view: RecordView) throws

  /// Writes what stands behind the last feature.
  func end() throws
}

/// Bytes on their way out, in pieces of some ten kilobytes.
final class OutputBuffer {
  /// Fewer writes than this do not measure faster.
  private static let flushSize = 64 << 10

  var bytes: [UInt8] = []
  private let sink: ([UInt8]) throws -> Void

  /// - Parameter sink: takes the bytes piece by piece.
  init(_ sink: @escaping ([UInt8]) throws -> Void) {
    self.sink = sink
  }

  /// Hands the bytes on if there are many.
  func flushIfLarge() throws {
    if bytes.count >= Self.flushSize { try flush() }
  }

  /// Hands all bytes on.
  func flush() throws {
    guard !bytes.isEmpty else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
