import Archives
package import Definition
import Files
import Foundation
import MBTiles
import Reports
import SystemPackage

/// The archive, or the manifest of a series, that a build is about to replace.
package struct ReplacedArchive {
  /// The path of the archive or manifest.
  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Returns the note that another pipeline or program made the archive in place, or that the
  /// report and sidecars of another archive are replaced; `nil` if the same pipeline made it.
  package func note(for definition: PipelineDefinition) -> String? {
    let report = ArchiveReportFile(besideArchive: path)
    let name = FilePath(path).lastComponent?.string
    if let report, let file = report.pipelineFile, report.archiveName != name || describes(report) {
      guard file != PipelineFile.name(of: definition, besideArchive: path) else { return nil }
      return note(file, archive: report.archiveName)
    }
    guard let metadata = try? StoredMetadata.read(FilePath(path)) else { return nil }
    guard metadata[ArchiveMetadata.inputsKey] != nil else {
      return "\(path) was made by another program and is replaced."
    }
    guard let other = metadata["name"], other != definition.name else { return nil }
    return "\(path) was the archive of another pipeline, named '\(other)', and is replaced. "
      + Self.remedy
  }

  /// Whether a report describes the archive in place.
  private func describes(_ report: ArchiveReportFile) -> Bool {
    if let metadata = try? StoredMetadata.read(FilePath(path)) {
      return metadata[ArchiveMetadata.digestKey] == report.digest
    }
    return (try? FileDigest.sha256(of: FilePath(path))) == report.sha256
  }

  /// - Parameters:
  ///   - file: the name of the other pipeline's file in its report.
  ///   - archive: the name of its archive.
  private func note(_ file: String, archive: String?) -> String? {
    let isRemote = DataLocation.isAddress(file)
    let shown = isRemote ? file : PipelineFile.path(file, besideArchive: path).string
    let isThere = isRemote || FileStatus.exists(FilePath(shown))
    let rest = isThere ? ". \(Self.remedy)" : ", a file that is gone."
    if let archive, archive != FilePath(path).lastComponent?.string {
      let other = FilePath(path).removingLastComponent().appending(archive)
      // A pipeline whose container or series changed leaves its old file, which needs no note.
      guard isThere, FileStatus.exists(other) else { return nil }
      return "\(path) has the report and the sidecars of \(other), which are replaced: those of "
        + "another pipeline, \(shown)\(rest)"
    }
    return "\(path) was the archive of another pipeline and is replaced: that of \(shown)\(rest)"
  }

  private static let remedy = "Give one of the two another 'output: {path: …}'."
}
