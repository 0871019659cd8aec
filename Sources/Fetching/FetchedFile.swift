package import SystemPackage

/// A file that was fetched, or taken from the cache.
package struct FetchedFile: Hashable, Sendable {
  /// The origin of a file's content.
  package enum Origin: String, CaseIterable, Hashable, Sendable {
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
  package let path: FilePath

  package let etag: String?
  package let lastModified: String?

  /// The digest of the body, 64 hexadecimal digits.
  package let sha256: String

  package let bytes: Int64
  package let origin: Origin

  /// The time at which the server last confirmed the content, in seconds since 1970; 0 if unknown.
  package let checked: Int64

  /// The reason why the last good copy was used.
  package var failure: FetchError?

  package init(
    uri: String, path: FilePath, etag: String?, lastModified: String?, sha256: String,
    bytes: Int64, origin: Origin, checked: Int64
  ) {
    self.uri = uri
    self.path = path
    self.etag = etag
    self.lastModified = lastModified
    self.sha256 = sha256
    self.bytes = bytes
    self.origin = origin
    self.checked = checked
  }

  init(_ entry: CacheEntry, path: FilePath, origin: Origin, failure: FetchError? = nil) {
    uri = entry.uri
    self.path = path
    etag = entry.etag
    lastModified = entry.lastModified
    sha256 = entry.sha256
    bytes = entry.bytes
    self.origin = origin
    checked = entry.checked
    self.failure = failure
  }

  /// A sentence for the report if the last good copy is used.
  package var note: String? {
    failure.map { "\($0) The last good copy is used (onFetchError: last-good)." }
  }
}
