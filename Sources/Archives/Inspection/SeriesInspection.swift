import Definition
import Files
import Ingest
import MBTiles
import Overlays
import Platform
package import Runs
import SystemPackage
import Tiling

/// The inspection of a manifest of frames by `inspect` and `verify`.
package struct SeriesInspection {
  private let path: String
  private let bytes: [UInt8]
  private let manifest: FramesManifest

  /// Whether a path names a manifest rather than an archive.
  package static func isManifest(_ path: String) -> Bool {
    path.hasSuffix(OutputDefinition.manifestSuffix)
  }

  package init(_ path: String) throws(PipelineError) {
    self.path = path
    let bytes = try DocumentFile.bytes(of: path, limit: 64 << 20)
    self.bytes = bytes
    manifest = try PipelineError.wrapping {
      let document = try JSONValueParser.parse(bytes, name: path)
      return try FramesManifest(document, name: path)
    }
  }

  /// Describes the playback of the series, with a line for each frame and gap.
  package func text() -> String {
    let box = manifest.bounds
    let bounds = [box.west, box.south, box.east, box.north].map { "\($0)" }
      .joined(separator: ", ")
    var head = ReportTable(
      [
        ["series", manifest.names.series], ["bounds", bounds],
        ["shown", "\(manifest.presentation.frameDuration) ms a frame"],
        ["default", "\(manifest.defaultFrame)"],
      ], text: [0, 1])
    if let every = manifest.cadence { head.rows.append(["every", "\(every) s"]) }
    for gap in manifest.gaps {
      head.rows.append(
        ["gap", "\(gap.missing) between \(gap.from) and \(gap.to): \(gap.policy.rawValue)"])
    }
    for time in manifest.unusable { head.rows.append(["unusable", "\(time)"]) }
    var frames = ReportTable([["time", "archive", "zooms", "ms"]], text: [0, 1])
    for frame in manifest.frames {
      frames.rows.append([
        "\(frame.time)", frame.archive.file, "\(frame.archive.minZoom)–\(frame.archive.maxZoom)",
        "\(frame.duration)",
      ])
    }
    return [
      "\(path): \(manifest.frames.count) frames", head.text, frames.text,
    ].joined(separator: "\n\n")
  }

  /// Recomputes the SHA-256 of every archive, and verifies each archive.
  ///
  /// A series that a run publishes meanwhile is verified again as it is then.
  ///
  /// - Complexity: O(bytes of all archives).
  package func verify(_ cancellation: Cancellation) throws(PipelineError) -> VerificationSummary {
    var series = self
    while true {
      let summary = try series.verifyArchives(cancellation)
      if summary.faults.isEmpty { return summary }
      // The archives of a series get their names shortly before its manifest.
      usleep(Self.publishing)
      let now = try SeriesInspection(path)
      if now.bytes == series.bytes { return summary }
      series = now
    }
  }

  /// Microseconds within which a manifest follows its archives.
  private static let publishing: UInt32 = 200_000

  private func verifyArchives(
    _ cancellation: Cancellation
  ) throws(PipelineError) -> VerificationSummary {
    let folder = FilePath(path).removingLastComponent()
    var summary = VerificationSummary(conclusion: "")
    for frame in manifest.frames {
      try summary.verify(
        frame.archive.file, sha256: frame.archive.sha256, of: "manifest", in: folder, cancellation)
    }
    summary.concludeArchives(manifest.frames.count)
    return summary
  }
}
