/// The status and the headers of an answer.
package struct AnswerHead: Hashable, Sendable {
  package let status: Int

  /// By name in small letters.
  package let headers: [String: String]

  /// Whether the body is the file, whole or its rest; otherwise the answer is a redirection, "not
  /// modified", or an error.
  package var hasFile: Bool { status == 200 || status == 203 || status == 206 }

  /// The entity tag as it was sent, with its quotes and its `W/`.
  package var etag: String? { headers["etag"] }

  package var lastModified: String? { headers["last-modified"] }

  /// How the body is packed, in small letters, in the order in which that was done.
  package var codings: [String] {
    (headers["content-encoding"] ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
      .map(String.init).filter { $0 != "identity" }
  }

  /// Whether the body comes packed; then lengths and ranges mean the packed bytes.
  package var isEncoded: Bool { !codings.isEmpty }

  /// The bytes that the body should have, if the server said so and the body comes as it is.
  package var length: Int64? {
    guard !isEncoded, headers["transfer-encoding"] == nil else { return nil }
    return headers["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// First byte and length of the whole from `Content-Range: bytes 10-99/100`.
  package var range: (start: Int64, end: Int64, total: Int64)? {
    guard let text = headers["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    let numbers = parts.compactMap { Int64($0) }
    guard parts.count == 3, numbers.count == 3, numbers[0] >= 0, numbers[0] <= numbers[1],
      numbers[1] < numbers[2]
    else { return nil }
    return (numbers[0], numbers[1], numbers[2])
  }

  /// Where a redirection leads.
  package var redirection: String? {
    [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
  }

  /// What may be sent as `If-Range`: a strong tag, else a date (RFC 9110, section 13.1.5).
  package var rangeValidator: String? {
    if let etag, !etag.hasPrefix("W/") { return etag }
    return lastModified
  }
}
