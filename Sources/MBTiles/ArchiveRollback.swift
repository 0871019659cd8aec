import Files
import Platform
package import SystemPackage

/// Undoing a publication: a kept archive returns to its place and the one that was there is set
/// aside as `NAME.mbtiles.bad`, which blocks further publications until they are released.
extension ArchivePublication {
  /// The path of the archive that was rolled back; its presence is the hold.
  package var setAside: FilePath { FilePath("\(archive).bad") }

  /// Whether the archive was rolled back and its publication has not been released since.
  ///
  /// A run that was killed between setting the archive aside and replacing it leaves no hold: both
  /// names then refer to the same file.
  package var isHeld: Bool {
    guard let bad = FileStatus(setAside) else { return false }
    guard let present = FileStatus(archive) else { return true }
    return !bad.isSameFile(as: present)
  }

  /// Whether the archive in place was restored by a rollback.
  package var isRolledBack: Bool { FileStatus(archive) != nil && isHeld }

  /// Completes or undoes a rollback of a run that was killed.
  ///
  /// Files that cannot be moved keep the names by which the next run recognizes them.
  func settleRollback() throws(Errno) {
    guard let present = FileStatus(archive) else { return try kept.abandonRestoring() }
    if FileStatus(setAside)?.isSameFile(as: present) == true {
      try kept.abandonRestoring()
      try returnCompanions()
      try release()
    } else {
      // Also where no archive was in place, so that nothing was set aside.
      try kept.finishRestoring()
    }
  }

  /// Restores companions that exist only as they were set aside: an interrupted restore had removed
  /// them, because the restored archive has none.
  private func returnCompanions() throws(Errno) {
    for companion in kept.companions
    where !kept.strangers.contains(companion) && FileStatus(companion) == nil {
      let other = FilePath("\(companion).bad")
      guard FileStatus(other) != nil else { continue }
      try DurableFile.rename(other, to: companion)
    }
  }

  /// Moves one of ``KeptArchives/earlier()`` into the archive's place.
  ///
  /// The caller must have verified it. Like ``commit(keeping:)``, this leaves a whole archive in
  /// place at each moment; the companions move along, and the archive that was in place is set
  /// aside with its own.
  package func restore(_ earlier: FilePath) throws(ArchiveError) {
    try step(.synchronize, "make durable", earlier) { () throws(Errno) in
      try DurableFile.synchronize(earlier)
    }
    try LeftoverJournal.settle(archive)
    if FileStatus(archive) != nil {
      try step(.keep, "set aside", archive) { () throws(Errno) in
        try kept.dropPresent()
        try DurableFile.duplicate(archive, as: setAside)
        for companion in kept.companions {
          let other = FilePath("\(companion).bad")
          if kept.isThere(companion) {
            try DurableFile.duplicate(companion, as: other)
          } else {
            unlink(other.string)
          }
        }
      }
    }
    try step(.rename, "rename \(earlier) to", archive) { () throws(Errno) in
      do throws(Errno) {
        try kept.beginRestoring(earlier)
        try DurableFile.rename(earlier, to: archive)
      } catch {
        try? kept.abandonRestoring()
        throw error
      }
    }
    do throws(Errno) {
      try kept.finishRestoring()
    } catch {
      throw ArchiveError(.file(.lostCompanions(error)), path: archive)
    }
    try synchronizeFolder()
  }

  /// Removes what was set aside if the archive stays as it is.
  package func endHold() throws(ArchiveError) {
    try step(.release, "remove", setAside) { () throws(Errno) in try release() }
  }

  /// Removes what was set aside, and with it the hold.
  func release() throws(Errno) {
    for path in [setAside] + kept.companions.map({ FilePath("\($0).bad") }) {
      guard unlink(path.string) != 0 else { continue }
      let cause = Errno(rawValue: errno)
      if cause != .noSuchFileOrDirectory { throw cause }
    }
  }
}
