import Files
import Platform
package import SystemPackage

/// The parts of one version of a remote file that have been fetched.
///
/// Not thread-safe.
package final class RemoteParts {
  private let fetcher: Fetcher
  private let resource: RemoteResource

  /// The validator of the version.
  let version: String

  /// The first part, which tells the version.
  let first: FetchedFile

  /// The parts by their first byte, ascending.
  private var parts: [(bytes: Range<Int64>, resource: RemoteResource, file: FetchedFile)] = []

  /// The number of requests, of parts in the cache, too.
  package var requests: Int { parts.count }

  /// The number of fetched bytes.
  package var bytes: Int64 { parts.reduce(0) { $0 + $1.file.bytes } }

  /// Fetches the first bytes of a file.
  ///
  /// - Throws: ``FetchError``; also if the server gives nothing by which a change would be noticed.
  init(
    of resource: RemoteResource, byteCount: Int64, _ fetcher: Fetcher
  ) throws(FetchError) {
    (self.resource, self.fetcher) = (resource, fetcher)
    let opening = resource.part(FilePart(0..<byteCount))
    first = try fetcher.fetch(opening)
    guard let version = first.contentVersion else {
      throw FetchError(
        .wrongContent, uri: resource.uri,
        "the server gives the file neither an 'ETag' nor a date, so a change would go unnoticed "
          + "while parts are read. Download the file, and name it.")
    }
    self.version = version
    parts = [(0..<first.bytes, opening, first)]
  }

  /// Fetches further parts, several at a time.
  ///
  /// - Throws: ``FetchError``; with `changed` if the server has another version now.
  package func fetch(_ ranges: [Range<Int64>]) throws(FetchError) {
    let resources = ranges.map { resource.part(FilePart($0, version: version)) }
    let files = try fetcher.fetch(resources)
    for ((range, resource), file) in zip(zip(ranges, resources), files) {
      parts.append((range.lowerBound..<range.lowerBound + file.bytes, resource, file))
    }
    parts.sort { $0.bytes.lowerBound < $1.bytes.lowerBound }
  }

  /// Whether bytes have been fetched.
  package func has(_ range: Range<Int64>) -> Bool { part(with: range) != nil }

  /// Returns bytes that have been fetched; `nil` for others.
  ///
  /// - Complexity: O(log parts + bytes).
  package func bytes(_ range: Range<Int64>) throws -> [UInt8]? {
    guard let part = part(with: range) else { return nil }
    let file = try FileDescriptor.open(FilePath(part.file.path), .readOnly, options: [.closeOnExec])
    defer { try? file.close() }
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = try bytes.withUnsafeMutableBytes {
      try file.read(fromAbsoluteOffset: range.lowerBound - part.bytes.lowerBound, into: $0)
    }
    return count == bytes.count ? bytes : nil
  }

  /// Removes all parts but the first from the cache.
  func remove() throws(FetchError) {
    for part in parts where part.resource.part?.version != nil {
      try fetcher.cache.remove(part.resource, part.file)
    }
  }

  private func part(
    with range: Range<Int64>
  ) -> (bytes: Range<Int64>, resource: RemoteResource, file: FetchedFile)? {
    var (low, high) = (0, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].bytes.lowerBound <= range.lowerBound {
        low = middle + 1
      } else {
        high = middle
      }
    }
    // A part may lie in another one, such as the metadata in the first.
    return parts[..<low].last { $0.bytes.upperBound >= range.upperBound }
  }
}

extension Fetcher {
  /// Returns a file made of parts of a remote one, from the cache if its version is current there.
  /// A run that was stopped goes on with the parts that it has.
  ///
  /// - Parameters:
  ///   - words: what is selected, as cache and lock file name it: not a secret.
  ///   - byteCount: the number of first bytes that are fetched in any case.
  ///   - locked: the digests that a lock file allows, as in ``fetch(_:locked:)``.
  ///   - make: writes the file to a new path.
  /// - Throws: ``FetchError``, and what `make` throws. A server without ranges is an error with the
  ///   status 200.
  package func selection(
    _ words: String, of resource: RemoteResource, byteCount: Int64, locked: Set<String> = [],
    _ make: (RemoteParts, FilePath) throws -> Void
  ) throws -> FetchedFile {
    let selection = resource.selection(words)
    let files = try cache.files(of: selection)
    let lock = try CacheFile.lock(files.lock, uri: selection.uri, surroundings)
    defer { withExtendedLifetime(lock) {} }
    let known = cache.entry(files)
    if let pinned = pinned(selection, locked, entry: known) { return pinned }
    let parts = try RemoteParts(of: resource, byteCount: byteCount, self)
    if let known, known.contentVersion == parts.version, let path = copy(known) {
      return try FetchedFile(known, path: path, origin: parts.first.origin).required(locked)
    }
    unlink(files.partial.string)
    try make(parts, files.partial)
    guard let digest = try? FileDigest(of: files.partial) else {
      throw CacheFile.failure("read", files.partial, nil)
    }
    let path = try cache.store(files.partial, sha256: digest.sha256)
    let head = AnswerHead(status: 200, headers: [:])
    var entry = CacheEntry(
      selection, head, sha256: digest.sha256, bytes: digest.bytes, checked: surroundings.now())
    (entry.etag, entry.lastModified) = (parts.first.etag, parts.first.lastModified)
    try cache.store(entry, files)
    try parts.remove()
    return try FetchedFile(entry, path: path, origin: .network).required(locked)
  }
}
