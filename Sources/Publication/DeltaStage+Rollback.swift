import Archives
import Definition
import Files
package import Hashing
package import MBTiles
import Platform
import Reports
import Reuse
package import Runs
import SystemPackage

/// The list of deltas during a rollback: an app that followed it then would get an archive that is
/// being withdrawn. It is set aside and not removed, so that the run after a killed one finds it.
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

  /// Whether a list is set aside that is to be replaced by a new one. A list that leads to the
  /// archive in place gets its name back.
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
      DeltaFiles(of: archive).remove(but: Set(list.deltas.map(\.file)))
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
  /// in place: from the archives that are kept, and from the one set aside, which some apps have by
  /// now.
  ///
  /// - Parameter keys: the keys that sign the list.
  /// - Returns: a note for the user, if the list is no longer signed.
  @discardableResult
  package static func settle(
    _ publication: ArchivePublication, signedBy keys: [Ed25519.SigningKey], _ clock: StageClock
  ) throws(PipelineError) -> String? {
    guard try isOwed(besides: publication.archive) else { return nil }
    let digest = try PipelineError.wrapping { try FileDigest.sha256(of: publication.archive) }
    let stage = DeltaStage(
      archive: publication.archive, replaced: try? ArchiveReader.opening(publication.setAside),
      kept: .all, withdrawn: UpdatePaths(besides: publication.archive).withheldList, keys: keys,
      clock: clock)
    // Archives that no delta can connect do not concern a rollback.
    var notes: [String] = []
    _ = try stage.run(sha256: digest, notes: &notes)
    release(besides: publication.archive)
    return UpdatePaths(besides: publication.archive)
      .lossOfSignature(since: stage.withdrawn?.keys, signedBy: keys)
  }

  /// Removes the list that was set aside: another one is in its place, or none is needed. A failure
  /// is ignored: the next run tries again.
  static func release(besides archive: FilePath) {
    unlink(UpdatePaths(besides: archive).withheld.string)
  }
}
