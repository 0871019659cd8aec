import Archives
package import Definition
import Files
package import MBTiles
import Platform
import Reports
import Reuse
package import Runs
import SystemPackage

/// The list of deltas during a rollback. An app that followed it then would get the archive that is
/// being withdrawn, so the list is set aside; it is not removed, so that the next run finds it if
/// this one is killed.
extension DeltaStage {
  /// Sets the list aside.
  static func withhold(besides archive: FilePath) throws(PipelineError) {
    let paths = UpdatePaths(besides: archive)
    guard FileStatus.exists(paths.current) else { return }
    do {
      try DurableFile.rename(paths.current, to: paths.withheld)
      try DurableFile.synchronizeFolder(of: archive)
    } catch {
      throw ReportFile.failure(error, path: paths.current.string)
    }
  }

  /// Whether a list is set aside that must be replaced by a new one. If it leads to the archive in
  /// place, it gets its name back instead.
  ///
  /// - Complexity: O(bytes of the archive) where a list is set aside.
  static func isOwed(besides archive: FilePath) throws(PipelineError) -> Bool {
    let paths = UpdatePaths(besides: archive)
    guard FileStatus.exists(paths.withheld) else { return false }
    guard FileStatus.exists(archive) else { return true }
    let digest = try PipelineError.wrapping { try FileDigest.sha256(of: archive) }
    if let list = paths.list, list.archive.sha256 == digest {
      // The run that wrote it may have been killed before it removed deltas that the list no longer
      // contains.
      DeltaFiles(of: archive).remove(butThoseOf: list)
      release(besides: archive)
      return false
    }
    guard paths.withheldList?.archive.sha256 == digest else { return true }
    do {
      try DurableFile.rename(paths.withheld, to: paths.current)
    } catch {
      throw ReportFile.failure(error, path: paths.current.string)
    }
    return false
  }

  /// Restores the name of the list that is set aside, or writes one that leads apps to the archive
  /// in place: from the kept archives, and from the archive set aside, which some apps have by now.
  ///
  /// - Parameter signer: the signer of the list.
  /// - Returns: a note for the user, if the list is no longer signed.
  @discardableResult
  package static func settle(
    _ publication: ArchivePublication, by signer: ListSigner, _ clock: StageClock
  ) throws(PipelineError) -> String? {
    guard try isOwed(besides: publication.archive) else { return nil }
    let digest = try PipelineError.wrapping { try FileDigest.sha256(of: publication.archive) }
    let stage = DeltaStage(
      archive: publication.archive, replaced: try? ArchiveReader.opening(publication.setAside),
      kept: .all, withdrawn: UpdatePaths(besides: publication.archive).withheldList, signer: signer,
      clock: clock)
    // A rollback ignores archives that no delta can connect.
    var notes: [String] = []
    _ = try stage.run(sha256: digest, notes: &notes)
    release(besides: publication.archive)
    return UpdatePaths(besides: publication.archive)
      .lossOfSignature(since: stage.withdrawn?.keys, signedBy: signer.keys)
  }

  /// Removes the list that was set aside: another one is in its place, or none is needed. A failure
  /// is ignored: the next run tries again.
  static func release(besides archive: FilePath) {
    unlink(UpdatePaths(besides: archive).withheld.string)
  }
}
