import Files
import Platform
import SQLite
package import SystemPackage

/// The exclusive right to replace one archive, and the temporary file that will replace it.
///
/// The archive's name always refers to a whole archive, the old one or the new one: the new one is
/// built beside it under a name that no reader takes for an archive, made durable, then renamed.
/// The object holds a lock; when it is deinitialized, it releases the lock and removes an
/// uncommitted file.
///
/// For `output/hotels.mbtiles` the files are `.hotels.mbtiles.lock` and `.hotels.mbtiles.tmp-PID`;
/// ``KeptArchives`` names those that are kept of earlier archives, and one that was rolled back is
/// `hotels.mbtiles.bad`.
package final class ArchivePublication {
  /// The steps that put an archive in its place, in order; a run may be killed before each.
  package enum Step: String, CaseIterable, Sendable {
    /// Everything written is flushed to the medium.
    case synchronize
    /// The archive in place gets its second name.
    case keep
    /// An archive that was rolled back is removed, and with it the hold on publishing.
    case release
    /// The new archive takes the name.
    case rename
    /// The folder's record of the rename is flushed to the medium.
    case synchronizeFolder
  }

  /// The archive.
  package let archive: FilePath

  /// The path under which to build; no file exists there at first.
  package let temporary: FilePath

  /// The earlier archives that are kept.
  package let kept: KeptArchives

  /// Whether the new archive has replaced the old one. After a failed ``commit(keeping:)`` this is
  /// true if only the last step failed.
  package private(set) var isCommitted = false

  /// Called before each step of a commit; an error that it throws counts as that step's failure.
  package var beforeStep: (Step) throws(Errno) -> Void = { _ in }

  private let lock: FileLock

  /// Takes the lock, removes leftovers of killed builds of the same archive, recovers the journals
  /// that other programs left when they were killed while writing, and completes or undoes an
  /// interrupted rollback.
  ///
  /// - Parameters:
  ///   - companions: files that are kept along with the archive: its report and sidecars.
  ///   - strangers: the companions whose path holds a file that is not the archive's, which stays;
  ///     evaluated under the lock.
  ///   - outdated: the companions that describe another archive than the one in place; evaluated
  ///     under the lock.
  ///   - patience: called repeatedly while another run holds the lock; whether to continue waiting;
  ///     `nil` does not wait.
  /// - Throws: ``ArchiveError`` with the code ``ArchiveError/Code/locked`` while another run holds
  ///   the lock or another program writes to the archive, `cannotCreate` or `permission` if no file
  ///   can be created in its folder.
  package init(
    _ archive: FilePath, companions: [FilePath] = [],
    strangers: @autoclosure () throws(ArchiveError) -> Set<FilePath> = [],
    outdated: @autoclosure () -> Set<FilePath> = [], patience: (() -> Bool)? = nil
  ) throws(ArchiveError) {
    guard let name = archive.lastComponent?.string else {
      throw ArchiveError(.file(.unnamed), path: archive)
    }
    guard name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw ArchiveError(.file(.notASCII), path: archive)
    }
    try Self.requireTarget(archive)
    self.archive = archive
    temporary = DurableFile.temporary(for: archive)
    let folder = DurableFile.folder(of: archive)
    lock = try FileLock(
      path: folder.appending(".\(name).lock"), archive: archive, patience: patience)
    // First of all: recovery may change the files that the closures look at.
    try LeftoverJournal.settle(archive)
    kept = KeptArchives(
      archive, companions: companions, strangers: try strangers(), outdated: outdated())
    for path in [archive] + companions {
      // Temporary files of kept archives can be stale too, and each takes an archive's space.
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

  /// Refuses a place where no archive can be put, which would otherwise only be noticed after all
  /// work is done.
  ///
  /// - Throws: ``ArchiveError`` with code `cannotCreate`.
  package static func requireTarget(_ archive: FilePath) throws(ArchiveError) {
    guard let fault = TargetFault(archive, limit: Database.pathLimit) else { return }
    throw ArchiveError(.file(.target(fault)), path: archive)
  }

  /// Makes the temporary file durable and gives it the archive's name.
  ///
  /// When this throws, the old archive is still in place, unless ``isCommitted`` says that only the
  /// folder's own record of the rename could not be made durable.
  ///
  /// - Parameter count: the number of earlier archives to keep, including the one that is replaced
  ///   now; with 0 none is added, and none that was kept is removed. The same holds if the new
  ///   archive has the bytes of the old one, since returning to it would change nothing.
  /// - Complexity: O(bytes) where both have the same size and some are kept.
  package func commit(keeping count: Int = 0) throws(ArchiveError) {
    try step(.synchronize, "make durable", temporary) { () throws(Errno) in
      try DurableFile.synchronize(temporary)
    }
    // Another program may have been killed in the meantime.
    try LeftoverJournal.settle(archive)
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

  /// Performs the last step, whose failure undoes nothing.
  func synchronizeFolder() throws(ArchiveError) {
    do throws(Errno) {
      try beforeStep(.synchronizeFolder)
      try DurableFile.synchronizeFolder(of: archive)
    } catch {
      throw ArchiveError(.file(.volatileName(error)), path: archive)
    }
  }

  /// Performs one step; `doing` completes "cannot …".
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
