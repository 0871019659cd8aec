/// The reason why one attempt failed, before it is decided whether there will be another.
package struct TransferFailure: Error, Hashable, Sendable {
  let code: FetchError.Code

  /// The sentence without the address and without a remedy.
  let message: String

  /// The status of the response, if that is the failure.
  var status: Int?

  /// Whether another attempt may help.
  var isTransient = false

  /// The delay that the server requests before a retry.
  var retryAfter: Duration?

  /// Whether the received part of the body must not be continued: another attempt starts at its
  /// first byte, immediately.
  var needsRestart = false

  init(
    _ code: FetchError.Code, _ message: String, status: Int? = nil, isTransient: Bool = false,
    retryAfter: Duration? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.isTransient = isTransient
    self.retryAfter = retryAfter
  }

  /// Returns the failure for a partial body that the server does not continue.
  static func restart(_ message: String) -> TransferFailure {
    var failure = TransferFailure(.connection, message)
    failure.needsRestart = true
    return failure
  }

  static let cancelled = TransferFailure(.cancelled, "the run was ended.")

  static let changed = TransferFailure(
    .changed, "the file was changed on its server while it was read. Run again.")

  static let noAnswer = TransferFailure(
    .connection, "the connection ended without an answer", isTransient: true)

  static let noHTTP = TransferFailure(.connection, "the answer is no HTTP", isTransient: true)

  static let badCoding = TransferFailure(
    .wrongContent, "the answer is packed in a way that cannot be unpacked")

  /// Returns the failure for a compressed body that ends before its stream does.
  ///
  /// - Parameter bytes: the number of decompressed bytes.
  static func cut(after bytes: Int64) -> TransferFailure {
    TransferFailure(
      .connection, "the packed answer ends in its middle, after \(bytes) bytes unpacked",
      isTransient: true)
  }

  /// Not a failure: the rest of the body is not wanted.
  static let enough = TransferFailure(.connection, "the rest of the answer is not wanted")
}
