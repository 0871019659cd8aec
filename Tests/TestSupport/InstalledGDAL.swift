package import Foundation

/// The programs of GDAL on this machine.
package enum InstalledGDAL {
  private static func path(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether they are there, for `.enabled(if:)`.
  package static var isThere: Bool { path("ogr2ogr") != nil && path("gdalwarp") != nil }

  /// What the tests that need them say without them.
  package static let comment = "GDAL's programs are not installed (apt-get install gdal-bin)"

  private struct Failed: Error { let command: [String] }

  /// Runs one of the programs in a folder.
  ///
  /// - Parameter input: the text of its standard input; none for an empty one.
  /// - Returns: its standard output.
  @discardableResult
  package static func run(
    _ program: String, _ arguments: [String], in folder: URL, input: String = ""
  ) throws -> String {
    guard let path = path(program) else { throw Failed(command: [program]) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let (given, told) = (Pipe(), Pipe())
    process.standardInput = given
    process.standardOutput = told
    process.standardError = FileHandle.nullDevice
    try process.run()
    // A program that answers while it reads waits for a reader of its answers.
    let bytes = Data(input.utf8)
    let writer = Thread {
      try? given.fileHandleForWriting.write(contentsOf: bytes)
      try? given.fileHandleForWriting.close()
    }
    writer.start()
    let output = try told.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(command: [program] + arguments) }
    return String(decoding: output, as: UTF8.self)
  }
}
