import Archives
import Definition
import JSON
import MBTiles
import Reports
import Runs
import SystemPackage

extension Build {
  /// The state of the archives in place, as a run finds them.
  enum Standing {
    /// The archives were made from the same inputs and are intact.
    case unchanged([BuildReport])
    /// The archives are to be built; with notes for the user on the old ones.
    case outdated(notes: [String])
  }

  /// Examines the existing archives.
  ///
  /// With `--no-cache` and `--force` the run skips this: it trusts no results of earlier runs,
  /// including their archives.
  func standing(_ fingerprints: [BuildFingerprint]) throws(PipelineError) -> Standing {
    guard !options.force, !options.noCache else { return .outdated(notes: []) }
    var reports: [BuildReport] = []
    for (scale, fingerprint) in zip(definition.tiles.scales, fingerprints) {
      let archive = published(scale: scale)
      let metadata: StoredMetadata
      do {
        metadata = try StoredMetadata.read(FilePath(archive.path))
      } catch {
        let isDamaged = error.code != .missing && archive.isRecorded
        return .outdated(notes: isDamaged ? [Self.note(archive, "cannot be opened")] : [])
      }
      guard metadata[ArchiveMetadata.inputsKey] == fingerprint.text else {
        return .outdated(notes: [])
      }
      switch archive.standing() {
      case .damaged(let fault):
        try cancellation.check()
        return .outdated(notes: [Self.note(archive, fault)])
      case .whole(let sha256):
        reports.append(
          unchanged(archive.path, metadata, sha256))
      }
    }
    return .unchanged(reports)
  }

  /// Returns the published archive of a pixel density.
  func published(scale: Int) -> PublishedArchive {
    PublishedArchive(
      path: definition.output.path(scale: scale), cache: artifacts,
      cancellation: cancellation)
  }

  private static func note(_ archive: PublishedArchive, _ fault: String) -> String {
    let end = fault.hasSuffix(".") ? "" : "."
    return "\(archive.path) was damaged and is built again: \(fault)\(end)"
  }

  /// Returns the report of an archive that stays; it is made from the archive itself where its
  /// report file is missing, describes another archive, or counts no tiles of an archive that has
  /// some.
  private func unchanged(
    _ path: String, _ metadata: StoredMetadata, _ sha256: String
  ) -> BuildReport {
    var report = BuildReport(
      of: definition, result: .unchanged,
      archive: ArchiveReport(
        path: path, bytes: Build.size(of: path) ?? 0, sha256: sha256,
        digest: metadata[ArchiveMetadata.digestKey] ?? ""))
    report.notes = notes
    let known = ArchiveReportFile(besideArchive: path)
    let isKnown = known?.sha256 == sha256 && known?.digest == report.archive.digest
    let reported = isKnown ? known?.content : nil
    report.standing = reported
    if let reported, reported.tiles.planned > 0 { return report }
    // An intact archive matters more than whether its content can be reported here.
    guard let reader = try? ArchiveReader.opening(FilePath(path)),
      let content = try? ArchiveContent(reader)
    else { return report }
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
