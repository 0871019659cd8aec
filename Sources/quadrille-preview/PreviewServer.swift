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

  /// Maximum number of open connections; others are closed unanswered. A browser has six or so.
  private static let maxConnections = 256

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
      guard count <= Self.maxConnections, WorkerThreads.run({ self.serve(accepted) }) else {
        close(accepted)
        connections.subtract(1, ordering: .relaxed)
        continue
      }
    }
  }

  private func serve(_ accepted: Int32) {
    PreviewConnection(accepted).serve { router.answer($0) }
    connections.subtract(1, ordering: .relaxed)
  }
}
