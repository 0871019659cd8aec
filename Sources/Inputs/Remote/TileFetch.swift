import Definition
package import Fetching
import Runs
import Synchronization
import Tiling

/// A function that fetches the tiles of a template, in this run.
package struct TileFetch: Sendable {
  /// Maximum number of tiles of one zoom.
  let limit: Int

  /// A function that fetches addresses.
  ///
  /// - Parameter isTolerated: whether a failure does not end the fetching.
  /// - Returns: the results in the order of the addresses, `nil` for what is not there; after a
  ///   failure that is not tolerated they may end.
  package typealias Fetch =
    @Sendable (_ addresses: [String], _ isTolerated: @escaping @Sendable (FetchError) -> Bool)
    throws -> [Result<FetchedFile, FetchError>?]

  private let results: Fetch

  package init(limit: Int, results: @escaping Fetch) {
    self.limit = limit
    self.results = results
  }

  /// The tiles that a server delivered, and the reasons for those that it did not.
  struct Answer {
    var files: [(tile: TileCoord, file: FetchedFile)] = []
    var failures: [TileCoord: String] = [:]
  }

  /// Fetches tiles. Those that the server does not have are left out.
  ///
  /// - Parameter maxErrors: the number of tiles that may fail in another way.
  /// - Throws: the failure of a tile beyond these, with its address, without secrets.
  func answer(
    to requests: [(tile: TileCoord, address: String)], maxErrors: Int
  ) throws -> Answer {
    let count = Count()
    let results = try self.results(requests.map(\.address)) { error in
      error.isAbsence || error.allowsLastGood && count.next() <= maxErrors
    }
    var answer = Answer()
    for (request, result) in zip(requests, results) {
      switch result {
      case nil: break
      case .success(let file)?: answer.files.append((request.tile, file))
      case .failure(let error)? where error.isAbsence: break
      case .failure(let error)?:
        answer.failures[request.tile] = error.sentence
        guard error.allowsLastGood, answer.failures.count <= maxErrors else { throw error }
      }
    }
    return answer
  }

  /// A count of failures, of all threads.
  private final class Count: Sendable {
    private let value = Mutex(0)

    func next() -> Int {
      value.withLock { value in
        value += 1
        return value
      }
    }
  }
}
