/// A file on a server: where it is, what it should hold, and what of that is secret.
package struct RemoteResource: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The address as it may be shown, stored and compared.
  package let uri: String

  /// What the body should be.
  package let kind: ContentKind

  /// What must not be shown.
  package let secrets: SecretValues

  let address: RemoteAddress

  /// Headers that only the resource's own origin gets, by name.
  let headers: [String: String]

  /// Checks an address.
  ///
  /// - Parameters:
  ///   - address: http or https; what is not legal in it gets percent-encoded, escapes stay.
  ///   - secrets: the values that came in through variables.
  ///   - headers: sent to the address's own origin only, never to where it redirects.
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

  /// Never the address itself.
  package var description: String { uri }

  package var customMirror: Mirror { Mirror(self, children: ["uri": uri]) }

  /// An address that does not parse, with what may be a password blotted out.
  private static func withoutUser(_ text: String) -> String {
    guard let at = text.lastIndex(of: "@") else { return text }
    return SecretValues.mask + text[at...]
  }
}
