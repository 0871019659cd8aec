import Files

/// Some bytes of a file on a server.
package struct FilePart: Hashable, Sendable {
  /// The offsets of the bytes; the last ones may lie beyond the end of the file.
  package var bytes: Range<Int64>

  /// The validator of the file as its first part had it, a strong entity tag or a date; `nil` for
  /// whatever the server has now.
  package var version: String?

  package init(_ bytes: Range<Int64>, version: String? = nil) {
    self.bytes = bytes
    self.version = version
  }

  /// The header by which a server refuses another version (RFC 9110, sections 13.1.1 and 13.1.4).
  var condition: (name: String, value: String)? {
    version.map { ($0.hasPrefix("\"") ? "If-Match" : "If-Unmodified-Since", $0) }
  }
}

/// A file on a server: its location, its expected content, and the secrets in these.
package struct RemoteResource: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The address as it may be shown, stored and compared.
  package let uri: String

  /// The expected kind of the body.
  package let kind: ContentKind

  /// The secrets that must not be shown.
  package let secrets: SecretValues

  let address: RemoteAddress

  /// The headers by name, sent only to the resource's own origin.
  let headers: [String: String]

  /// The bytes that are requested; `nil` for the whole file.
  private(set) var part: FilePart?

  /// Creates a resource from a valid address.
  ///
  /// - Parameters:
  ///   - address: http or https; illegal characters are percent-encoded, escapes are kept.
  ///   - secrets: the values that come from variables.
  ///   - headers: headers that are sent only to the address's own origin, never to the target of a
  ///     redirect.
  package init(
    _ address: String, kind: ContentKind, secrets: SecretValues = SecretValues(),
    headers: [String: String] = [:]
  ) throws(FetchError) {
    guard let parsed = RemoteAddress(address) else {
      throw FetchError(
        .badAddress, uri: Self.withoutUser(secrets.redact(address)),
        "this is no address that can be fetched. Write 'http://' or 'https://', a host in plain "
          + "letters, and a path.")
    }
    let isSendable = headers.allSatisfy { name, value in
      !name.isEmpty && name.utf8.allSatisfy(PercentEncoding.isUnreserved)
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    let uri = parsed.shown(without: secrets)
    guard isSendable else {
      throw FetchError(
        .badAddress, uri: uri, "a header has a character that headers cannot hold.")
    }
    var headers = headers
    if let authorization = parsed.authorization { headers["Authorization"] = authorization }
    self.uri = uri
    self.kind = kind
    self.secrets = secrets
    self.headers = headers
    self.address = parsed
  }

  /// Creates the resource of another address that may receive the same secrets.
  init(_ other: RemoteResource, at address: RemoteAddress) {
    uri = address.shown(without: other.secrets)
    (kind, secrets, headers) = (other.kind, other.secrets, other.headers)
    self.address = address
  }

  /// Returns the resource of some bytes of the file.
  package func part(_ part: FilePart) -> RemoteResource {
    let name = "\(part.bytes.lowerBound)-\(part.bytes.upperBound - 1)"
    var resource = RemoteResource(self, uri: "\(uri)#bytes=\(name)", kind: .part)
    resource.part = part
    return resource
  }

  /// Returns the resource of a file that is made of parts of this one, as the cache names it.
  func selection(_ words: String) -> RemoteResource {
    RemoteResource(self, uri: "\(uri)#\(words)", kind: .part)
  }

  private init(_ other: RemoteResource, uri: String, kind: ContentKind) {
    (self.uri, self.kind) = (uri, kind)
    (address, secrets, headers) = (other.address, other.secrets, other.headers)
  }

  /// The redacted address, never the address itself.
  package var description: String { uri }

  package var customMirror: Mirror { Mirror(self, children: ["uri": uri]) }

  /// Returns an invalid address, with what may be a password redacted.
  private static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    return SecretValues.mask + text[at...]
  }
}
