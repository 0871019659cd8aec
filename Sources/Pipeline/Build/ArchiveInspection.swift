import Features
import Foundation
import Ingest
import MBTiles
import PNG
import SystemPackage

/// An archive as `inspect` and `verify` see it.
struct ArchiveInspection {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Metadata and the table of zooms.
  func text() throws(PipelineError) -> String {
    do {
      let reader = try ArchiveReader(FilePath(path))
      let summary = try reader.summary()
      var names = ReportTable()
      names.textColumns = [0, 1]
      names.rows = reader.metadata.entries.map { [$0.name, $0.value] }
      var zooms = ReportTable()
      zooms.textColumns = []
      zooms.rows = [["zoom", "tiles", "empty", "distinct", "bytes"]]
      for zoom in summary.zooms {
        zooms.rows.append(
          [zoom.zoom, zoom.tiles, zoom.empty, zoom.distinct].map(ReportNumber.count)
            + [ReportNumber.bytes(zoom.bytes)])
      }
      zooms.rows.append(
        ["all"] + [summary.tiles, summary.empty, summary.distinct].map(ReportNumber.count)
          + [ReportNumber.bytes(summary.bytes)])
      return [
        "\(path): \(reader.layout.rawValue) layout, "
          + "\(ReportNumber.bytes(summary.distinctBytes)) of distinct images", names.text,
        zooms.text,
      ].joined(separator: "\n\n")
    } catch {
      throw PipelineError(error)
    }
  }

  /// Everything that ARCHIVE.md says, every image decoded, and the conservation ledger.
  func verify(
    _ cancellation: Cancellation = Cancellation()
  ) throws(PipelineError) -> VerificationSummary {
    guard FileManager.default.fileExists(atPath: path) else {
      throw PipelineError(
        .missingInput, "there is no such archive.", at: DocumentPlace(file: path))
    }
    var verifier = ArchiveVerifier(level: .full)
    let check = PNGCheck()
    verifier.isStopped = cancellation.isStopped
    verifier.imageCheck = { check.fault(in: $0) }
    verifier.ledgerCheck = { text in
      guard let value = try? JSONValueParser.parse(Array(text.utf8)) else {
        return "the ledger is no JSON"
      }
      return LedgerForm.fault(in: value)
    }
    let verification = verifier.verify(FilePath(path))
    try cancellation.check()
    if let failure = verification.findings.first(where: { $0.topic == .reading }) {
      throw PipelineError(.inputOutput, failure.message, at: DocumentPlace(file: path))
    }
    let faults = verification.findings.filter { $0.severity == .error }.map(\.message)
    let warnings = verification.findings.filter { $0.severity != .error }.map(\.message)
    let tiles = ReportNumber.count(verification.summary?.tiles ?? 0)
    return VerificationSummary(
      faults: faults, warnings: warnings,
      conclusion: faults.isEmpty
        ? "sound: \(tiles) tiles, digest "
          + "\(verification.summary?.hashes?.digest ?? "unknown")"
        : "\(faults.count) faults")
  }
}
