package import Foundation

/// The built `quadrille` program, run as a user runs it.
package enum Program {
  /// What a run came to.
  package struct Outcome: Sendable {
    package var status: Int32
    package var output: String
    package var errors: String

    /// The lines of standard error.
    package var errorLines: [String] {
      errors.split(separator: "\n").map(String.init)
    }
  }

  private static let named = ProcessInfo.processInfo.environment["QUADRILLE_PROGRAM"]

  /// Whether `QUADRILLE_PROGRAM` names the program.
  package static var isNamed: Bool { named != nil }

  /// The program beside the test bundle in the build folder, or the one that `QUADRILLE_PROGRAM`
  /// names: the long tests start it thousands of times and take the optimized one.
  package static let url: URL = {
    if let named { return URL(fileURLWithPath: named).resolvingSymlinksInPath() }
    let bundle =
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let folders = [
      bundle.deletingLastPathComponent(), Bundle.main.bundleURL,
      packageRoot.appendingPathComponent(".build/debug"),
    ]
    let candidates = folders.map { $0.appendingPathComponent("quadrille") }
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    // A trace shows the files behind links, such as SwiftPM's `.build/release`.
    return (found ?? candidates[0]).resolvingSymlinksInPath()
  }()

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - folder: the current directory of the run.
  ///   - environment: what changes in the environment.
  package static func run(
    _ arguments: String..., in folder: TemporaryFolder? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    let run = try Run(arguments, in: folder, environment: environment)
    return try run.finish()
  }

  /// A run that goes on beside the test.
  package final class Run {
    package let process: SpawnedProcess
    private let files: TemporaryFolder

    /// - Parameters:
    ///   - program: what to run instead of `quadrille`, such as a shell.
    ///   - launcher: a command that runs the program, such as `strace -f`; none runs it itself.
    package init(
      _ arguments: [String], in folder: TemporaryFolder? = nil,
      environment: [String: String] = [:], program: String? = nil, launcher: [String] = []
    ) throws {
      files = try TemporaryFolder()
      let words =
        launcher.isEmpty
        ? [program ?? Program.url.path] + arguments
        : ["/usr/bin/env"] + launcher + [Program.url.path] + arguments
      // Files, not pipes: nobody has to empty them.
      let (output, errors) = (try files.emptyFile("output"), try files.emptyFile("errors"))
      process = try SpawnedProcess(
        words, environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
        folder: (folder ?? files).url.path, output: output.fileDescriptor,
        errors: errors.fileDescriptor)
    }

    /// What it wrote to standard output so far.
    package var outputSoFar: String {
      String(decoding: (try? files.bytes("output")) ?? [], as: UTF8.self)
    }

    /// What it wrote to standard error so far.
    package var errorsSoFar: String {
      String(decoding: (try? files.bytes("errors")) ?? [], as: UTF8.self)
    }

    /// Waits for the end.
    package func finish() throws -> Outcome {
      let status = process.waitUntilExit()
      return Outcome(
        status: status, output: String(decoding: try files.bytes("output"), as: UTF8.self),
        errors: String(decoding: try files.bytes("errors"), as: UTF8.self))
    }
  }
}
