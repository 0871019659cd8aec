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

  /// Returns the note, a sentence, that another pipeline or program made it, or that another archive
  /// beside it has the same report; `nil` for the last archive of the same pipeline.
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

  /// Whether a report tells of what is in place.
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
      // Whoever changes the container or the series of a pipeline leaves the old file.
      guard isThere, FileStatus.exists(other) else { return nil }
      return "\(path) has the report and the sidecars of \(other), which are replaced: those of "
        + "another pipeline, \(shown)\(rest)"
    }
    return "\(path) was the archive of another pipeline and is replaced: that of \(shown)\(rest)"
  }

  private static let remedy = "Give one of the two another 'output: {path: …}'."
}
