import Definition
import Files
package import Runs
package import SystemPackage

/// A writer of small files that leaves either the old or the new file, never a part of it.
package enum ReportFile {
  /// Returns the path of the report beside an archive or the manifest of a series:
  /// `NAME.report.json` for `NAME.mbtiles` and `NAME.frames.json`.
  package static func path(besideArchive archive: String) -> String {
    stem(ofArchive: archive) + ".report.json"
  }

  /// Returns the path of the list of updates beside an archive: `NAME.updates.json` for
  /// `NAME.mbtiles`.
  package static func updateListPath(besideArchive archive: String) -> String {
    stem(ofArchive: archive) + ".updates.json"
  }

  /// Returns the path of the changes of clusters beside an archive: `NAME.changes.ndjson` for
  /// `NAME.mbtiles`.
  package static func changesPath(besideArchive archive: String) -> String {
    stem(ofArchive: archive) + ".changes.ndjson"
  }

  /// Returns the path of the list of packs beside an archive: `NAME.packs.json` for `NAME.mbtiles`.
  package static func packListPath(besideArchive archive: String) -> String {
    stem(ofArchive: archive) + ".packs.json"
  }

  /// Returns the prefix of the files beside an archive or manifest: its path without `.mbtiles`,
  /// `.pmtiles` or `.frames.json`.
  package static func stem(ofArchive archive: String) -> String {
    OutputDefinition.stem(of: archive)
  }

  /// Writes a text through a temporary file in the same folder, synced and renamed; the folder's
  /// entry is synced too.
  ///
  /// - Throws: ``PipelineError`` with code `cannotCreate`, `inputOutput` or `permission`.
  package static func write(_ text: String, to path: String) throws(PipelineError) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes bytes in the same way, after removing temporary files that dead runs left for the same
  /// path.
  package static func write(_ bytes: [UInt8], to path: String) throws(PipelineError) {
    let target = FilePath(path)
    StaleFiles.remove(besides: target, isLocked: false)
    do {
      try DurableFile.write(bytes, to: target)
    } catch {
      throw failure(error, path: path)
    }
  }

  /// Returns the error of the run for a system error on a file.
  package static func failure(_ error: Errno, path: String) -> PipelineError {
    PipelineError(
      FailureCode(error, creating: .companion),
      "the file cannot be written. Check the folder and its permissions.",
      at: DocumentPlace(file: path), cause: "\(error)")
  }
}
