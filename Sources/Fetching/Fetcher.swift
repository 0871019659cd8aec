package import SystemPackage

/// A fetcher of remote files through a cache, with a plain blocking interface.
///
/// - Note: Thread-safe, and several processes may share the folder.
package final class Fetcher: Sendable {
  package let options: FetchOptions
  let cache: FetchCache
  let surroundings: FetchSurroundings
  private let transport: HTTPTransport
  private let gate: HostGate

  package init(
    cache folder: FilePath, _ options: FetchOptions = FetchOptions(),
    _ surroundings: FetchSurroundings = FetchSurroundings()
  ) {
    self.options = options
    self.surroundings = surroundings
    cache = FetchCache(folder)
    transport = HTTPTransport()
    gate = HostGate(
      connectionsPerHost: options.connectionsPerHost, requestsPerSecond: options.requestsPerSecond)
  }

  /// Returns the file of a resource, from its server or from the cache.
  ///
  /// - Parameter locked: the digests that a lock file allows; empty for any. If there is exactly
  ///   one, and the cache has that body, the network is not used.
  /// - Throws: ``FetchError``; with `changed` if the content is not one of those allowed.
  package func fetch(
    _ resource: RemoteResource, locked: Set<String> = []
  ) throws(FetchError) -> FetchedFile {
    let files = try cache.files(of: resource)
    let lock = try CacheFile.lock(files.lock, uri: resource.uri, surroundings)
    defer { withExtendedLifetime(lock) {} }
    let known = cache.entry(files)
    let version = resource.part?.version
    let entry = version == nil || known?.contentVersion == version ? known : nil
    if let pinned = pinned(resource, locked, entry: entry) { return pinned }
    let file = try current(resource, files, entry: entry, copy: entry.flatMap(copy))
    return try file.required(locked)
  }

  /// Returns the file by the rules of freshness and of failure.
  private func current(
    _ resource: RemoteResource, _ files: FetchCache.Files, entry: CacheEntry?, copy: FilePath?
  ) throws(FetchError) -> FetchedFile {
    // The bytes of a version do not change.
    if let entry, let copy,
      options.offline || resource.part?.version != nil
        || entry.isFresh(options.maxAge, now: surroundings.now())
    {
      return FetchedFile(entry, path: copy, origin: .cache)
    }
    if let entry, let status = entry.absence,
      options.offline || entry.isFresh(options.maxAge, now: surroundings.now())
    {
      throw FetchError(
        .status, uri: resource.uri, "the server answered \(status) when it was last asked.",
        status: status)
    }
    guard !options.offline else {
      throw FetchError(
        .offline, uri: resource.uri,
        "this is not in the cache '\(cache.folder)'. Run once without '--offline'.")
    }
    do throws(FetchError) {
      let download = Download(
        resource: resource, options: options, surroundings: surroundings, transport: transport,
        gate: gate, cache: cache, files: files, entry: copy == nil ? nil : entry)
      switch try download.run() {
      case .body(let file): return file
      case .notModified(let head):
        guard var entry, let copy else { throw Self.contradiction(resource) }
        entry.checked = surroundings.now()
        entry.etag = CacheEntry.storable(head.etag, resource.secrets) ?? entry.etag
        try cache.store(entry, files)
        return FetchedFile(entry, path: copy, origin: .revalidated)
      }
    } catch {
      guard options.onError == .lastGood, error.allowsLastGood, let entry, let copy,
        isYoung(entry)
      else {
        // Of tiles most may be absent, and asking for them costs as much as for the others.
        if resource.kind == .tile, error.isAbsence, let status = error.status {
          let absence = CacheEntry(resource, absence: status, checked: surroundings.now())
          try cache.store(absence, files)
        }
        guard options.onError == .lastGood, let entry, copy != nil, error.allowsLastGood else {
          throw error
        }
        throw error.adding(
          "The last good copy was checked \(Self.words(surroundings.now() - entry.checked)) ago, "
            + "which is longer than 'onFetchError: {lastGood: …}' allows.")
      }
      return FetchedFile(entry, path: copy, origin: .lastGood, failure: error)
    }
  }

  /// Whether a copy is not too old to stand in for a file that cannot be fetched.
  private func isYoung(_ entry: CacheEntry) -> Bool {
    options.lastGoodAge == nil || entry.isFresh(options.lastGoodAge, now: surroundings.now())
  }

  /// Returns an age in the largest unit of which it is at least two.
  private static func words(_ seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86_400, "days"), (3600, "hours"), (60, "minutes")]
    let unit = units.first { seconds >= 2 * $0.0 } ?? (1, "seconds")
    return "\(seconds / unit.0) \(unit.1)"
  }

  /// Returns the body of an entry, if it is complete.
  func copy(_ entry: CacheEntry) -> FilePath? {
    guard entry.absence == nil, entry.next != "" else { return nil }
    return cache.body(entry.sha256).flatMap { $0.bytes == entry.bytes ? $0.path : nil }
  }

  /// Returns the single body that the lock file allows, if the cache has it.
  func pinned(
    _ resource: RemoteResource, _ locked: Set<String>, entry: CacheEntry?
  ) -> FetchedFile? {
    guard locked.count == 1, let sha256 = locked.first, let body = cache.body(sha256) else {
      return nil
    }
    let known = entry.flatMap { $0.sha256 == sha256 ? $0 : nil }
    if known?.next == "" { return nil }
    let none = AnswerHead(status: 200, headers: [:])
    let locked = CacheEntry(resource, none, sha256: sha256, bytes: body.bytes, checked: 0)
    return FetchedFile(known ?? locked, path: body.path, origin: .cache)
  }

  private static func contradiction(_ resource: RemoteResource) -> FetchError {
    FetchError(
      .status, uri: resource.uri,
      "the server says that a copy is current which we do not have. Check the address.")
  }
}
