import Files
import Foundation

/// An absolute http or https address, validated and normalized.
///
/// A name and password before the host are extracted; they are sent as a header, never shown.
package struct RemoteAddress: Hashable, Sendable {
  /// The scheme, `http` or `https`.
  let scheme: String

  /// The host in lower case: a name, an IPv4 address or `[…]`.
  package let host: String

  /// The port if the address has one, 1 … 65535.
  let port: Int?

  /// The path and query, percent-encoded, starting with `/`.
  let target: String

  /// The bytes of `name:password`, if the address had them.
  let user: [UInt8]?

  /// Parses an address; `nil` unless it is http(s) with a host. The fragment is dropped.
  package init?(_ text: String) {
    guard let colon = text.firstRange(of: "://") else { return nil }
    scheme = text[..<colon.lowerBound].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = text[colon.upperBound...].prefix { $0 != "#" }
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    var authority = rest[..<end]
    if let at = authority.lastIndex(of: "@") {
      user = PercentEncoding.decoded(authority[..<at])
      authority = authority[authority.index(after: at)...]
    } else {
      user = nil
    }
    guard let (host, port) = Self.hostAndPort(authority) else { return nil }
    (self.host, self.port) = (host, port)
    let target = PercentEncoding.legalized(String(rest[end...]))
    self.target = target.hasPrefix("/") ? target : "/" + target
  }

  /// Splits `host:port`; a host may only contain characters that every client interprets alike.
  private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
    var host = authority
    var port: Int?
    let afterBracket = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBracket...].lastIndex(of: ":") {
      let digits = authority[authority.index(after: colon)...]
      host = authority[..<colon]
      if !digits.isEmpty {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
          let number = Int(digits), (1...65535).contains(number)
        else { return nil }
        port = number
      }
    }
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let name = isBracketed ? host.dropFirst().dropLast() : host
    let isLegal = name.utf8.allSatisfy { byte in
      isBracketed
        ? "0123456789abcdefABCDEF:.".utf8.contains(byte) : PercentEncoding.isUnreserved(byte)
    }
    guard !name.isEmpty, isLegal, host.utf8.count <= 255 else { return nil }
    return (host.lowercased(), port)
  }

  /// Scheme, host and port: a header with a secret is only forwarded if they are equal.
  var origin: String { "\(scheme)://\(host):\(port ?? (scheme == "https" ? 443 : 80))" }

  /// Whether it is on this machine, by its name.
  var isLoopback: Bool {
    host == "localhost" || host.hasSuffix(".localhost") || host == "[::1]"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
  }

  /// Whether a secret for this address may be sent to another one: to the same origin, or to the
  /// same host by https if both ports are the default ones.
  package func sharesSecrets(with other: RemoteAddress) -> Bool {
    other.origin == origin
      || origin == "http://\(host):80" && other.origin == "https://\(host):443"
  }

  /// The address as it is requested; it may contain secrets.
  var revealed: String { scheme + "://" + host + (port.map { ":\($0)" } ?? "") + target }

  /// Returns the address as it may be shown.
  func shown(without secrets: SecretValues) -> String {
    let mark = user == nil ? "" : SecretValues.mask + "@"
    return secrets.redact(
      scheme + "://" + mark + host + (port.map { ":\($0)" } ?? "") + target)
  }

  /// The value `Basic …` for the name and password (RFC 7617), if there are any.
  var authorization: String? {
    user.map { "Basic " + Data($0).base64EncodedString() }
  }

  /// Returns the address in a `Location`, relative to this one (RFC 9110, section 10.2.2).
  func redirected(to location: String) -> RemoteAddress? {
    guard location.utf8.count <= 8192 else { return nil }
    // A relative one may contain another address in its query.
    if location.prefix(while: { $0 != "/" && $0 != "?" && $0 != "#" }).hasSuffix(":"),
      location.contains("://")
    {
      return RemoteAddress(location)
    }
    if location.hasPrefix("//") { return RemoteAddress(scheme + ":" + location) }
    let base = scheme + "://" + host + (port.map { ":\($0)" } ?? "")
    let path = target.prefix { $0 != "?" }
    if location.hasPrefix("/") { return RemoteAddress(base + location) }
    if location.hasPrefix("?") { return RemoteAddress(base + path + location) }
    // `file:x` and `mailto:x` are addresses with other schemes, not relative paths.
    if location.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") { return nil }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return RemoteAddress(base + folder + location)
  }
}
