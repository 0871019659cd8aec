/// A permanent name of a feature: its source, the layer inside that source, and the feature itself.
///
/// The text form is the three parts in base64url without padding (RFC 4648, section 5), joined by
/// dots, so that any bytes fit into a url or a shell word.
package struct FeatureKey: Hashable, Sendable {
  /// The source's id in the pipeline file.
  package var source: String
  /// The table or layer of the source; empty for formats with only one.
  package var layer: String
  /// The feature's own identifier: see ``FeatureIdentifiers``.
  package var feature: String

  package init(source: String, layer: String, feature: String) {
    self.source = source
    self.layer = layer
    self.feature = feature
  }
}

extension FeatureKey {
  /// Encodes one part of the text form.
  package static func encode(_ part: String) -> String { Base64URL.encode(part.utf8) }

  /// Appends one part of the text form.
  package static func append(_ part: String, to text: inout [UInt8]) {
    Base64URL.append(part.utf8, to: &text)
  }
}

extension FeatureKey: CustomStringConvertible {
  /// The text form, `Base64URL.Base64URL.Base64URL`.
  package var description: String {
    [source, layer, feature].map { Base64URL.encode($0.utf8) }.joined(separator: ".")
  }

  /// Parses the text form; `nil` unless it is exactly what ``description`` gives.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      .compactMap { Base64URL.decode($0.utf8) }
      .compactMap { String(validating: $0, as: UTF8.self) }
    guard parts.count == 3 else { return nil }
    self.init(source: parts[0], layer: parts[1], feature: parts[2])
    guard description == String(text) else { return nil }
  }
}

/// Encoding of bytes as letters, digits, `-` and `_`, without padding (RFC 4648, section 5).
private enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        text.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
  }

  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
