import Synchronization
import Workers

extension Fetcher {
  /// Fetches the files of many resources, in order, several at a time
  /// (``FetchOptions/connectionsPerHost`` limits those of one host, and at most eight run in all).
  ///
  /// - Throws: the error of the first resource in order that failed; later ones are then not
  ///   started.
  package func fetch(
    _ resources: [RemoteResource], locked: @escaping @Sendable (String) -> Set<String> = { _ in [] }
  ) throws(FetchError) -> [FetchedFile] {
    var files: [FetchedFile] = []
    for result in results(of: resources, locked: locked) { files.append(try result.get()) }
    return files
  }

  /// Fetches the files of many resources as ``fetch(_:locked:)`` does.
  ///
  /// - Parameter isTolerated: whether a failure does not end the fetching.
  /// - Returns: the results in the order of the resources, up to the first failure that is not
  ///   tolerated.
  package func results(
    of resources: [RemoteResource],
    locked: @escaping @Sendable (String) -> Set<String> = { _ in [] },
    isTolerated: @escaping @Sendable (FetchError) -> Bool = { _ in false }
  ) -> [Result<FetchedFile, FetchError>] {
    let board = Board(resources.count)
    let threads = min(resources.count, 8, max(1, options.connectionsPerHost) * 4)
    let workers = (0..<threads).map { _ in
      SideWork {
        while let index = board.take() {
          let resource = resources[index]
          do throws(FetchError) {
            board.put(.success(try self.fetch(resource, locked: locked(resource.uri))), at: index)
          } catch {
            board.put(.failure(error), at: index, isLast: !isTolerated(error))
          }
        }
      }
    }
    for worker in workers { _ = worker.wait() }
    return board.results()
  }

  /// The resources that are being fetched, and their results.
  private final class Board: Sendable {
    private struct State {
      var next = 0
      var hasFailed = false
      var results: [Result<FetchedFile, FetchError>?]
    }

    private let state: Mutex<State>

    init(_ count: Int) {
      state = Mutex(State(results: Array(repeating: nil, count: count)))
    }

    /// Returns the next resource; `nil` after a failure. All before a failed one have been returned
    /// before it.
    func take() -> Int? {
      state.withLock { state in
        guard !state.hasFailed, state.next < state.results.count else { return nil }
        defer { state.next += 1 }
        return state.next
      }
    }

    /// - Parameter isLast: whether it ends the fetching.
    func put(_ result: Result<FetchedFile, FetchError>, at index: Int, isLast: Bool = false) {
      state.withLock { state in
        state.results[index] = result
        if isLast { state.hasFailed = true }
      }
    }

    func results() -> [Result<FetchedFile, FetchError>] {
      state.withLock { $0.results.compactMap(\.self) }
    }
  }
}
