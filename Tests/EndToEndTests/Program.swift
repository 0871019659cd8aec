import Foundation
import TestSupport

/// The built `quadrille` program, run as a user runs it.
enum Program {
  /// What a run came to.
  struct Outcome {
    var status: Int32
    var output: String
    var errors: String

    /// The lines of standard error.
    var errorLines: [String] {
      errors.split(separator: "\n").map(String.init)
    }
  }

  /// The program beside the test bundle in the build folder.
  static let url: URL = {
    let bundle =
      Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
      ?? URL(fileURLWithPath: CommandLine.arguments[0])
    let folders = [
      bundle.deletingLastPathComponent(), Bundle.main.bundleURL,
      packageRoot.appendingPathComponent(".build/debug"),
    ]
    let candidates = folders.map { $0.appendingPathComponent("quadrille") }
    return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? candidates[0]
  }()

  /// Runs it to its end.
  ///
  /// - Parameters:
  ///   - folder: the current directory of the run.
  ///   - environment: what changes in the environment.
  static func run(
    _ arguments: String..., in folder: TemporaryFolder? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    let run = try Run(arguments, in: folder, environment: environment)
    return try run.finish()
  }

  /// A run that goes on beside the test.
  final class Run {
    let process = Process()
    private let files: TemporaryFolder

    /// - Parameter program: what to run instead of `quadrille`, such as a shell.
    init(
      _ arguments: [String], in folder: TemporaryFolder? = nil, environment: [String: String] = [:],
      program: String? = nil
    ) throws {
      files = try TemporaryFolder()
      process.executableURL = program.map { URL(fileURLWithPath: $0) } ?? Program.url
      process.arguments = arguments
      process.currentDirectoryURL = folder?.url ?? files.url
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      // Files, not pipes: nobody has to empty them.
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = try Self.file(files, "output")
      process.standardError = try Self.file(files, "errors")
      try process.run()
    }

    private static func file(_ folder: TemporaryFolder, _ name: String) throws -> FileHandle {
      try folder.write("", to: name)
      return try FileHandle(forWritingTo: folder.url.appendingPathComponent(name))
    }

    /// What it wrote to standard error so far.
    var errorsSoFar: String {
      String(decoding: (try? files.bytes("errors")) ?? [], as: UTF8.self)
    }

    /// Waits for the end.
    func finish() throws -> Outcome {
      process.waitUntilExit()
      let status =
        process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus
      return Outcome(
        status: status, output: String(decoding: try files.bytes("output"), as: UTF8.self),
        errors: String(decoding: try files.bytes("errors"), as: UTF8.self))
    }
  }
}
