package import ArchiveDeltas
import Files
import MBTiles
import Platform
package import Runs
import SystemPackage

/// The application of a delta to an archive, as `apply` runs it.
package struct ArchivePatch {
  package let delta: String
  package let archive: String

  /// The folder of temporary files; `nil` for the archive's own.
  package let scratch: String?

  package let clock: StageClock

  package init(delta: String, archive: String, scratch: String?, clock: StageClock) {
    self.delta = delta
    self.archive = archive
    self.scratch = scratch
    self.clock = clock
  }

  /// Writes the new archive beside the old one, verifies it, and replaces the old one; the old
  /// archive stays until then, and permanently if anything is wrong.
  package func run() throws(PipelineError) -> PatchSummary {
    try ArchiveFailure.wrap(clock.cancellation) {
      let delta = try DeltaReader(FilePath(delta))
      delta.stopWhen(clock.cancellation.isStopped)
      // A missing archive is reported as such, and leaves no lock.
      _ = try StoredMetadata.read(FilePath(archive))
      let publication = try ArchivePublication(FilePath(archive))
      let reader = try ArchiveReader.opening(FilePath(archive))
      reader.stopWhen(clock.cancellation.isStopped)
      let application = DeltaApplication(delta, to: reader, gridText: GridTextReader.keys)
      if try application.standing() == .after {
        try clock.stage("hash", unit: .tiles) { _ in try application.proveAfter() }
        return PatchSummary(archive: archive, facts: delta.facts, result: .unchanged)
      }
      guard !publication.isHeld else {
        throw PipelineError(
          .unexpected,
          "\(archive) was rolled back from \(publication.setAside), so no delta is applied to it. "
            + "Remove \(publication.setAside) to go on from here.")
      }
      let sha256 = try make(application, delta, publication)
      try clock.stage("publish", unit: .bytes) { _ in try publication.commit() }
      return PatchSummary(
        archive: archive, facts: delta.facts,
        result: sha256 == delta.facts.sha256 ? .applied : .appliedOtherwise)
    }
  }

  /// Writes and verifies the new archive, and returns the SHA-256 of its file.
  private func make(
    _ application: DeltaApplication, _ delta: DeltaReader, _ publication: ArchivePublication
  ) throws -> String {
    let isPacked = PMTilesMetadata.isPMTiles(FilePath(archive))
    let made = isPacked ? FilePath("\(publication.temporary)-archive") : publication.temporary
    defer { if isPacked { unlink(made.string) } }
    let summary = try clock.stage("apply", unit: .tiles, total: delta.facts.tilesBefore) {
      advance in
      try application.write(
        to: made, scratch: scratch.map { FilePath($0) }
      ) { try advance($0, nil) }
    }
    return try clock.stage("verify", unit: .tiles, total: summary.tiles) { _ in
      var verifier = ArchiveVerifier(level: .publish)
      verifier.expected = summary
      verifier.isStopped = clock.cancellation.isStopped
      let verification = verifier.verify(made)
      try clock.cancellation.check()
      let errors = verification.findings.filter { $0.severity == .error }
      if let failure = errors.first(where: { $0.topic == .reading }) {
        throw PipelineError.unreadable("archive", cause: failure.message)
      }
      if let fault = errors.first {
        throw PipelineError(
          .badData,
          "\(self.delta) leads to an archive that is not sound; \(archive) stays as it is. Get the "
            + "delta again.", cause: fault.message)
      }
      if isPacked {
        try ArchivePacking.pack(
          made, to: publication.temporary, scratch: scratch.map { FilePath($0) },
          clock.cancellation)
      }
      return try FileDigest.sha256(of: publication.temporary)
    }
  }
}

/// The result of `apply`.
package struct PatchSummary: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable {
    /// The archive is now the delta's new one, byte for byte.
    case applied
    /// The archive has the new one's tiles and metadata in a file of other bytes: another version
    /// of SQLite wrote it.
    case appliedOtherwise
    /// The archive was the new one already.
    case unchanged
  }

  package var archive: String
  package var facts: DeltaFacts
  package var result: Result

  /// The result as a line for people.
  package var text: String {
    let after = facts.end.short
    switch result {
    case .unchanged: return "\(archive): unchanged, it is \(after) already"
    case .applied, .appliedOtherwise:
      let bytes =
        result == .applied
        ? "" : "; its bytes are not the builder's, whose SQLite is another version"
      return "\(archive): \(facts.start.short) is now \(after), "
        + "\(ReportNumber.count(facts.added)) tiles added, \(ReportNumber.count(facts.changed)) "
        + "changed, \(ReportNumber.count(facts.removed)) removed\(bytes)"
    }
  }
}
