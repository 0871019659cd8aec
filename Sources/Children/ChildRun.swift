import CChild
import Platform
import SystemPackage

/// A child process that runs, with what it has written so far.
struct ChildRun {
  /// The bytes of standard error that are kept; the rest is read and dropped.
  private static let keptMessages = 16 << 10

  /// Maximum bytes of standard error.
  private static let messageLimit = 64 << 20

  /// The longest wait for the child in milliseconds.
  private static let patience: Int32 = 50

  private let child: pid_t
  private let command: ChildCommand
  private var pipes: [FileDescriptor?]
  private var output: [UInt8] = []
  private var messages: [UInt8] = []
  private var messageBytes = 0
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(
    _ child: pid_t, _ output: FileDescriptor, _ errors: FileDescriptor, of command: ChildCommand
  ) {
    self.child = child
    self.command = command
    pipes = [output, errors]
  }

  /// Reads what the child writes until it has ended.
  mutating func watch(_ growth: () -> Int, _ checkpoint: () throws -> Void) throws {
    var life = ContinuousClock.now
    var size = growth()
    while true {
      try checkpoint()
      let hasEnded = cchild_has_ended(child) != 0
      var isAlive = try readAll()
      if hasEnded { return }
      let grown = growth()
      isAlive = isAlive || grown != size
      size = grown
      let now = ContinuousClock.now
      if isAlive { life = now }
      guard now - life < .seconds(command.silence) else {
        throw ChildFault.wasSilent(program: command.name, seconds: command.silence)
      }
      wait()
    }
  }

  /// Ends the child and everything that it started.
  func end() -> ChildOutcome {
    cchild_kill(child)
    var signal: Int32 = 0
    let status = cchild_wait(child, &signal)
    return ChildOutcome(
      end: signal == 0 ? .status(status) : .signal(signal), output: output,
      messages: String(decoding: messages, as: UTF8.self))
  }

  /// Waits until there is something to read, or for a moment.
  private func wait() {
    var wanted = pipes.compactMap(\.self).map {
      pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0)
    }
    // Without open pipes the end of the child is all that is left to wait for.
    _ = poll(&wanted, nfds_t(wanted.count), wanted.isEmpty ? 2 : Self.patience)
  }

  /// Reads all that the pipes hold.
  ///
  /// - Returns: whether there was anything.
  private mutating func readAll() throws(ChildFault) -> Bool {
    var hasRead = false
    for index in pipes.indices {
      while let pipe = pipes[index] {
        let count: Int
        do {
          count = try buffer.withUnsafeMutableBytes { try pipe.read(into: $0) }
        } catch Errno.resourceTemporarilyUnavailable {
          break
        } catch Errno.interrupted {
          continue
        } catch {
          pipes[index] = nil
          break
        }
        guard count > 0 else {
          pipes[index] = nil
          break
        }
        hasRead = true
        try take(buffer[..<count], isOutput: index == 0)
      }
    }
    return hasRead
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>, isOutput: Bool) throws(ChildFault) {
    guard isOutput else {
      messages += bytes.prefix(max(0, Self.keptMessages - messages.count))
      messageBytes += bytes.count
      guard messageBytes <= Self.messageLimit else {
        throw .wroteTooMuch(program: command.name, bytes: Self.messageLimit)
      }
      return
    }
    guard output.count + bytes.count <= command.outputLimit else {
      throw .wroteTooMuch(program: command.name, bytes: command.outputLimit)
    }
    output += bytes
  }
}
