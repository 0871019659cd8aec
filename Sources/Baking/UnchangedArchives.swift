import Archives
import Definition
import Foundation
import JSON
import MBTiles
import Reports
import Runs
import SystemPackage

extension Build {
  /// What a run finds in the place of its archives.
  enum Standing {
    /// They were made from the same inputs and are whole.
    case unchanged([BuildReport])
    /// They are to be built; with what the user should know about the old ones.
    case outdated(notes: [String])
  }

  /// Looks at the archives that are there.
  ///
  /// With `--no-cache` and `--force` the run does not ask: it trusts nothing of earlier runs, their
  /// archives included.
  func standing(_ fingerprints: [BuildFingerprint]) throws(PipelineError) -> Standing {
    guard !options.force, !options.noCache else { return .outdated(notes: []) }
    var reports: [BuildReport] = []
    for (scale, fingerprint) in zip(definition.tiles.scales, fingerprints) {
      let archive = published(scale: scale)
      let reader: ArchiveReader
      do {
        reader = try ArchiveReader(FilePath(archive.path))
      } catch {
        let isDamaged = error.code != .missing && archive.isRecorded
        return .outdated(notes: isDamaged ? [Self.note(archive, "cannot be opened")] : [])
      }
      guard reader.metadata[BuildFingerprint.key] == fingerprint.text else {
        return .outdated(notes: [])
      }
      switch archive.standing() {
      case .damaged(let fault):
        try cancellation.check()
        return .outdated(notes: [Self.note(archive, fault)])
      case .whole(let sha256):
        reports.append(
          unchanged(archive.path, reader, sha256))
      }
    }
    return .unchanged(reports)
  }

  /// The archive of a pixel density, where it is published.
  func published(scale: Int) -> PublishedArchive {
    PublishedArchive(
      path: definition.output.path(scale: scale), cache: artifacts,
      cancellation: cancellation)
  }

  private static func note(_ archive: PublishedArchive, _ fault: String) -> String {
    let end = fault.hasSuffix(".") ? "" : "."
    return "\(archive.path) was damaged and is built again: \(fault)\(end)"
  }

  /// The report of an archive that stays; its report file is made from the archive itself where it is
  /// missing, tells of another one, or counts no tiles of an archive that has some.
  private func unchanged(
    _ path: String, _ reader: ArchiveReader, _ sha256: String
  ) -> BuildReport {
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    var report = BuildReport(
      pipeline: definition.name, result: .unchanged,
      archive: ArchiveReport(
        path: path, bytes: size ?? 0, sha256: sha256,
        digest: reader.metadata[ArchiveMetadata.digestKey] ?? ""))
    report.notes = notes
    let known = ArchiveReportFile(besideArchive: path)
    let reported = known?.sha256 == sha256 ? known?.content : nil
    report.standing = reported
    if let reported, reported.tiles.planned > 0 { return report }
    // That the archive is good matters more than whether it can be reported here.
    guard let content = try? ArchiveContent(reader) else { return report }
    // An archive without tiles has a report that counts none.
    if let reported, reported.tiles.planned == content.tiles.planned { return report }
    report.standing = content
    var written = report
    written.sources = content.sources.map { $0.redacted(by: definition.redactions) }
    written.tiles = content.tiles
    written.zooms = content.zooms
    written.grids = try? reader.gridSummary()
    let file = ReportFile.path(besideArchive: path)
    if (try? ReportFile.write(written.json.pretty, to: file)) != nil {
      report.notes.append(
        "\(file) was missing or told of another archive; it is written again from what the archive "
          + "itself says: without stages, clusters and reasons of rejected records.")
    }
    return report
  }
}
