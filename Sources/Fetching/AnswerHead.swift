/// The status and the headers of a response.
package struct AnswerHead: Hashable, Sendable {
  package let status: Int

  /// The headers by lower-case name.
  package let headers: [String: String]

  /// Whether the body is the file, whole or the rest of it; otherwise the response is a redirect,
  /// "not modified", or an error.
  package var hasFile: Bool { status == 200 || status == 203 || status == 206 }

  /// The entity tag as it was sent, with its quotes and its `W/`.
  package var etag: String? { headers["etag"] }

  package var lastModified: String? { headers["last-modified"] }

  /// The content codings of the body in lower case, in the order in which they were applied.
  package var codings: [String] {
    (headers["content-encoding"] ?? "").lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }
      .map(String.init).filter { $0 != "identity" }
  }

  /// Whether the body is compressed; lengths and ranges then refer to the compressed bytes.
  package var isEncoded: Bool { !codings.isEmpty }

  /// The expected length of the body in bytes, if the server sent it and the body is not encoded.
  package var length: Int64? {
    guard !isEncoded, headers["transfer-encoding"] == nil else { return nil }
    return headers["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }

  /// The first byte and the total length from `Content-Range: bytes 10-99/100`.
  package var range: (start: Int64, end: Int64, total: Int64)? {
    guard let text = headers["content-range"], text.hasPrefix("bytes ") else { return nil }
    let parts = text.dropFirst(6).split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "/" }
    let numbers = parts.compactMap { Int64($0) }
    guard parts.count == 3, numbers.count == 3, numbers[0] >= 0, numbers[0] <= numbers[1],
      numbers[1] < numbers[2]
    else { return nil }
    return (numbers[0], numbers[1], numbers[2])
  }

  /// The target of a redirect.
  package var redirection: String? {
    [301, 302, 303, 307, 308].contains(status) ? headers["location"] : nil
  }

  /// The value for `If-Range`: a strong tag, otherwise a date (RFC 9110, section 13.1.5).
  package var rangeValidator: String? {
    Self.rangeValidator(etag: etag, lastModified: lastModified)
  }

  /// Returns the value for `If-Range` of these validators.
  static func rangeValidator(etag: String?, lastModified: String?) -> String? {
    if let etag, !etag.hasPrefix("W/") { return etag }
    return lastModified
  }
}
