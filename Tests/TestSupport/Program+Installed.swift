package import Foundation

extension Program {
  /// Runs an installed program to its end.
  ///
  /// - Parameters:
  ///   - words: the program and its arguments; it is searched for in `PATH` unless it is a path.
  ///   - folder: its current folder; the checkout if `nil`.
  ///   - environment: the variables that differ from this process's.
  ///   - input: the text on its standard input.
  package static func runInstalled(
    _ words: [String], in folder: URL? = nil, environment: [String: String] = [:],
    input: String = ""
  ) throws -> Outcome {
    // Files and no pipes: a program that answers while it reads would wait for a reader.
    let files = try TemporaryFolder()
    let given = try files.write(input, to: "input")
    let (output, errors) = (try files.emptyFile("output"), try files.emptyFile("errors"))
    let process = try SpawnedProcess(
      ["/usr/bin/env"] + words,
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      folder: (folder ?? packageRoot).path, input: given, output: output.fileDescriptor,
      errors: errors.fileDescriptor)
    return Outcome(
      status: process.waitUntilExit(),
      output: String(decoding: try files.bytes("output"), as: UTF8.self),
      errors: String(decoding: try files.bytes("errors"), as: UTF8.self))
  }
}

extension TemporaryFolder {
  /// Creates an empty file of the folder, open for writing.
  func emptyFile(_ name: String) throws -> FileHandle {
    try write("", to: name)
    return try FileHandle(forWritingTo: url.appendingPathComponent(name))
  }
}
