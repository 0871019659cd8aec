import Definition
import Features
import Fetching
import Runs
import VectorTiles

// The functions that fetch what is only known when something else has been read.
extension InputStage {
  /// Returns the function that fetches frames when the series is listed, one by one: only then are
  /// they known.
  func frameFetch(for source: SourceDefinition) -> FrameFetch {
    let secrets = SecretValues(definition.redactions.values)
    let headers = source.remote.headers
    let fetcher = lateFetcher(for: source)
    return FrameFetch { [cancellation] address, kind in
      do {
        return try fetcher().fetch(
          RemoteResource(address, kind: kind, secrets: secrets, headers: headers))
      } catch {
        try cancellation.check()
        throw error
      }
    }
  }

  /// Returns the function that fetches the tiles of templates, once it is known which are drawn.
  func tileFetch(for source: SourceDefinition) -> TileFetch {
    let secrets = SecretValues(definition.redactions.values)
    let headers = source.remote.headers
    let fetcher = lateFetcher(for: source, limit: Int64(VectorTileLimits().bytes))
    let (definition, options) = (definition, options)
    let known = Once<LockFile?>()
    return TileFetch(limit: source.remote.maximumRequests) {
      [cancellation] addresses, isTolerated in
      let lock = try known.value { try Self.lock(of: definition, options) }
      let digests: @Sendable (String) -> Set<String> = { uri in lock?.digests(of: uri) ?? [] }
      let resources = try addresses.map {
        try RemoteResource($0, kind: .tile, secrets: secrets, headers: headers)
      }
      // A tile that the lock file lacks did not exist when the lock was written.
      func isThere(_ resource: RemoteResource) -> Bool {
        lock == nil || !digests(resource.uri).isEmpty
      }
      let asked = resources.filter(isThere)
      var results: ArraySlice<Result<FetchedFile, FetchError>> = []
      if !asked.isEmpty {
        results = try fetcher().results(of: asked, locked: digests, isTolerated: isTolerated)[...]
        try cancellation.check()
      }
      return resources.map { isThere($0) ? results.popFirst() : nil }
    }
  }

  /// Returns a function that makes one fetcher for all its calls, since a fetcher holds the rate limit
  /// and the open connections; none without a URL.
  ///
  /// - Parameter limit: the maximum number of bytes of a file, besides that of the source.
  private func lateFetcher(
    for source: SourceDefinition, limit: Int64 = .max
  ) -> @Sendable () throws -> Fetcher {
    let fetcher = Once<Fetcher>()
    var narrowed = fetchOptions(for: source)
    narrowed.maximumBytes = min(narrowed.maximumBytes, limit)
    let (definition, options, fetching) = (definition, options, narrowed)
    return { [cancellation] in
      try fetcher.value {
        Fetcher(
          cache: try Self.cacheFolder(of: definition, options), fetching,
          FetchSurroundings(isCancelled: { cancellation.isCancelled }))
      }
    }
  }
}
