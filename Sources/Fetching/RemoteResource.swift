import Files

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

  /// The redacted address, never the address itself.
  package var description: String { uri }

  package var customMirror: Mirror { Mirror(self, children: ["uri": uri]) }

  /// Returns an invalid address, with what may be a password redacted.
  private static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    return SecretValues.mask + text[at...]
  }
}
