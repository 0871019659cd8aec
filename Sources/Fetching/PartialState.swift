import Foundation

/// How much of a body that was not finished lies safely on the disk, and how to ask for the rest.
struct PartialState: Hashable, Sendable, Codable {
  /// What is sent as `If-Range`.
  var validator: String

  /// Bytes that are durable; the file may be longer after a crash, and is cut to this.
  var bytes: Int64

  init(validator: String, bytes: Int64) {
    self.validator = validator
    self.bytes = bytes
  }

  init?(json: [UInt8]) {
    guard let state = try? JSONDecoder().decode(PartialState.self, from: Data(json)),
      state.bytes > 0, !state.validator.isEmpty
    else { return nil }
    self = state
  }

  var json: String {
    JSONText.object([("validator", .string(validator)), ("bytes", .integer(bytes))]) + "\n"
  }
}
