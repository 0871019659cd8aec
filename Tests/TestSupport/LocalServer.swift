import Foundation
import Platform
import Synchronization

/// A real HTTP server on 127.0.0.1 whose answers a test scripts byte by byte.
///
/// One connection serves one request, unless a script keeps it open. Sockets are plain POSIX, so that an answer can be slow, cut,
/// reset or wrong in every way.
package final class LocalServer: Sendable {
  /// What was asked.
  package struct Request: Sendable {
    package let target: String
    /// By name in small letters.
    package let headers: [String: String]
    /// How many requests came before this one.
    package let ordinal: Int
  }

  package typealias Script = @Sendable (Request, Connection) -> Void

  package let port: Int
  private let listener: Int32
  private let log = Mutex<[Request]>([])
  private let accepted = Mutex(0)
  private let script: Script

  /// Starts to serve.
  package init(_ script: @escaping Script) throws {
    self.script = script
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let file = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(file, pointer, length) == 0 && listen(file, 64) == 0
          && getsockname(file, pointer, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
    let thread = Thread { [weak self] in
      while true {
        let socket = accept(file, nil, nil)
        guard let server = self else {
          if socket >= 0 { close(socket) }
          break
        }
        guard socket >= 0 else {
          // A connection that broke at once, or too many open files for now. The number of a closed
          // listener may be another's, which `deinit` would shut down.
          usleep(1000)
          continue
        }
        Thread.detachNewThread { server.serve(Connection(socket)) }
      }
      close(file)
    }
    thread.start()
  }

  deinit {
    // Wakes the thread that accepts, which closes the socket.
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// The address of a path on this server.
  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// What was asked so far, in the order of arrival.
  package var requests: [Request] { log.withLock { $0 } }

  /// Connections that were accepted so far.
  package var connections: Int { accepted.withLock { $0 } }

  private func serve(_ connection: Connection) {
    accepted.withLock { $0 += 1 }
    repeat { serveRequest(connection) } while connection.takesAnother
    connection.end()
  }

  private func serveRequest(_ connection: Connection) {
    guard let lines = connection.readHead(), let first = lines.first else { return }
    let words = first.split(separator: " ")
    guard words.count == 3 else { return }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 {
        headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    let request = log.withLock { log in
      let request = Request(target: String(words[1]), headers: headers, ordinal: log.count)
      log.append(request)
      return request
    }
    script(request, connection)
  }

  /// One accepted connection.
  package final class Connection: Sendable {
    private let socket: Int32
    private let isOpen = Mutex(true)
    private let isKept = Mutex(false)

    init(_ socket: Int32) {
      self.socket = socket
      #if canImport(Darwin)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
      #endif
    }

    /// Lets the connection serve another request after this one.
    package func keep() { isKept.withLock { $0 = true } }

    /// Whether the script wanted it kept, which holds for one request.
    fileprivate var takesAnother: Bool {
      isKept.withLock { isKept in
        defer { isKept = false }
        return isKept
      }
    }

    /// The lines up to the first empty one.
    fileprivate func readHead() -> [String]? {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while bytes.count < 1 << 16 {
        let count = recv(socket, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        bytes += buffer[..<count]
        let text = String(decoding: bytes, as: UTF8.self)
        if let end = text.range(of: "\r\n\r\n") {
          return text[..<end.lowerBound].components(separatedBy: "\r\n")
        }
      }
      return nil
    }

    /// Sends bytes; `false` when the other side is gone.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
      #if canImport(Glibc)
        let flags = Int32(MSG_NOSIGNAL)
      #else
        let flags: Int32 = 0
      #endif
      var start = 0
      while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes { [socket] piece in
          systemSend(socket, piece, flags)
        }
        guard count > 0 else { return false }
        start += count
      }
      return true
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends a whole answer with its length.
    package func answer(_ status: Int, _ headers: [String] = [], _ body: [UInt8] = []) {
      let lines = ["HTTP/1.1 \(status) Words", "Connection: close"] + headers
      let length = status == 304 ? [] : ["Content-Length: \(body.count)"]
      send((lines + length).joined(separator: "\r\n") + "\r\n\r\n")
      send(body)
    }

    package func answer(_ status: Int, _ headers: [String] = [], _ body: String) {
      answer(status, headers, Array(body.utf8))
    }

    package func wait(milliseconds: Int) { usleep(UInt32(milliseconds) * 1000) }

    /// Sends nothing until the other side ends the connection, at most for a minute.
    ///
    /// - Returns: whether the other side ended it.
    package func staysSilent() -> Bool {
      var limit = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(
        socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      var buffer = [UInt8](repeating: 0, count: 4096)
      var count = 0
      repeat { count = recv(socket, &buffer, buffer.count, 0) } while count > 0
      return count == 0 || errno != EAGAIN
    }

    /// Ends the connection with RST instead of FIN.
    package func reset() {
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
      end()
    }

    fileprivate func end() {
      isOpen.withLock { isOpen in
        if isOpen { close(socket) }
        isOpen = false
      }
    }
  }
}

/// The system's `send`, which a method of the same name hides.
private func systemSend(_ socket: Int32, _ bytes: UnsafeRawBufferPointer, _ flags: Int32) -> Int {
  send(socket, bytes.baseAddress, bytes.count, flags)
}
