import Definition
import Reports
package import Runs
import SystemPackage

/// The file of metrics of a run, `--metrics FILE.prom`.
///
/// The new file takes the place of the last by renaming. Until then its name does not end in
/// `.prom`, so that no collector reads it.
package enum MetricsFile {
  /// What every name ends with: the collector reads nothing else.
  package static let suffix = ".prom"

  /// No file of this program is longer; what is longer is another's.
  private static let limit = 1 << 20

  /// Writes what the run came to, keeping from the last file what still holds.
  ///
  /// - Parameters:
  ///   - time: the end of the run in seconds since 1970.
  ///   - redactions: what no file of the run may hold.
  /// - Throws: ``PipelineError`` with code `cannotCreate`, `inputOutput` or `permission`.
  package static func update(
    _ path: String, with outcomes: [PipelineOutcome], time: Double, redactions: RedactionList
  ) throws(PipelineError) {
    let metrics = RunMetrics(outcomes, last: last(path), time: time, redactions: redactions)
    try ReportFile.write(metrics.text, to: path)
  }

  /// The text of the last file; of what is no file, such as a pipe that nobody fills, none.
  private static func last(_ path: String) -> String {
    guard (try? Stat(FilePath(path)))?.type == .regular,
      let bytes = try? DocumentFile.read(path, limit: limit)
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
