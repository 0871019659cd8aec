extension PreviewAnswer {
  private static let phrases = [
    200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 409: "Conflict", 413: "Content Too Large", 414: "URI Too Long",
    421: "Misdirected Request", 422: "Unprocessable Content",
    431: "Request Header Fields Too Large", 500: "Internal Server Error",
    503: "Service Unavailable", 505: "HTTP Version Not Supported",
  ]

  /// Returns the bytes of the response.
  ///
  /// - Parameters:
  ///   - isHead: whether the request was `HEAD`: the length is that of `GET`, but no body follows
  ///     (RFC 9110, section 9.3.2).
  ///   - isLast: whether the connection is closed afterwards.
  func encoded(isHead: Bool, isLast: Bool) -> [UInt8] {
    var fields = [("Content-Type", content.kind.rawValue)] + headers
    fields.append(("Content-Length", "\(content.bytes.count)"))
    if isLast { fields.append(("Connection", "close")) }
    let lines = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
    let head = "HTTP/1.1 \(status) \(Self.phrases[status] ?? "")\r\n\(lines)\r\n"
    return Array(head.utf8) + (isHead ? [] : content.bytes)
  }
}
