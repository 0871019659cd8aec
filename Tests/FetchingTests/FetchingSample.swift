import Fetching
import Foundation
import Synchronization
import SystemPackage
import TestSupport

/// What ends the transfers of a sample. It is an object of its own for the scripts of servers, which
/// may outlive the test and would keep the sample's folder.
final class FetchingCancellation: Sendable {
  private let flag = Mutex(false)

  var isCancelled: Bool { flag.withLock { $0 } }

  func cancel() { flag.withLock { $0 = true } }
}

/// A cache folder, the waits that were asked for, and the files that a test needs.
final class FetchingSample: Sendable {
  static let csv = "lon,lat,name\n7.44,46.95,Bern\n"
  static let geojson = #"{"type": "FeatureCollection", "features": []}"#

  let folder: TemporaryFolder
  private let log = Mutex<[Duration]>([])
  private let clock = Mutex<Int64>(1_400_000_000)
  let cancellation = FetchingCancellation()

  init() throws {
    folder = try TemporaryFolder()
  }

  /// The waits between attempts so far.
  var waits: [Duration] { log.withLock { $0 } }

  /// Lets time pass, for freshness.
  func pass(seconds: Int64) { clock.withLock { $0 += seconds } }

  /// A fetcher whose waits are recorded and not waited, and whose timeouts are short.
  func fetcher(
    progress: Recorder<FetchProgress>? = nil, _ change: (inout FetchOptions) -> Void = { _ in }
  ) -> Fetcher {
    var options = FetchOptions()
    options.requestsPerSecond = 0
    options.responseTimeout = .seconds(5)
    options.idleTimeout = .seconds(5)
    change(&options)
    var surroundings = FetchSurroundings(
      isCancelled: { [cancellation] in cancellation.isCancelled }, progress: { progress?.add($0) })
    surroundings.now = { [self] in clock.withLock { $0 } }
    surroundings.sleep = { [self] duration in log.withLock { $0.append(duration) } }
    return Fetcher(cache: FilePath(folder.path("cache")), options, surroundings)
  }

  /// The text of a fetched file.
  static func text(_ file: FetchedFile) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: file.path)), as: UTF8.self)
  }

  /// Every file below the cache folder, by its path in it.
  func files() -> [String] {
    let root = folder.path("cache")
    let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
    return names.sorted()
  }

  /// The error that an expression throws.
  static func failure(_ body: () throws -> some Any) -> FetchError? {
    do {
      _ = try body()
      return nil
    } catch {
      return error as? FetchError
    }
  }
}

extension RemoteResource {
  /// A CSV file of a server.
  static func csv(_ url: String) throws -> RemoteResource {
    try RemoteResource(url, kind: .csv)
  }
}
