package import Foundation

/// The programs of GDAL on this machine.
package enum InstalledGDAL {
  private static func path(_ program: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Whether they are there, for `.enabled(if:)`.
  package static var isThere: Bool { path("ogr2ogr") != nil && path("gdalwarp") != nil }

  /// Whether a driver of records is among the installed ones.
  package static func reads(_ driver: String) -> Bool {
    let folder = URL(fileURLWithPath: NSTemporaryDirectory())
    return (try? run("ogrinfo", ["--formats"], in: folder))?.contains("  \(driver) ") ?? false
  }

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
    let told = try Program.runInstalled([path] + arguments, in: folder, input: input)
    guard told.status == 0 else { throw Failed(command: [program] + arguments) }
    return told.output
  }
}
