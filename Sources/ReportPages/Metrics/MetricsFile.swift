import Definition
import Reports
package import Runs
import SystemPackage

/// The file of metrics of a run, `--metrics FILE.prom`.
///
/// The new file replaces the last by renaming. Until then its name does not end in `.prom`, so that
/// collectors do not read it.
package enum MetricsFile {
  /// The required suffix: the collector reads nothing else.
  package static let suffix = ".prom"

  /// The maximum size in bytes; a longer file was not written by this program.
  private static let limit = 1 << 20

  /// Writes the metrics of the run, keeping samples of the last file that are still valid.
  ///
  /// - Parameters:
  ///   - time: the end of the run in seconds since 1970.
  ///   - redactions: secrets that the run's files must not contain.
  /// - Throws: ``PipelineError`` with code `cannotCreate`, `inputOutput` or `permission`.
  package static func update(
    _ path: String, with outcomes: [PipelineOutcome], time: Double, redactions: RedactionList
  ) throws(PipelineError) {
    let metrics = RunMetrics(outcomes, last: last(path), time: time, redactions: redactions)
    try ReportFile.write(metrics.text, to: path)
  }

  /// Returns the text of the last file; empty for anything but a regular file, such as a pipe
  /// without a writer.
  private static func last(_ path: String) -> String {
    guard (try? Stat(FilePath(path)))?.type == .regular,
      let bytes = try? DocumentFile.read(path, limit: limit)
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
