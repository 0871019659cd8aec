import Platform
import Runs

/// The sockets of a server on 127.0.0.1. Programs that this one starts do not inherit them.
enum LoopbackSocket {
  /// The number of ports that are tried.
  private static let tries = 100

  /// Creates a socket that listens on the first free port from one on, or for 0 on any.
  static func listening(
    from first: UInt16
  ) throws(PipelineError) -> (socket: Int32, port: UInt16) {
    let ports = first == 0 ? 0...0 : Int(first)...min(Int(first) + tries - 1, 65_535)
    for port in ports {
      let socket = create()
      if let port = listen(socket, on: UInt16(port)) { return (socket, port) }
      close(socket)
    }
    throw PipelineError(
      .cannotCreate,
      first == 0
        ? "this machine has no free port. Name one with --port."
        : "none of the ports \(ports.lowerBound) to \(ports.upperBound) is free. Choose another with "
          + "--port, or 0 for any.")
  }

  /// Accepts the next connection; `nil` if it is gone already, or cannot be had now.
  static func accept(from socket: Int32) -> Int32? {
    let accepted = Platform.accept(socket, nil, nil)
    if accepted >= 0 {
      _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
      return accepted
    }
    // Where too many files are open, it waits in the queue of the socket.
    if errno != EINTR, errno != ECONNABORTED { usleep(100_000) }
    return nil
  }

  private static func create() -> Int32 {
    #if canImport(Glibc)
      let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
      let socket = Platform.socket(AF_INET, Int32(kind), 0)
    #else
      let socket = Platform.socket(AF_INET, SOCK_STREAM, 0)
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
    #endif
    // Connections that just ended do not keep the port.
    var on: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    return socket
  }

  /// Returns the port that the socket listens on now; `nil` if it is taken.
  private static func listen(_ socket: Int32, on port: UInt16) -> UInt16? {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(socket, pointer, length) == 0 && Platform.listen(socket, SOMAXCONN) == 0
          && getsockname(socket, pointer, &length) == 0
      }
    }
    return isListening ? UInt16(bigEndian: address.sin_port) : nil
  }
}
