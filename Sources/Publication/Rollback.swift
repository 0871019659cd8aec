import Archives
import Calendar
package import Definition
import Files
import MBTiles
import Reports
package import Runs
import SystemPackage

/// A rollback to the newest kept archives: for all densities of a pipeline, or for none.
///
/// If some archives are rolled back and others are not, a run was killed in between: then only the
/// others are rolled back. If all are, but the list of one still leads to the withdrawn archive, a
/// run was killed at its end, and only the rest of its work is done.
package struct Rollback {
  /// The paths of the archives as the user entered them.
  package let archives: [String]
  /// The function that is polled while another run holds a lock and decides whether to keep
  /// waiting; `nil` to not wait.
  package let patience: (() -> Bool)?
  /// The signer of the lists of updates.
  package let signer: ListSigner
  package let clock: StageClock

  package init(
    archives: [String], patience: (() -> Bool)?, signedBy signer: ListSigner,
    clock: StageClock
  ) {
    self.archives = archives
    self.patience = patience
    self.signer = signer
    self.clock = clock
  }

  /// Acquires the locks, verifies the kept archives, and restores them.
  package func run() throws(PipelineError) -> [RollbackSummary] {
    let publications = try archives.map { archive throws(PipelineError) in
      try publication(of: archive)
    }
    let behind = publications.filter { !$0.isRolledBack }
    var isUnfinished = false
    if behind.isEmpty {
      for publication in publications {
        isUnfinished = try DeltaStage.isOwed(besides: publication.archive) || isUnfinished
      }
    }
    let chosen = behind.isEmpty && !isUnfinished ? publications : behind
    let pending = try chosen.map {
      publication throws(PipelineError) in
      (publication, try newest(of: publication))
    }
    try clock.stage("verify", unit: .tiles) { _ in
      for (publication, earlier) in pending { try verify(earlier, of: publication.archive) }
    }
    // Apps must not be led to an archive that is withdrawn, not even after a run that is killed
    // here.
    for (publication, _) in pending { try DeltaStage.withhold(besides: publication.archive) }
    var summaries = try clock.stage("publish", unit: .bytes) { _ in
      try pending.map { publication, earlier in try restore(earlier, publication) }
    }
    if isUnfinished {
      summaries = publications.map {
        RollbackSummary(archive: $0.archive.string, restored: nil, built: Self.time(of: $0))
      }
    }
    for publication in publications {
      let note = try DeltaStage.settle(publication, by: signer, clock)
      let path = publication.archive.string
      guard let index = summaries.firstIndex(where: { $0.archive == path }) else { continue }
      summaries[index].notes += [note].compactMap(\.self)
    }
    return summaries
  }

  private func publication(of archive: String) throws(PipelineError) -> ArchivePublication {
    do {
      return try ArchivePublication(ofPipeline: archive, patience: patience)
    } catch {
      try clock.cancellation.check()
      throw PipelineError(error)
    }
  }

  private func newest(of publication: ArchivePublication) throws(PipelineError) -> FilePath {
    do {
      if let earlier = try publication.kept.earlier().first { return earlier }
    } catch {
      throw PipelineError(error)
    }
    throw PipelineError(
      .missingInput,
      "no earlier archive is kept beside \(publication.archive): 'keepArchives' in 'output' says how "
        + "many are, from the next build on.")
  }

  private func verify(_ earlier: FilePath, of archive: FilePath) throws(PipelineError) {
    let found =
      PMTilesMetadata.isPMTiles(earlier)
      ? try PMTilesInspection(earlier.string).verify(clock.cancellation)
      : try ArchiveInspection(earlier.string).verify(clock.cancellation)
    guard let fault = found.faults.first else { return }
    throw PipelineError(
      .badData,
      "\(earlier) is not sound, so \(archive) stays as it is. Remove it to roll back to the one before "
        + "it.", cause: fault)
  }

  private func restore(
    _ earlier: FilePath, _ publication: ArchivePublication
  ) throws(PipelineError) -> RollbackSummary {
    let path = publication.archive.string
    let hadArchive = FileStatus(publication.archive) != nil
    do {
      try publication.restore(earlier)
    } catch {
      // Where the archive stayed, so does its list; otherwise the next run writes one.
      _ = try? DeltaStage.isOwed(besides: publication.archive)
      throw PipelineError(error)
    }
    try removeForeignSidecars(of: publication.archive)
    return RollbackSummary(
      archive: path, restored: earlier.string,
      setAside: hadArchive ? publication.setAside.string : nil, built: Self.time(of: publication))
  }

  /// Returns the time at which the archive in place was made.
  private static func time(of publication: ArchivePublication) -> String {
    FileStatus(publication.archive, followsLinks: false)
      .map { UTCText.text(secondsSince1970: Int($0.modified / 1_000_000_000)) } ?? "unknown time"
  }
}

extension Rollback {
  /// Removes sidecars of another archive than the restored one: a build may have been killed before
  /// it wrote its own. They would mislead clients; the next build writes new ones.
  ///
  /// - Throws: ``PipelineError``; the archive stays rolled back.
  private func removeForeignSidecars(of archive: FilePath) throws(PipelineError) {
    do {
      let metadata = try StoredMetadata.read(archive)
      let sidecars = SidecarSet(
        stem: ReportFile.stem(ofArchive: archive.string),
        inputs: metadata[ArchiveMetadata.inputsKey] ?? "")
      if try !sidecars.isComplete() { try sidecars.remove() }
    } catch {
      var failure = PipelineError(error)
      failure.message =
        "\(archive) is rolled back, but not all that describes it: \(failure.message)"
      throw failure
    }
  }
}

/// The result of a rollback for one archive.
package struct RollbackSummary: Hashable, Sendable {
  package var archive: String

  /// The name under which it was kept; `nil` where an earlier run had restored it.
  package var restored: String?

  /// The new path of the archive that was replaced; `nil` where there was none.
  package var setAside: String?

  /// The time at which the restored archive was made, in UTC.
  package var built: String

  /// Notes for the user about the lists of updates, a sentence each.
  package var notes: [String] = []

  /// The result as a line for people, and for logs.
  package var text: String {
    guard let restored else {
      return
        "\(archive): rolled back to the one of \(built) by a run that was killed; what it left is done"
        + notes.map { "\nnote: \($0)" }.joined()
    }
    let hold = setAside.map {
      "; what was there is \($0), and builds publish nothing until one has --accept-changes"
    }
    return "\(archive): rolled back to \(restored) of \(built)\(hold ?? "")"
      + notes.map { "\nnote: \($0)" }.joined()
  }
}
