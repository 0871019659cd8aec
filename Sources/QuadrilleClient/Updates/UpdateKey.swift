public import Foundation

/// A public key by which lists of updates are signed (Ed25519).
public struct UpdateKey: Hashable, Sendable {
  /// The 32 raw bytes.
  let bytes: [UInt8]

  /// Creates a key from its raw bytes; `nil` unless there are 32.
  public init?(rawValue: Data) {
    guard rawValue.count == Ed25519.keyBytes else { return nil }
    bytes = Array(rawValue)
  }

  /// Creates a key from its raw bytes in base64, as `quadrille keys new` prints them.
  public init?(base64: String) {
    guard let data = Data(base64Encoded: base64) else { return nil }
    self.init(rawValue: data)
  }

  /// The raw bytes in base64.
  public var base64: String { Data(bytes).base64EncodedString() }

  /// The name by which lists refer to the key: the first 8 bytes of its SHA-256 in hexadecimal
  /// digits.
  public var id: String { Hexadecimal.text(SHA256Hash.digest(of: bytes).prefix(8)) }
}
