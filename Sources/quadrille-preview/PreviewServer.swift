import Platform
import Preview
import Runs
import Synchronization
import Workers

/// A server of a router on the loopback address; other machines cannot reach it.
final class PreviewServer: Sendable {
  let url: String
  private let router: PreviewRouter

  /// The socket that listens until the process ends.
  private let socket: Int32

  /// The number of open connections.
  private let connections = Atomic(0)

  /// Maximum number of open connections that are kept and may wait for tiles. A browser has six or so.
  private static let maxConnections = 256

  /// Maximum number of further connections: each gets one answer, so that a page always opens. Others
  /// are told that there are too many.
  private static let reserve = 64

  /// Seconds that a request on one of those may take to arrive.
  private static let reservePatience = 2

  /// Listens for connections from this machine.
  ///
  /// - Parameter port: 0 for any free one; if it is taken, the next free one is used.
  /// - Throws: ``PipelineError`` if there is none.
  init(_ router: PreviewRouter, port: UInt16) throws(PipelineError) {
    let (socket, chosen) = try LoopbackSocket.listening(from: port)
    if port != 0, chosen != port {
      Console.error("Port \(port) is taken; the page is on port \(chosen).")
    }
    var router = router
    router.hosts = PreviewRouter.hosts(port: Int(chosen))
    self.router = router
    self.socket = socket
    url = "http://127.0.0.1:\(chosen)/"
  }

  /// Answers requests until the process is terminated, each connection on a thread of its own.
  func run() -> Never {
    while true {
      guard let accepted = LoopbackSocket.accept(from: socket) else { continue }
      let count = connections.add(1, ordering: .relaxed).newValue
      let isHurried = count > Self.maxConnections
      guard count <= Self.maxConnections + Self.reserve,
        WorkerThreads.run({ self.serve(accepted, isHurried) })
      else {
        PreviewConnection(accepted).refuse()
        connections.subtract(1, ordering: .relaxed)
        continue
      }
    }
  }

  private func serve(_ accepted: Int32, _ isHurried: Bool) {
    PreviewConnection(
      accepted, patience: isHurried ? Self.reservePatience : 10, isHurried: isHurried
    ) { self.connections.load(ordering: .relaxed) > Self.maxConnections }
    .serve { router.answer($0, for: $1) }
    connections.subtract(1, ordering: .relaxed)
  }
}
