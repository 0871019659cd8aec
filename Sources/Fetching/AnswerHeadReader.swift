/// A reader of the head of a response from its lines.
///
/// Interim responses (1xx) before it and the trailers of a chunked body after it are skipped.
package struct AnswerHeadReader {
  /// Maximum bytes of all heads of one response.
  package static let limit = 1 << 18

  private var status: Int?
  private var headers: [String: String] = [:]
  private var bytes = 0
  private var isComplete = false

  package init() {}

  /// Processes a line including its end.
  ///
  /// - Returns: the head, upon the empty line that ends it.
  /// - Throws: the violation, if the lines are not a valid head (RFC 9112, sections 4, 5 and 6.3).
  package mutating func take(_ line: UnsafeRawBufferPointer) throws(TransferFailure) -> AnswerHead?
  {
    guard !isComplete else { return nil }
    bytes += line.count
    guard bytes <= Self.limit else {
      throw TransferFailure(.connection, "the head of the answer does not end", isTransient: true)
    }
    let end = line.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? 0
    let text = String(decoding: line[..<end], as: UTF8.self)
    guard let status else {
      status = try Self.status(text)
      return nil
    }
    guard text.isEmpty else {
      try add(text)
      return nil
    }
    if (100...199).contains(status) {
      (self.status, headers) = (nil, [:])
      return nil
    }
    isComplete = true
    return AnswerHead(status: status, headers: headers)
  }

  /// Returns the number in a line such as `HTTP/1.1 200 OK`.
  private static func status(_ line: String) throws(TransferFailure) -> Int {
    let words = line.split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/"), words[1].utf8.count == 3,
      let status = Int(words[1]), (100...999).contains(status)
    else { throw .noHTTP }
    return status
  }

  /// Adds a header; repeated ones are joined to a list. A line without a name is skipped.
  private mutating func add(_ line: String) throws(TransferFailure) {
    guard let colon = line.firstIndex(of: ":"), let first = line.first, first != " ",
      first != "\t"
    else { return }
    let name = line[..<colon].lowercased()
    let value = line[line.index(after: colon)...].trimmed
    guard let before = headers[name] else {
      headers[name] = value
      return
    }
    if name == "content-length" {
      guard before == value else {
        throw TransferFailure(
          .connection, "the answer announces two different lengths", isTransient: true)
      }
      return
    }
    headers[name] = before + ", " + value
  }
}

extension Substring {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    guard let end = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...end])
  }
}
