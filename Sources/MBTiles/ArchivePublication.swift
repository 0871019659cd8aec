import Files
import Platform
package import SystemPackage

/// The right to replace one archive, and the temporary file that will replace it.
///
/// The archive's name always leads to a whole archive, the old one or the new one: the new one is
/// built beside it under a name that no reader takes for an archive, made durable, then renamed.
/// Whoever holds this holds a lock; it ends with the object, and with it an uncommitted file.
///
/// For `output/hotels.mbtiles` the files are `.hotels.mbtiles.lock` and `.hotels.mbtiles.tmp-PID`;
/// what is kept of earlier archives is called as ``KeptArchives`` says, and one that was rolled back
/// is `hotels.mbtiles.bad`.
package final class ArchivePublication {
  /// What is done to put an archive in its place, in order; a run may die before each.
  package enum Step: String, CaseIterable, Sendable {
    /// Everything written is on the medium.
    case synchronize
    /// The archive in place gets its second name.
    case keep
    /// A rolled back archive goes, and with it the hold on publishing.
    case release
    /// The new archive takes the name.
    case rename
    /// The folder's record of that is on the medium.
    case synchronizeFolder
  }

  /// The archive.
  package let archive: FilePath

  /// Where to build; nothing is there at first.
  package let temporary: FilePath

  /// What is there of earlier archives.
  package let kept: KeptArchives

  /// Whether the new archive has taken the old one's place. After a failed ``commit(keeping:)`` it
  /// tells whether only the last step failed.
  package private(set) var isCommitted = false

  /// Called before each step of a commit; what it throws counts as that step's failure.
  package var beforeStep: (Step) throws(Errno) -> Void = { _ in }

  private let lock: FileLock

  /// Takes the lock, removes what dead builds of the same archive left, settles what other programs left
  /// beside it that died while they wrote, and ends a rollback that died or takes it back.
  ///
  /// - Parameters:
  ///   - companions: files that are kept along with the archive: its report and sidecars.
  ///   - strangers: those of them in whose place something else is, which stays; asked under the lock.
  ///   - outdated: those of them in place that tell of another archive; asked under the lock.
  ///   - patience: asked again and again while another run holds the archive whether to go on
  ///     waiting; `nil` does not wait.
  /// - Throws: ``ArchiveError`` with the code ``ArchiveError/Code/locked`` while another run holds
  ///   the archive or another program writes to it, `cannotCreate` or `permission` if its folder does not take a file.
  package init(
    _ archive: FilePath, companions: [FilePath] = [],
    strangers: @autoclosure () throws(ArchiveError) -> Set<FilePath> = [],
    outdated: @autoclosure () -> Set<FilePath> = [], patience: (() -> Bool)? = nil
  ) throws(ArchiveError) {
    guard let name = archive.lastComponent?.string else {
      throw ArchiveError(.cannotCreate, "'\(archive)' names no file.", path: archive)
    }
    guard name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw ArchiveError(
        .cannotCreate, "the file name '\(name)' is not plain ASCII, which some readers need.",
        path: archive)
    }
    self.archive = archive
    temporary = DurableFile.temporary(for: archive)
    let folder = DurableFile.folder(of: archive)
    lock = try FileLock(
      path: folder.appending(".\(name).lock"), archive: archive, patience: patience)
    // Before anything else is asked, so that what the answers are about stays as it is.
    try LeftLog.settle(archive)
    kept = KeptArchives(
      archive, companions: companions, strangers: try strangers(), outdated: outdated())
    for path in [archive] + companions {
      // Second names begin as temporary ones too, which hold an archive's room on the disk.
      for ending in ["", ".1", ".bad"] {
        StaleFiles.remove(besides: FilePath("\(path)\(ending)"), isLocked: true)
      }
    }
    do throws(Errno) {
      try settleRollback()
      try kept.settleCompanions()
    } catch {
      throw ArchiveError(error, doing: "settle what a dead run left beside", path: archive)
    }
  }

  deinit {
    if !isCommitted { unlink(temporary.string) }
  }

  /// Makes the temporary file durable and gives it the archive's name.
  ///
  /// When this throws, the old archive is still in place, unless ``isCommitted`` says that only the
  /// folder's own record of the rename could not be made durable.
  ///
  /// - Parameter count: how many archives are kept of those that were in this place, the one that
  ///   is replaced now included; with 0 nothing is kept, and nothing removed that was. Nor is
  ///   anything if the new archive has the bytes of the old one, which is none to return to.
  /// - Complexity: O(bytes) where both are of one size and some are kept.
  package func commit(keeping count: Int = 0) throws(ArchiveError) {
    try step(.synchronize, "make durable", temporary) { () throws(Errno) in
      try DurableFile.synchronize(temporary)
    }
    // Somebody may have died in the meantime.
    try LeftLog.settle(archive)
    try step(.keep, "keep", archive) { () throws(Errno) in
      if count > 0, try !kept.isPresent(temporary) { try kept.keep(count) }
    }
    try step(.release, "remove", setAside) { () throws(Errno) in try release() }
    try step(.rename, "rename \(temporary) to", archive) { () throws(Errno) in
      try DurableFile.rename(temporary, to: archive)
    }
    isCommitted = true
    if count > 0 { kept.prune(to: count) }
    try synchronizeFolder()
  }

  /// The last step, whose failure takes nothing back.
  func synchronizeFolder() throws(ArchiveError) {
    do throws(Errno) {
      try beforeStep(.synchronizeFolder)
      try DurableFile.synchronizeFolder(of: archive)
    } catch {
      let code = ArchiveError(error, doing: "make durable", path: archive).code
      throw ArchiveError(
        code == .diskFull ? .diskFull : .inputOutput,
        "\(archive) is in place, but its folder cannot be made durable: \(error). A power cut "
          + "could bring the archive before back; check the disk.", path: archive, cause: error)
    }
  }

  /// Does one step; `doing` completes "cannot …".
  func step(
    _ step: Step, _ doing: String, _ path: FilePath, _ body: () throws(Errno) -> Void
  ) throws(ArchiveError) {
    do throws(Errno) {
      try beforeStep(step)
      try body()
    } catch {
      throw ArchiveError(error, doing: doing, path: path)
    }
  }
}
