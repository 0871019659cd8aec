import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program with its arguments.
struct Command {
  var arguments: [String]

  /// Variables beside those of this process.
  var environment: [String: String] = [:]

  init(_ arguments: [String], environment: [String: String] = [:]) {
    self.arguments = arguments
    self.environment = environment
  }

  /// A line for the shell.
  init(shell line: String) {
    self.init(["/bin/sh", "-c", line])
  }

  /// Runs the program to its end.
  ///
  /// - Parameter log: the path, without extension, of the files that take what it prints: `.out`
  ///   and `.err`.
  /// - Returns: the cost, and what the program printed on standard output.
  /// - Throws: ``BenchError`` if it cannot be started or does not succeed.
  func run(log: String) throws -> (cost: ProcessCost, output: String) {
    // The shell only redirects: `exec` keeps the process, so that its usage is the program's.
    let words =
      ["/bin/sh", "-c", #"exec "$@" >"$0.out" 2>"$0.err""#, log] + arguments
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      .map { "\($0.key)=\($0.value)" }
    let clock = ContinuousClock()
    let start = clock.now
    var process = pid_t()
    let failure = Self.withPointers(words) { words in
      Self.withPointers(variables) { posix_spawn(&process, "/bin/sh", nil, nil, words, $0) }
    }
    guard failure == 0 else {
      throw BenchError("\(arguments[0]) cannot be started: \(String(cString: strerror(failure)))")
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(process, &status, 0, &usage) < 0 {
      guard errno == EINTR else { throw BenchError("waiting for \(arguments[0]) failed.") }
    }
    let wall = (clock.now - start) / .seconds(1)
    guard status == 0 else {
      throw BenchError("\(arguments[0]) failed; see \(log).err for what it said.")
    }
    let output = try String(contentsOfFile: log + ".out", encoding: .utf8)
    return (ProcessCost(wall: wall, usage: usage), output)
  }

  /// Lends the strings as a C array that ends with a null pointer.
  private static func withPointers<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
