/// An address whose descriptions redact its key and password.
package struct RedactedURL: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible,
  CustomReflectable
{
  /// The address with `{key}` in place of the key.
  package let description: String

  private let address: String

  package init(_ address: String, secret: SeriesSecret? = nil) {
    self.address = address
    let shown = Self.withoutUser(address)
    description = secret.map { $0.hidden(in: shown) } ?? shown
  }

  /// Returns the address with `…` for a name and password before the host (RFC 3986, section
  /// 3.2.1).
  private static func withoutUser(_ address: String) -> String {
    let bytes = Array(address.utf8)
    let slashes = Array("://".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: slashes) }) else {
      return address
    }
    let host = start + slashes.count
    let ends = Array("/?#".utf8)
    let end = bytes[host...].firstIndex(where: ends.contains) ?? bytes.count
    guard let at = bytes[host..<end].lastIndex(of: UInt8(ascii: "@")) else { return address }
    return String(decoding: bytes[..<host], as: UTF8.self) + "…"
      + String(decoding: bytes[at...], as: UTF8.self)
  }

  /// Returns the address for fetching; for that purpose only.
  package func revealed() -> String { address }

  package var debugDescription: String { description }

  /// A mirror of the description alone, so that `dump` does not show the address either.
  package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
