package import Definition
import Files
import Foundation
import GeoPackages
import Inputs
import Reports
package import Runs
import SystemPackage

/// A guard that refuses to write a picture, a report or an answer over a file of the pipeline: its
/// definition, its data, its archives.
///
/// A file is recognized by its name, also where it does not exist yet, and by the file that the
/// name leads to: links and detours hide nothing.
package struct TargetGuard {
  private let definition: PipelineDefinition

  /// Whether the target is a GeoPackage, which may replace another.
  private let isGeoPackage: Bool

  package init(_ definition: PipelineDefinition, isGeoPackage: Bool = false) {
    self.definition = definition
    self.isGeoPackage = isGeoPackage
  }

  /// Refuses a file that must not be replaced.
  ///
  /// - Parameter option: the option that named the file.
  /// - Throws: ``PipelineError`` with code `usage`, or `cannotCreate` for a place where no file can
  ///   be put.
  /// - Complexity: O(files of the pipeline).
  package func check(_ target: String, option: String = "-o") throws(PipelineError) {
    if let fault = TargetFault(FilePath(target)) {
      throw PipelineError(.cannotCreate, fault.sentence(FilePath(target), option: option))
    }
    guard let words = words(of: target, isReport: option == "--report") else { return }
    throw PipelineError(.usage, "'\(target)' is \(words). Name another file with \(option).")
  }

  /// Returns the role of a file in the pipeline; `nil` if it may be replaced.
  private func words(of target: String, isReport: Bool) -> String? {
    if Self.areSame(target, definition.file) { return "the pipeline file" }
    if definition.files.contains(where: { Self.areSame(target, $0) }) {
      return "a file that the pipeline includes"
    }
    for (source, files) in definition.dataFiles
    where files.contains(where: { Self.areSame(target, $0) }) {
      return "the data of source '\(source)'"
    }
    for path in definition.sprites.flatMap(\.files)
    where Self.areSame(target, path) {
      return "a file of the pipeline's icons and patterns"
    }
    for output in definition.outputPaths.joined() {
      if Self.areSame(target, output) { return "an archive of the pipeline" }
      let report = ReportFile.path(besideArchive: output)
      // The existing report is the one that is to be replaced.
      if !isReport, Self.areSame(target, report) { return "the report of \(output)" }
      let sidecars = SidecarSet(stem: ReportFile.stem(ofArchive: output), inputs: "")
      if definition.output.hasSidecars,
        sidecars.paths.contains(where: { Self.areSame(target, $0.string) })
      {
        return "a file that a build writes beside \(output)"
      }
    }
    return databaseWords(of: target)
  }

  /// Returns the role of an existing database, in any pipeline.
  private func databaseWords(of target: String) -> String? {
    let bytes = FileHead.bytes(of: FilePath(target), SQLiteHeader.byteCount)
    guard let head = SQLiteHeader(bytes[...]) else { return nil }
    if head.isGeoPackage { return isGeoPackage ? nil : "a GeoPackage" }
    return "a database, such as an archive is"
  }

  /// Whether two paths name the same file, however they are written.
  package static func areSame(_ path: String, _ other: String) -> Bool {
    let (first, second) = (absolute(path), absolute(other))
    if first == second { return true }
    if let one = FileStatus(first), let two = FileStatus(second) { return one.isSameFile(as: two) }
    // A file that does not exist yet, in a folder with two names.
    guard first.lastComponent == second.lastComponent,
      let one = FileStatus(first.removingLastComponent()),
      let two = FileStatus(second.removingLastComponent())
    else { return false }
    return one.isSameFile(as: two)
  }

  private static func absolute(_ path: String) -> FilePath {
    FilePath(FileManager.default.currentDirectoryPath).pushing(FilePath(path))
      .lexicallyNormalized()
  }
}
