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
  package static func run(_ program: String, _ arguments: [String], in folder: URL) throws {
    guard let path = path(program) else { throw Failed(command: [program]) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(command: [program] + arguments) }
  }
}
