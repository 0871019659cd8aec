import JSON
import Pipeline

/// The numbers of a build's report that a page shows: nothing that tells of the machine's folders.
enum ReportExtract {
  /// A report is refused beyond this.
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

  /// The extract of a report's file; `nil` where there is none that can be read.
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
