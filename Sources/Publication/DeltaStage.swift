package import Archives
package import Definition
import Files
package import MBTiles
package import Reports
import Reuse
package import Runs
package import SystemPackage

/// The stage that writes the deltas from earlier archives to the published one.
///
/// The archive is in place by then, and stays if this stage fails. Deltas come first, then their
/// list, then those are removed that the list no longer contains: so every delta in a list exists,
/// and a run that is killed leaves at most a file that the next one reuses or removes. The caller
/// holds the archive's lock.
package struct DeltaStage {
  /// The published archive.
  let archive: FilePath

  /// The archive that it replaced, opened before; `nil` where there was none.
  let replaced: ArchiveReader?

  /// The deltas of earlier runs that stay.
  let kept: KeptDeltas

  /// The list of the archive that a rollback withdrew, whose deltas stay unless they lead there.
  var withdrawn: UpdateList?

  /// The signer of the list.
  let signer: ListSigner

  let clock: StageClock

  package init(
    archive: FilePath, replaced: ArchiveReader?, kept: KeptDeltas, withdrawn: UpdateList? = nil,
    signer: ListSigner, clock: StageClock
  ) {
    self.archive = archive
    self.replaced = replaced
    self.kept = kept
    self.withdrawn = withdrawn
    self.signer = signer
    self.clock = clock
  }

  /// Runs the stage `delta` and adds the deltas to the report.
  ///
  /// - Throws: ``PipelineError``; the archive stays published.
  package func run(_ report: inout BuildReport) throws(PipelineError) {
    // The list needs the digest, so the archive is read if the build did not read all of it.
    if report.archive.sha256.isEmpty {
      report.archive.sha256 = try PipelineError.wrapping { try FileDigest.sha256(of: archive) }
    }
    let entries = try run(sha256: report.archive.sha256, notes: &report.notes)
    report.deltas = entries.filter { $0.end.tiles == report.archive.digest }.map {
      DeltaReport(file: $0.file, before: $0.start.tiles, bytes: $0.bytes)
    }
  }

  /// Runs the stage without a report.
  ///
  /// - Parameters:
  ///   - sha256: the digest of the archive's file.
  ///   - notes: receives the reason for each earlier archive without a delta, and what apps lose.
  func run(sha256: String, notes: inout [String]) throws(PipelineError) -> [UpdateList.Entry] {
    do throws(PipelineError) {
      return try clock.stage("delta", unit: .tiles) { _ in
        try ArchiveFailure.wrap(clock.cancellation) { try write(sha256, &notes) }
      }
    } catch {
      var failure = error
      failure.message = "\(archive) is published, but not its deltas: \(error.message)"
      throw failure
    }
  }

  private func write(_ sha256: String, _ notes: inout [String]) throws -> [UpdateList.Entry] {
    let new = try ArchiveReader.opening(archive)
    let keys = signer.keys
    let files = DeltaFiles(of: archive, clock.cancellation)
    let known: UpdateList? = try paths.trusted(signedBy: keys, &notes)
    let earlier =
      withdrawn == nil ? known : try paths.trusted(withheld: true, signedBy: keys, &notes)
    var list = UpdateList(
      archive: .init(
        file: files.name, bytes: try FileStatus.size(of: archive), sha256: sha256,
        state: new.state ?? ArchiveState(tiles: "")))
    if !PMTilesMetadata.isPMTiles(archive) {
      list.archive.chunks = try FileChunks(of: archive) { try clock.cancellation.check() }
    }
    if try new.hasTapBlocks() { list.minimumClient = UpdateList.blocksClient }
    list.keep(of: known, isWhole: files.isWhole)
    for old in replacedAndKept() { try files.add(from: old, to: new, &list, &notes) }
    if let earlier {
      list.appendSteps(
        of: earlier, avoiding: withdrawn?.archive.state,
        limits: kept.limits(ofArchive: list.archive.bytes), isWhole: files.isWhole)
    }
    try files.merge(&list, &notes)
    list.keepArchives(of: earlier ?? known, isWhole: files.isWhole)
    list.expires = withdrawn?.expires
    try files.addDownload(&list)
    if let note = try paths.publish(&list, by: signer) { notes.append(note) }
    files.remove(butThoseOf: list)
    return list.deltas
  }

  /// Opens the archives before this one, newest first.
  private func replacedAndKept() -> [ArchiveReader] {
    var readers = [replaced].compactMap(\.self)
    for path in KeptArchives(archive).all {
      if let reader = try? ArchiveReader.opening(path) { readers.append(reader) }
    }
    return readers
  }

  /// Hides the list of updates and removes its deltas where they lead to another archive than the
  /// one in place: an app that followed them would have an old archive and treat it as the new one.
  ///
  /// - Parameter sha256: the digest of the archive's file.
  /// - Returns: whether there was such a list.
  package static func removeOutdated(besides archive: FilePath, sha256: String) -> Bool {
    let paths = UpdatePaths(besides: archive)
    paths.removeFormer()
    guard let list = paths.list ?? paths.withheldList, list.archive.sha256 != sha256,
      list.archive.file == archive.lastComponent?.string
    else { return false }
    // The list is hidden first, so that every delta in a list exists.
    paths.retire()
    DeltaFiles(of: archive).remove()
    return true
  }

  private var paths: UpdatePaths { UpdatePaths(besides: archive) }
}
