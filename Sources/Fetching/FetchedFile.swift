import SystemPackage

/// A file that was fetched, or taken from the cache.
package struct FetchedFile: Codable, Hashable, Sendable {
  /// The origin of a file's content.
  package enum Origin: String, CaseIterable, Codable, Hashable, Sendable {
    /// The server sent it in this run.
    case network
    /// The server confirmed in this run that the copy is current.
    case revalidated
    /// The copy was used without revalidation.
    case cache
    /// Fetching failed, and the policy allows the last copy.
    case lastGood = "last-good"
  }

  /// The address without secrets.
  package let uri: String

  /// The path of the body; it is content-addressed, so it does not change while it is read.
  package var path: String

  package let etag: String?
  package let lastModified: String?

  /// The digest of the body, 64 hexadecimal digits.
  package let sha256: String

  package let bytes: Int64
  package var origin: Origin

  /// The address of the next page, as the head of the response gave it.
  package var next: String?

  /// The number of records that match the request, as the service says; `nil` where it does not, or
  /// where the body says it.
  package var matched: Int?

  /// The number of the page, from 2, of a file that continues the one before; `nil` for a file that
  /// begins an answer.
  package var page: Int?

  /// The reason why the last good copy was used.
  package private(set) var failure: FetchError?

  /// The reason is not stored: it belongs to the run that fetched the file.
  private enum CodingKeys: CodingKey {
    case uri, path, etag, lastModified, sha256, bytes, origin, matched, page
  }

  init(_ entry: CacheEntry, path: FilePath, origin: Origin, failure: FetchError? = nil) {
    uri = entry.uri
    self.path = path.string
    etag = entry.etag
    lastModified = entry.lastModified
    sha256 = entry.sha256
    bytes = entry.bytes
    (next, matched) = (entry.next, entry.matched)
    self.origin = origin
    self.failure = failure
  }

  /// The validator by which parts of the same content are requested; `nil` without one.
  var contentVersion: String? {
    AnswerHead.rangeValidator(etag: etag, lastModified: lastModified)
  }

  /// Returns the file if its content is one of those that a lock file allows; empty for any.
  ///
  /// - Throws: ``FetchError/Code/changed``.
  func required(_ locked: Set<String>) throws(FetchError) -> FetchedFile {
    guard locked.isEmpty || locked.contains(sha256) else {
      throw FetchError(
        .changed, uri: uri,
        "the content has the SHA-256 \(sha256), and the lock file says "
          + "\(locked.sorted().joined(separator: " or ")). Build without '--locked' to accept it.")
    }
    return self
  }

  /// A sentence for the report if the last good copy is used.
  package var note: String? {
    failure.map { "\($0) The last good copy is used (onFetchError: last-good)." }
  }
}
