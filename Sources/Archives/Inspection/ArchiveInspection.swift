import Features
import Files
import Foundation
import Ingest
import JSON
import MBTiles
import Reports
import Reuse
package import Runs
import SystemPackage

/// The inspection of an archive by `inspect` and `verify`.
package struct ArchiveInspection {
  /// The row of the metadata with the layers of vector tiles, which are shown as a table.
  private static let layerList = "json"

  private let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// Returns metadata and the table of zooms; a cancelled run ends within any query.
  package func text(_ cancellation: Cancellation = Cancellation()) throws(PipelineError) -> String {
    try ArchiveFailure.wrap(cancellation) {
      let reader = try ArchiveReader(FilePath(path), isStopped: cancellation.isStopped)
      let summary = try reader.summary()
      var names = ReportTable(text: [0, 1])
      let provenance = reader.metadata[Provenance.key].flatMap(Self.parsed).map(ProvenanceForm.init)
      names.rows = reader.metadata.entries.filter { entry in
        provenance == nil || entry.name != Provenance.key
      }.map { [$0.name, $0.name == Self.layerList ? "…" : $0.value] }
      var inputs = ReportTable(text: [0, 2, 3])
      inputs.rows = [["made of", "rows", "file", "sha256"]] + (provenance?.table ?? [])
      var zooms = ReportTable([["zoom", "tiles", "empty", "distinct", "bytes"]], text: [])
      for zoom in summary.zooms {
        zooms.rows.append(
          [zoom.zoom, zoom.tiles, zoom.empty, zoom.distinct].map(ReportNumber.count)
            + [ReportNumber.bytes(zoom.bytes)])
      }
      zooms.rows.append(
        ["all"] + [summary.tiles, summary.empty, summary.distinct].map(ReportNumber.count)
          + [ReportNumber.bytes(summary.bytes)])
      let taps = try reader.gridSummary().map { "taps: \($0.sentence)" }
      return [
        "\(path): \(reader.layout.rawValue) layout, "
          + "\(ReportNumber.bytes(summary.distinctBytes)) of distinct images", names.text,
        provenance == nil ? nil : inputs.text, zooms.text, taps,
      ].compactMap(\.self).joined(separator: "\n\n")
    }
  }

  /// Returns metadata and zooms for `inspect --json`.
  func members(_ cancellation: Cancellation) throws(PipelineError) -> [ReportJSON.Member] {
    try ArchiveFailure.wrap(cancellation) {
      let reader = try ArchiveReader(FilePath(path), isStopped: cancellation.isStopped)
      let summary = try reader.summary()
      var members: [ReportJSON.Member] = .of([
        "container": .string("mbtiles"), "layout": .string(reader.layout.rawValue),
        "tiles": .integer(summary.tiles), "empty": .integer(summary.empty),
        "distinct": .integer(summary.distinct), "bytes": .integer(summary.bytes),
        "distinctBytes": .integer(summary.distinctBytes),
        "metadata": .metadata(reader.metadata.entries),
        "zooms": .array(
          summary.zooms.map { zoom in
            .members([
              "zoom": .integer(zoom.zoom), "tiles": .integer(zoom.tiles),
              "empty": .integer(zoom.empty), "distinct": .integer(zoom.distinct),
              "bytes": .integer(zoom.bytes),
            ])
          }),
      ])
      if let taps = try reader.gridSummary() {
        members.append(
          .init(
            "taps",
            .members([
              "compact": .bool(taps.isCompact), "tiles": .integer(taps.tiles),
              "distinct": .integer(taps.distinct), "bytes": .integer(taps.bytes),
              "keys": .integer(taps.keys), "keyBytes": .integer(taps.keyBytes),
            ])))
      }
      return members
    }
  }

  /// Verifies every requirement of docs/archive.md, every image decoded, and the ledger.
  package func verify(
    _ cancellation: Cancellation = Cancellation()
  ) throws(PipelineError) -> VerificationSummary {
    let file: HeldFile
    do throws(Errno) {
      file = try HeldFile(FilePath(path))
    } catch .noSuchFileOrDirectory, .notDirectory {
      throw PipelineError(
        .missingInput, "there is no such archive.", at: DocumentPlace(file: path))
    } catch .permissionDenied {
      throw PipelineError(
        .permission, "may not be read; give this user read permission.",
        at: DocumentPlace(file: path))
    } catch {
      throw PipelineError(
        .inputOutput, "cannot be read: \(error).", at: DocumentPlace(file: path))
    }
    return try verify(file, cancellation)
  }

  /// Verifies a file that may have lost its name.
  func verify(
    _ file: HeldFile, _ cancellation: Cancellation
  ) throws(PipelineError) -> VerificationSummary {
    var verifier = ArchiveVerifier(level: .full)
    let check = PictureCheck()
    verifier.isStopped = cancellation.isStopped
    verifier.imageCheck = { check.fault(in: $0) }
    verifier.gridText = { GridTextReader.keys(of: $0) }
    verifier.ledgerCheck = { text in
      guard let value = Self.parsed(text) else { return "the ledger is no JSON" }
      return LedgerForm.fault(in: value)
    }
    let verification = verifier.verify(file)
    try cancellation.check()
    if let failure = verification.findings.first(where: { $0.topic == .reading }) {
      throw PipelineError(.inputOutput, failure.message, at: DocumentPlace(file: path))
    }
    var faults = verification.findings.filter { $0.severity == .error }.map(\.message)
    faults += [fault(in: verification.metadata), faultOfFile(file, verification.metadata)]
      .compactMap(\.self)
    let warnings = verification.findings.filter { $0.severity != .error }.map(\.message)
    let tiles = ReportNumber.count(verification.summary?.tiles ?? 0)
    return VerificationSummary(
      faults: faults, warnings: warnings,
      conclusion: faults.isEmpty
        ? "sound: \(tiles) tiles, digest "
          + "\(verification.summary?.hashes?.digest ?? "unknown")"
        : "\(faults.count) fault\(faults.count == 1 ? "" : "s")")
  }

  private static func parsed(_ text: String) -> PropertyValue? {
    try? JSONValueParser.parse(Array(text.utf8))
  }

  /// Returns the first problem with the provenance, or `nil`; archives of other programs have none.
  private func fault(in metadata: StoredMetadata?) -> String? {
    guard let metadata, let text = metadata[Provenance.key] else { return nil }
    guard let value = Self.parsed(text) else { return "the provenance is no JSON." }
    return ProvenanceForm(value).fault(
      ledger: metadata[ArchiveMetadata.ledgerKey].flatMap(Self.parsed),
      version: metadata["\(ArchiveMetadata.prefix)version"])
  }

  /// Checks whether the file is the one that the report beside it describes: no other check covers
  /// unused bytes in SQLite's pages and the counters in its header.
  private func faultOfFile(_ file: HeldFile, _ metadata: StoredMetadata?) -> String? {
    guard let report = ArchiveReportFile(besideArchive: path), !report.sha256.isEmpty,
      report.digest == metadata?[ArchiveMetadata.digestKey],
      let digest = try? FileDigest.sha256(of: file.address), digest != report.sha256,
      // If the name leads to another file now, a run has published meanwhile, and the report is its
      // own.
      file.isInPlace, ArchiveReportFile(besideArchive: path) == report
    else { return nil }
    return "the file is not the one that was published: its SHA-256 is \(digest), "
      + "but \(ReportFile.path(besideArchive: path)) has \(report.sha256)."
  }
}
