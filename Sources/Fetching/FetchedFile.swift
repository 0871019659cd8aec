package import SystemPackage

/// A file that was fetched, or taken from the cache.
package struct FetchedFile: Hashable, Sendable {
  /// How the file came to be what it is.
  package enum Origin: String, CaseIterable, Hashable, Sendable {
    /// The server sent it in this run.
    case network
    /// The server said in this run that the copy is current.
    case revalidated
    /// The copy was used without asking.
    case cache
    /// Fetching failed, and the policy allows the last copy.
    case lastGood = "last-good"
  }

  /// The address without secrets.
  package let uri: String

  /// The body; content-addressed, so nothing changes it while it is read.
  package let path: FilePath

  package let etag: String?
  package let lastModified: String?

  /// 64 hexadecimal digits.
  package let sha256: String

  package let bytes: Int64
  package let origin: Origin

  /// When the server last confirmed the content; seconds since 1970, 0 if not known.
  package let checked: Int64

  /// Why the last good copy had to serve.
  package var failure: FetchError?

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

  /// A sentence for the report when the last good copy serves.
  package var note: String? {
    failure.map { "\($0) The last good copy is used (onFetchError: last-good)." }
  }
}
