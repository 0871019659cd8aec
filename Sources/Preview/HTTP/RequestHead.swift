/// The head of a request: its first line and those of its fields that matter (RFC 9112, sections 3
/// and 5).
package struct RequestHead: Hashable {
  package private(set) var request: PreviewRequest

  /// Whether no further request is read from the connection: the client wants it closed, or sends a
  /// body.
  package private(set) var isLast: Bool

  /// The bytes of the body; `nil` where the length is not told, as none or in another way.
  package private(set) var bodyLength: Int?

  /// Maximum bytes of a body that is read.
  package static let maxBody = 64 << 10

  /// Parses lines without their ends.
  ///
  /// - Throws: ``RequestRefusal`` for whatever RFC 9112 has a server refuse.
  init(_ lines: [ArraySlice<UInt8>]) throws(RequestRefusal) {
    let words = lines.first?.split(separator: 0x20, omittingEmptySubsequences: false) ?? []
    guard words.count == 3, words[0].isToken, words[1].isVisible,
      words[2].starts(with: "HTTP/".utf8)
    else { throw .malformed }
    let version = String(decoding: words[2].dropFirst(5), as: UTF8.self)
    guard version == "1.1" || version == "1.0" else { throw .version }
    request = PreviewRequest(
      method: String(decoding: words[0], as: UTF8.self),
      target: String(decoding: words[1], as: UTF8.self), host: nil)
    isLast = version == "1.0"
    for line in lines.dropFirst() { try add(line) }
    if version == "1.1", request.host == nil { throw .host }
  }

  private mutating func add(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line[..<colon].isToken,
      line[colon...].allSatisfy({ $0 == 0x09 || $0 >= 0x20 && $0 != 0x7F })
    else { throw .malformed }
    let value = String(decoding: line[(colon + 1)...], as: UTF8.self).trimmed
    switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
    case "host":
      guard request.host == nil else { throw .host }
      request.host = value
    case "user-agent": request.agent = value
    case "origin": request.origin = value
    case PreviewRequest.tokenField: request.token = value
    case "connection":
      let options = value.lowercased().split(separator: ",").map { String($0).trimmed }
      if options.contains("close") { isLast = true }
    case "content-length" where value == "0": break
    case "content-length":
      guard bodyLength == nil, let length = Int(value), length > 0, !value.hasPrefix("+") else {
        throw .malformed
      }
      bodyLength = length
      isLast = true
    case "transfer-encoding": isLast = true
    default: break
    }
  }
}

/// Why a request is not answered by the router; its connection is closed afterwards.
package struct RequestRefusal: Error, Hashable {
  let status: Int
  let sentence: String

  static let malformed = RequestRefusal(status: 400, sentence: "This is no request of HTTP/1.1.")
  static let host = RequestRefusal(status: 400, sentence: "A request has one header 'Host'.")
  static let slow = RequestRefusal(status: 408, sentence: "The request took too long to arrive.")
  static let longLine = RequestRefusal(
    status: 414, sentence: "The request's first line is longer than 8 kB.")
  static let longHead = RequestRefusal(
    status: 431, sentence: "The request's head is longer than 32 kB, or a line of it than 8 kB.")
  static let longBody = RequestRefusal(
    status: 413, sentence: "The request's body is longer than 64 kB.")
  static let version = RequestRefusal(status: 505, sentence: "Only HTTP/1.1 is answered.")

  var answer: PreviewAnswer { PreviewAnswer(status: status, sentence) }
}

extension ArraySlice<UInt8> {
  /// Whether the bytes are a method or a field's name (RFC 9110, section 5.6.2).
  fileprivate var isToken: Bool {
    !isEmpty
      && allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains($0)
        }
      }
  }

  /// Whether the bytes are a target: neither empty nor with spaces or control characters.
  fileprivate var isVisible: Bool { !isEmpty && allSatisfy { $0 > 0x20 && $0 != 0x7F } }
}

extension String {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }
}
