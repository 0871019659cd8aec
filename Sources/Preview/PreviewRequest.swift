import Foundation

/// A browser's request to the preview.
package struct PreviewRequest: Hashable, Sendable {
  package var method: String

  /// The target in the request's first line: a path, optionally with a query.
  package var target: String

  /// The header `Host`, `nil` if it is missing.
  package var host: String?

  /// The header `User-Agent`, `nil` if it is missing.
  package var agent: String?

  /// The header `Origin`: the page that asks; `nil` if it is missing.
  package var origin: String?

  /// The page's token, `nil` if it is missing. A foreign page cannot know it, nor send this field
  /// without a question that is refused.
  package var token: String?

  /// The name of the token's field in lower case.
  static let tokenField = "x-quadrille-token"

  /// The body of a `POST`.
  package var body: [UInt8] = []

  package init(method: String = "GET", target: String, host: String?) {
    self.method = method
    self.target = target
    self.host = host
  }

  /// The components of the path; `nil` for a path that cannot exist in the preview.
  ///
  /// No name of the preview needs an escape, so one with `%` is invalid, as are `..`, an empty name
  /// and a backslash.
  package var names: [String]? {
    guard target.utf8.count <= Self.maxBytes else { return nil }
    let path = target.prefix { $0 != "?" && $0 != "#" }
    guard path.first == "/" else { return nil }
    if path == "/" { return [] }
    let names = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard names.count <= 8, names.allSatisfy(Self.isName) else { return nil }
    return names.map { String($0) }
  }

  /// The value of a key of the query, decoded; `nil` if it is missing or malformed.
  package func query(_ key: String) -> String? {
    guard target.utf8.count <= Self.maxBytes,
      let start = target.firstIndex(of: "?")
    else { return nil }
    for pair in target[target.index(after: start)...].split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0] == key else { continue }
      return parts[1].replacing("+", with: " ").removingPercentEncoding
    }
    return nil
  }

  private static let maxBytes = 1024

  private static func isName(_ name: Substring) -> Bool {
    guard !name.isEmpty, name.first != "." else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "@"):
        true
      default: false
      }
    }
  }
}

/// The response to a request.
package struct PreviewAnswer: Hashable, Sendable {
  package var status: Int
  package var content: PreviewContent

  /// Whether pages from elsewhere may load and read it, such as the ones into which a snippet was
  /// copied. So may foreign websites that guess the address, so only tiles are shared.
  var isShared = false

  /// The header fields in addition to the content's own, in a fixed order.
  package var headers: [(name: String, value: String)] {
    var headers = [
      // Archives are replaced while a page is open.
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("Cross-Origin-Resource-Policy", isShared ? "cross-origin" : "same-origin"),
      ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
    ]
    if isShared { headers.append(("Access-Control-Allow-Origin", "*")) }
    if status == 503 { headers.append(("Retry-After", "1")) }
    if status == 405 { headers.append(("Allow", "GET, HEAD")) }
    return headers
  }

  /// The answer to a client that has to ask again.
  static let busy = PreviewAnswer(status: 503, BusyPreview.sentence)

  package init(_ content: PreviewContent) {
    status = 200
    self.content = content
  }

  /// Creates an error response of one sentence.
  package init(status: Int, _ sentence: String) {
    self.status = status
    content = PreviewContent(.text, Array("\(sentence)\n".utf8))
  }
}
