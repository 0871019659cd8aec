import Children
import Files
import Foundation
import Platform
import Runs
import Synchronization
import SystemPackage

/// Builds by `quadrille build`, the program beside this one, as a child that ends with it.
enum BuildChild {
  /// The process of the child that runs; 0 for none.
  private static let running = Mutex<pid_t>(0)

  /// Builds a pipeline whose output is missing, with the progress in the terminal.
  ///
  /// - Parameter options: the options of the build.
  /// - Returns: the exit status; 128 + n if signal n ended it. A child that fails has said why.
  /// - Throws: ``PipelineError`` if the program cannot be run.
  static func build(
    _ pipeline: String, _ options: [String]
  ) throws(PipelineError) -> Int32 {
    let child = try spawn([try program(), "build"] + options + [pipeline], errors: nil)
    return wait(for: child)
  }

  /// Builds a pipeline without progress.
  ///
  /// - Parameter options: the options of the build.
  /// - Returns: the sentence of its error; `nil` if it succeeded.
  static func rebuild(_ pipeline: String, _ options: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return "the build cannot be started: no pipe." }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let child: ForegroundChild
    do throws(PipelineError) {
      child = try spawn([try program(), "build", "-q"] + options + [pipeline], errors: ends[1])
    } catch {
      for end in ends { close(end) }
      return error.message
    }
    close(ends[1])
    let text = read(ends[0])
    close(ends[0])
    let status = wait(for: child)
    if !text.isEmpty { Console.error(text) }
    guard status != 0 else { return nil }
    let lines = text.split(separator: "\n")
    let sentence = lines.last { $0.contains("error: ") } ?? lines.last ?? "The build failed."
    return sentence.hasPrefix("error: ") ? String(sentence.dropFirst(7)) : String(sentence)
  }

  /// Ends the child that runs, and waits until it has cleaned up.
  static func stop() {
    // The child is not replaced by another: the process ends afterwards.
    let child = running.withLock { $0 }
    guard child > 0 else { return }
    kill(child, SIGTERM)
    var status: Int32 = 0
    for _ in 0..<200 {
      if waitpid(child, &status, WNOHANG) != 0 { return }
      usleep(50_000)
    }
    kill(child, SIGKILL)
  }

  private static func program() throws(PipelineError) -> String {
    let path = InstalledFiles.program.map {
      FilePath($0).removingLastComponent().appending("quadrille").string
    }
    guard let path, access(path, X_OK) == 0 else {
      throw PipelineError(
        .missingInput,
        "the program \(path ?? "quadrille") cannot be run. Build or install it with 'make build' or "
          + "'make install'.")
    }
    return path
  }

  /// Maximum bytes of messages that are kept.
  private static let maxBytes = 1 << 16

  private static func read(_ file: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Platform.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if bytes.count < maxBytes { bytes += buffer[..<count] }
    }
    return String(decoding: bytes, as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Starts a program whose standard output is `errors` or standard error: that of this program is for
  /// the address of the page.
  private static func spawn(
    _ words: [String], errors: Int32?
  ) throws(PipelineError) -> ForegroundChild {
    let errors = errors ?? STDERR_FILENO
    let child: ForegroundChild
    do throws(ChildFault) {
      child = try ForegroundChild(words, output: errors, errors: errors)
    } catch {
      throw PipelineError(
        .missingInput, "the program \(words[0]) cannot be run.", cause: error.systemReason)
    }
    running.withLock { $0 = child.process }
    return child
  }

  private static func wait(for child: ForegroundChild) -> Int32 {
    defer { running.withLock { $0 = 0 } }
    return child.wait()
  }
}

/// Signals that end the program, after the child that it runs.
enum EndingSignals {
  /// Ends the child and then this process at SIGINT and SIGTERM.
  static func handle() {
    for number in [SIGINT, SIGTERM] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue.global(qos: .userInitiated))
      source.setEventHandler {
        BuildChild.stop()
        _exit(128 + number)
      }
      source.resume()
      // It is waited for until the process ends.
      _ = Unmanaged.passRetained(source as AnyObject)
    }
  }
}
