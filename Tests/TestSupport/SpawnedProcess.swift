import CChild
import Foundation
import Platform

/// A child process that is waited for by its number, and that no child of its own outlives.
///
/// `Process` of swift-corelibs-foundation learns of the end through a socket whose other end the child
/// holds. A child that is started at the same moment can inherit that end, and where it is a server that
/// outlives its test, the wait never ends.
package final class SpawnedProcess {
  package let processIdentifier: Int32

  /// Its exit status; -n if signal n ended it; `nil` while it runs.
  private var end: Int32?

  /// What kills the process and whatever it has started when it is closed.
  private let leash: Int32

  /// Starts a program in a group of its own.
  ///
  /// - Parameters:
  ///   - words: its path and its arguments.
  ///   - environment: all variables of its environment.
  ///   - folder: its current folder.
  ///   - input: the path of the file on its standard input.
  ///   - output: the descriptor of its standard output.
  ///   - errors: that of its standard error.
  /// - Throws: `POSIXError` where the system cannot start it.
  package init(
    _ words: [String], environment: [String: String], folder: String, input: String = "/dev/null",
    output: Int32, errors: Int32
  ) throws {
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    let (place, input) = (strdup(folder), strdup(input))
    defer { for text in arguments + variables + [place, input] { free(text) } }
    var leash: Int32 = -1
    let child = arguments.withUnsafeMutableBufferPointer { arguments in
      variables.withUnsafeMutableBufferPointer { variables in
        var command = cchild_command(
          program: arguments.first ?? nil, arguments: arguments.baseAddress,
          environment: variables.baseAddress, folder: place, input: input, output: output,
          errors: errors, file_bytes: 0, memory_bytes: 0)
        return cchild_start(&command, &leash)
      }
    }
    guard child > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    (processIdentifier, self.leash) = (child, leash)
  }

  deinit {
    terminate()
    for _ in 0..<500 where isRunning { usleep(10_000) }
    if end == nil {
      cchild_kill(processIdentifier)
      waitUntilExit()
    }
    close(leash)
  }

  package var isRunning: Bool {
    end == nil && cchild_has_ended(processIdentifier) == 0
  }

  /// Asks the process to end.
  package func terminate() {
    if isRunning { kill(processIdentifier, SIGTERM) }
  }

  /// Waits for the end.
  ///
  /// - Returns: the exit status; -n if signal n ended it.
  @discardableResult
  package func waitUntilExit() -> Int32 {
    if let end { return end }
    var signal: Int32 = 0
    let status = cchild_wait(processIdentifier, &signal)
    let result = signal == 0 ? status : -signal
    end = result
    return result
  }
}
