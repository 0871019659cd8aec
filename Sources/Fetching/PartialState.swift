import Foundation

/// The durable part of an unfinished body, and how to request the rest.
struct PartialState: Hashable, Sendable, Codable {
  /// The value for `If-Range`.
  var validator: String

  /// The number of durable bytes; the file may be longer after a crash, and is truncated to this.
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
