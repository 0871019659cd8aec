import Definition
import JSON
import Runs

/// The numbers of a build's report that a page shows, without anything that reveals the machine's
/// folders.
enum ReportExtract {
  /// Maximum bytes of a report; a larger one is refused.
  private static let maxBytes = 16 << 20

  private static let kept = [
    "pipeline", "result", "sources", "stages", "zooms", "tiles", "taps", "changes", "archive",
    "series", "peakMemoryBytes",
  ]
  private static let archive = ["bytes", "sha256", "digest"]
  private static let series = [
    "frames", "first", "latest", "built", "unchanged", "expired", "leftOut", "replaced", "gaps",
    "comparedTiles", "identicalTiles",
  ]
  private static let source = [
    "read", "used", "filtered", "noGeometry", "beyondMap", "limited", "rejected", "format", "width",
    "height",
  ]

  /// Reads the extract of a report's file; `nil` if there is no readable one.
  static func read(_ path: String) -> ReportJSON? {
    guard let bytes = try? DocumentFile.read(path, limit: maxBytes, waits: false),
      let report = ReportJSON(bytes),
      case .object = report
    else { return nil }
    return report.keeping(kept)
      .replacing("archive") { $0.keeping(archive) }
      .replacing("series") { $0.keeping(series) }
      .replacing("sources") { sources in
        guard case .object(let members) = sources else { return .null }
        return .object(members.map { .init($0.key, $0.value.keeping(source)) })
      }
  }
}
