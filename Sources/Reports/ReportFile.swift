import Definition
import Files
import MBTiles
package import Runs
package import SystemPackage

/// Writes a small file so that the file is either the old or the new one, never half of it.
package enum ReportFile {
  /// The report beside an archive: `NAME.mbtiles` has `NAME.report.json`.
  package static func path(besideArchive archive: String) -> String {
    stem(ofArchive: archive) + ".report.json"
  }

  /// The list of deltas beside an archive: `NAME.mbtiles` has `NAME.deltas.json`.
  package static func deltaListPath(besideArchive archive: String) -> String {
    stem(ofArchive: archive) + ".deltas.json"
  }

  /// What the files beside an archive begin with: its path without `.mbtiles`.
  package static func stem(ofArchive archive: String) -> String {
    let suffix = OutputDefinition.suffix
    return String(archive.hasSuffix(suffix) ? archive.dropLast(suffix.count) : archive[...])
  }

  /// Writes a text through a temporary file in the same folder, synced and renamed; the folder's record
  /// of that is on the medium too.
  ///
  /// - Throws: ``PipelineError`` with code `cannotCreate`, `inputOutput` or `permission`.
  package static func write(_ text: String, to path: String) throws(PipelineError) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes bytes in the same way, after what dead runs left of the same file is removed.
  package static func write(_ bytes: [UInt8], to path: String) throws(PipelineError) {
    let target = FilePath(path)
    StaleFiles.remove(besides: target, isLocked: false)
    do {
      try DurableFile.write(bytes, to: target)
    } catch {
      throw failure(error, path: path)
    }
  }

  /// What the system's refusal of a file means for the run.
  package static func failure(_ error: Errno, path: String) -> PipelineError {
    let code: PipelineError.Code =
      switch error {
      case .permissionDenied, .notPermitted: .permission
      case .noSuchFileOrDirectory, .notDirectory, .isDirectory, .readOnlyFileSystem: .cannotCreate
      default: .inputOutput
      }
    return PipelineError(
      code, "the file cannot be written. Check the folder and its permissions.",
      at: DocumentPlace(file: path), cause: "\(error)")
  }
}
