import Features
import Foundation
import MBTiles
import PNG
import SystemPackage

/// Builds, proves and publishes one archive: the old one stays until the new one is whole.
struct ArchiveStage {
  let planned: PlannedTiles
  let description: ArchiveDescription
  let layout: ArchiveLayout
  /// Where to write; nothing is there.
  let path: FilePath
  /// Where to keep images while the archive is made; `nil` is beside the archive.
  let scratch: FilePath?
  let threads: Int
  let clock: StageClock

  /// What was published.
  struct Outcome {
    var summary: ArchiveSummary
    var tiles: TileStage.Outcome
    var bytes: Int
    var sha256: String
  }

  /// Runs the stages `tiles`, `index`, `verify` and `publish`.
  func run(_ publication: ArchivePublication) throws(PipelineError) -> Outcome {
    let (summary, tiles) = try make()
    let (bytes, sha256) = try clock.stage("publish", unit: .bytes) { _ in
      let sha256 = try FileDigest.sha256(of: path)
      let size = try FileManager.default.attributesOfItem(atPath: path.string)[.size] as? Int
      try publication.commit()
      return (size ?? 0, sha256)
    }
    return Outcome(summary: summary, tiles: tiles, bytes: bytes, sha256: sha256)
  }

  /// Writes and proves the archive: the stages before `publish`.
  func make() throws(PipelineError) -> (summary: ArchiveSummary, tiles: TileStage.Outcome) {
    let plannedRows = planned.counts.reduce(0) { $0 + $1.drawn + $1.transparent }
    let (writer, tiles) = try clock.stage("tiles", unit: .tiles, total: plannedRows) { advance in
      let writer = try ArchiveWriter(
        path: path, layout: layout, scratch: scratch, isStopped: clock.cancellation.isStopped)
      let stage = TileStage(
        builder: planned.builder, threads: threads, cancellation: clock.cancellation,
        progress: { try advance($0, nil) })
      return (writer, try stage.run(planned.rows, into: writer))
    }
    let summary = try clock.stage("index", unit: .rows) { _ in
      let summary = try writer.finish(metadata: try description.metadata(of: writer.statistics))
      guard summary.tiles == plannedRows else {
        throw PipelineError(
          .bug, "\(summary.tiles) tiles were written where \(plannedRows) were planned.")
      }
      return summary
    }
    try clock.stage("verify", unit: .tiles, total: summary.tiles) { _ in try verify(summary) }
    let definition = description.definition
    try definition.expectation.check(
      features: description.sources.reduce(0) { $0 + $1.ledger.used },
      tiles: summary.tiles)
    return (summary, tiles)
  }

  private func verify(_ summary: ArchiveSummary) throws {
    var verifier = ArchiveVerifier(level: .publish)
    verifier.expected = summary
    verifier.isStopped = clock.cancellation.isStopped
    let verification = verifier.verify(path)
    try clock.cancellation.check()
    let faults = verification.findings.filter { $0.severity == .error }
    if let failure = faults.first(where: { $0.topic == .reading }) {
      throw PipelineError(
        .inputOutput,
        "the new archive cannot be read back and was not published; the last one stays. Check the "
          + "disk.", cause: failure.message)
    }
    guard let fault = faults.first else { return }
    throw PipelineError(
      .bug,
      "the new archive failed its verification and was not published; the last one stays.",
      cause: fault.message)
  }
}
