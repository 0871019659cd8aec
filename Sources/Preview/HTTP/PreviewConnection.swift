import Platform

/// A connection of a browser, whose requests are answered one after the other.
package struct PreviewConnection: ~Copyable {
  /// A connected socket, closed by ``deinit``.
  private let socket: Int32

  /// Seconds until the whole of a request's head must have arrived, from the end of the last answer
  /// on.
  private let patience: Int

  /// Seconds that a client may leave a piece of an answer untaken.
  private static let maxSendSeconds = 30

  /// Maximum milliseconds and bytes that are still taken from a client whose connection is closed:
  /// closing at once would reset it, and the answer would be lost (RFC 9112, section 9.6).
  private static let lingering = (milliseconds: 1000, bytes: 1 << 20)

  /// Whether others wait for a connection: then one whose client asks for nothing is closed.
  private let isCrowded: () -> Bool

  /// Milliseconds after which an idle connection asks whether others wait.
  private static let glance = 250

  /// Milliseconds in which the request of a connection that is refused should arrive.
  private static let glimpse = 20

  /// Whether the connection itself is one too many: it is closed after one answer, for which nothing is
  /// painted.
  private let isHurried: Bool

  /// - Parameter socket: a connected socket, which the connection owns.
  package init(
    _ socket: Int32, patience: Int = 10, isHurried: Bool = false,
    isCrowded: @escaping () -> Bool = { false }
  ) {
    self.socket = socket
    self.patience = patience
    self.isHurried = isHurried
    self.isCrowded = isCrowded
    var time = timeval()
    time.tv_sec = Self.maxSendSeconds
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close(socket) }

  /// Answers requests until either side wants no more.
  package consuming func serve(_ respond: (PreviewRequest, PreviewClient) -> PreviewAnswer) {
    var reader = RequestHeadReader()
    do throws(RequestRefusal) {
      while let head = try nextHead(&reader) {
        let client = PreviewClient(
          name: head.request.agent ?? "", mayWait: !isHurried
        ) { [socket, isQueued = !reader.isEmpty] in isQueued || Self.isOpen(socket) }
        var request = head.request
        if request.method == "POST" { request.body = try body(of: head, &reader) }
        let answer = respond(request, client)
        // Pages of others and other clients than browsers get no connection to keep.
        let isLast = head.isLast || isHurried || ![200, 404].contains(answer.status)
        let isHead = head.request.method == "HEAD"
        guard send(answer.encoded(isHead: isHead, isLast: isLast)) else { return }
        if isLast { return linger() }
      }
    } catch {
      if send(error.answer.encoded(isHead: false, isLast: true)) { linger() }
    }
  }

  /// Answers that there are too many connections, without a look at the request.
  package consuming func refuse() {
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    // Bytes that are unread, or arrive later, would reset the connection before the answer is read.
    if isReadable(until: .now + .milliseconds(Self.glimpse)) {
      _ = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    }
    if send(PreviewAnswer.busy.encoded(isHead: false, isLast: true)) {
      shutdown(socket, Int32(SHUT_WR))
    }
  }

  /// Whether the client still waits: one that has closed its side is gone.
  private static func isOpen(_ socket: Int32) -> Bool {
    var byte: UInt8 = 0
    let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count > 0 || count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
  }

  /// Returns the next head; `nil` if the client sends none.
  private func nextHead(
    _ reader: inout RequestHeadReader
  ) throws(RequestRefusal) -> RequestHead? {
    let end = ContinuousClock.now + .seconds(patience)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      if let head = try reader.next() { return head }
      guard isReadable(until: end, mayEnd: reader.isEmpty) else {
        if reader.isEmpty { return nil }
        throw .slow
      }
      let count = recv(socket, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      reader.append(buffer[..<count])
    }
  }

  /// Returns the body of a request, all of it.
  private func body(
    of head: RequestHead, _ reader: inout RequestHeadReader
  ) throws(RequestRefusal) -> [UInt8] {
    guard let length = head.bodyLength else { return [] }
    guard length <= RequestHead.maxBody else { throw .longBody }
    let end = ContinuousClock.now + .seconds(patience)
    var body = reader.take(length)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while body.count < length {
      guard isReadable(until: end) else { throw .slow }
      let count = recv(socket, &buffer, min(buffer.count, length - body.count), 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .malformed }
      body += buffer[..<count]
    }
    return body
  }

  /// Waits until bytes, or their end, have arrived.
  ///
  /// - Parameter mayEnd: whether the wait ends where others wait for a connection.
  /// - Returns: `false` if none have by then.
  private func isReadable(
    until end: ContinuousClock.Instant, mayEnd: Bool = false
  ) -> Bool {
    while true {
      let left = end - .now
      guard left > .zero else { return false }
      var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let wait = min(Int(left / .milliseconds(1)) + 1, mayEnd ? Self.glance : .max)
      let count = poll(&watched, 1, Int32(clamping: wait))
      if count == 0, mayEnd, isCrowded() { return false }
      if count > 0 { return true }
      if count < 0, errno != EINTR { return false }
    }
  }

  /// Sends bytes; returns `false` if the client takes no more.
  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Platform.send(socket, $0.baseAddress, $0.count, Self.flags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  #if canImport(Darwin)
    private static let flags: Int32 = 0
  #else
    private static let flags = Int32(MSG_NOSIGNAL)
  #endif

  /// Says that no more is sent, and takes what the client still sends.
  private func linger() {
    shutdown(socket, Int32(SHUT_WR))
    let end = ContinuousClock.now + .milliseconds(Self.lingering.milliseconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    var taken = 0
    while taken < Self.lingering.bytes, isReadable(until: end) {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      taken += count
    }
  }
}
