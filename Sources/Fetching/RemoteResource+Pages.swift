import Files

extension RemoteResource {
  /// Returns the resource of another page of the same answer, which has the same headers.
  ///
  /// A service behind a proxy may name itself by `http`; the page is fetched by `https` if the
  /// resource is.
  ///
  /// - Returns: `nil` if the link leads to another host, or is not an address.
  package func page(at link: String) -> RemoteResource? {
    guard var next = address.redirected(to: link) else { return nil }
    if next.sharesSecrets(with: address), next.origin != address.origin,
      let secure = RemoteAddress("https://" + next.host + next.target)
    {
      next = secure
    }
    return address.sharesSecrets(with: next) ? RemoteResource(self, at: next) : nil
  }

  /// The last part of the path.
  package var fileName: String { String(path.split(separator: "/").last ?? "") }

  private var path: Substring { address.target.prefix { $0 != "?" } }

  /// The parameters of the query as they are written, `name=value`.
  private var parameters: [Substring] {
    address.target.dropFirst(path.count + 1).split(separator: "&")
  }

  /// Whether the address has a query.
  package var hasQuery: Bool { !parameters.isEmpty }

  /// Returns the value of a parameter of the query, as it is written.
  ///
  /// - Parameter name: in lower case; the address may have it in any case.
  package func parameter(_ name: String) -> Substring? {
    parameters.first { Self.name(of: $0) == name }.map { pair in
      pair.firstIndex(of: "=").map { pair[pair.index(after: $0)...] } ?? ""
    }
  }

  /// Returns the name of the first parameter whose name has one of some words in it, in lower case.
  package func parameterName(with words: [String]) -> String? {
    parameters.lazy.map(Self.name).first { name in words.contains(where: name.contains) }
  }

  /// Returns the resource with another value of a parameter, which keeps the spelling of its name.
  package func setting(_ name: String, to value: String) -> RemoteResource? {
    func isReplaced(_ pair: Substring) -> Bool { Self.name(of: pair) == name.lowercased() }
    let spelled = parameters.first(where: isReplaced)?.prefix { $0 != "=" } ?? name[...]
    let text = PercentEncoding.encoded(value, keeping: PercentEncoding.isUnreserved)
    let query = parameters.filter { !isReplaced($0) }.map(String.init) + ["\(spelled)=\(text)"]
    return page(at: path + "?" + query.joined(separator: "&"))
  }

  private static func name(of parameter: Substring) -> String {
    parameter.prefix { $0 != "=" }.lowercased()
  }
}
