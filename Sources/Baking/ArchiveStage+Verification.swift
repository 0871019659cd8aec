import Archives
import Definition
import Foundation
import MBTiles
import Reuse
import Runs
import SourceStages
import SystemPackage

// What is checked before an archive is published.
extension ArchiveStage {
  /// Reads the archive back, and compares it with the one in place: the stage `verify`.
  ///
  /// Of an archive that is made from the last one only what was written anew is read.
  func verify(_ made: inout Made, _ written: WrittenTiles) throws(PipelineError) {
    try clock.stage("verify", unit: .tiles, total: made.summary.tiles) { _ in
      let writer: ArchiveWriter
      switch written {
      case .whole(let whole, _): writer = whole
      case .spliced(let spliced):
        if let damage = try spliced.writer.findDamage() {
          throw PipelineError.unverified(
            "archive", "; the last one stays", cause: "\(archive) \(damage).")
        }
        return try verifyContent(made.summary, fresh: spliced.rows)
      }
      let count = last.map {
        ChangeCount(
          from: $0, content: tiles.reuse.unpacked, to: archive,
          isStopped: clock.cancellation.isStopped)
      }
      try verifyContent(made.summary, writer.checksum)
      try count.map { try settle($0.wait(), &made) }
      if isPacked { try pack(&made) }
    }
  }

  /// Checks the archive against what the pipeline expects, and stores what it shows and stores.
  func check(_ made: Made, _ state: TileState?) throws(PipelineError) {
    let expectation = description.definition.expectation
    try expectation.check(
      features: description.sources.usedRecords, tiles: made.summary.tiles)
    if let changes = made.changes, !context.options.acceptsChanges {
      try expectation.check(changes)
    }
    if let state { cache.storeMeanwhile(state.key(plan.paint)) { state.artifact } }
  }

  /// Packs the verified archive as a PMTiles file, which takes its place.
  private func pack(_ made: inout Made) throws {
    _ = try made.file.wait()
    defer { unlink(archive.string) }
    try ArchivePacking.pack(archive, to: path, scratch: scratch, clock.cancellation)
    made.file = SettledFile(path, isStopped: clock.cancellation.isStopped)
  }

  /// Records the counted changes, or the reason why they could not be counted.
  private func settle(_ count: ChangeCount.Outcome, _ made: inout Made) throws {
    try clock.cancellation.check()
    switch count {
    case .first: break
    case .counted(let changes): made.changes = changes
    case .unreadable(let reason):
      let unchecked = description.definition.expectation.changedTiles.isLimited
      made.notes.append(
        "the new archive was not compared with the last one: \(reason)"
          + (unchecked ? " 'changedTiles' was not checked." : ""))
    }
  }

  private func verifyContent(
    _ summary: ArchiveSummary, _ checksum: ContentChecksum? = nil, fresh: [WrittenRows]? = nil
  ) throws {
    var verifier = ArchiveVerifier(level: .publish)
    verifier.expected = summary
    verifier.fresh = fresh
    verifier.written = checksum.map { WrittenContent(summary, $0, layout) }
    verifier.isStopped = clock.cancellation.isStopped
    let verification = verifier.verify(archive)
    try clock.cancellation.check()
    let faults = verification.findings.filter { $0.severity == .error }
    // SQLite reports a page as damaged that the system failed to deliver, or the file as not a
    // database.
    if let failure = faults.first(where: { [.reading, .integrity, .file].contains($0.topic) }) {
      throw PipelineError.unreadable(
        "archive \(path)", "; the last one stays", cause: failure.message)
    }
    guard let fault = faults.first else { return }
    throw PipelineError.unverified("archive", "; the last one stays", cause: fault.message)
  }
}
