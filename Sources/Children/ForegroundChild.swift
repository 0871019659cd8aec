import Platform
import SystemPackage

/// A child process with the environment, the input and the process group of this one, so that Ctrl-C
/// reaches it, too.
///
/// `Process` of Foundation does not serve: its children have a group of their own, and block the signals
/// that this process blocks for the thread that waits for them.
package struct ForegroundChild: Sendable {
  package let process: pid_t

  /// Starts a program, whose signals have their default actions.
  ///
  /// - Parameters:
  ///   - words: its path and its arguments.
  ///   - output: the descriptor that becomes its standard output.
  ///   - errors: the one that becomes its standard error.
  /// - Throws: ``ChildFault/cannotStart(program:_:)``.
  package init(
    _ words: [String], output: Int32 = STDOUT_FILENO, errors: Int32 = STDERR_FILENO
  ) throws(ChildFault) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // In this order, since `output` may be this process' standard error.
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    // A program that ignores or blocks the signals it waits for leaves that to its children.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = words.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, words[0], &actions, &attributes, arguments, environ)
    guard code == 0 else { throw .cannotStart(program: words[0], Errno(rawValue: code)) }
    process = child
  }

  /// Waits for the end.
  ///
  /// - Returns: the exit status; 128 + n if signal n ended it.
  package func wait() -> Int32 {
    while true {
      if let status = end(0) { return status }
    }
  }

  /// Asks the process to end, once `isCancelled` says so, and waits for the end.
  ///
  /// - Returns: the exit status; 128 + n if signal n ended it.
  package func wait(until isCancelled: () -> Bool) -> Int32 {
    var isAsked = false
    while true {
      if let status = end(WNOHANG) { return status }
      if !isAsked, isCancelled() {
        kill(process, SIGTERM)
        isAsked = true
      }
      usleep(20_000)
    }
  }

  /// Returns how the process has ended; `nil` while it runs.
  private func end(_ options: Int32) -> Int32? {
    var status: Int32 = 0
    let ended = waitpid(process, &status, options)
    // Without a child there is nothing to wait for.
    if ended < 0 { return errno == EINTR ? nil : 0 }
    guard ended == process else { return nil }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}
