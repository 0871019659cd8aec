import Files
import Platform
package import SystemPackage

/// The earlier archives that were published under a path.
///
/// Before `NAME.mbtiles` is replaced it gets a second name, `NAME.mbtiles.1`, and the one with that
/// name becomes `NAME.mbtiles.2`: no reader takes them for archives. Its companions (the report,
/// the sidecars) move along under the same number. Numbers may have gaps; the smallest is the
/// newest. Changing anything here requires the archive's lock.
package struct KeptArchives: Sendable {
  package let archive: FilePath

  /// Files that belong to the archive, if they exist; those that are kept have the number of their
  /// archive.
  package let companions: [FilePath]

  /// The companions whose path holds a file that is not the archive's: it is neither kept, nor
  /// replaced, nor removed.
  let strangers: Set<FilePath>

  /// The companions that describe another archive than the one in place, since a build was killed
  /// before it wrote its own: they are not kept along with it.
  let outdated: Set<FilePath>

  package init(
    _ archive: FilePath, companions: [FilePath] = [], strangers: Set<FilePath> = [],
    outdated: Set<FilePath> = []
  ) {
    self.archive = archive
    self.companions = companions
    self.strangers = strangers
    self.outdated = outdated
  }

  /// Whether a companion of the archive in place exists.
  func isThere(_ companion: FilePath) -> Bool {
    !strangers.contains(companion) && !outdated.contains(companion)
      && FileStatus(companion) != nil
  }

  /// The kept archives, newest first.
  ///
  /// - Complexity: O(names in the folder).
  package var all: [FilePath] {
    numbers(of: archive).map { Self.path(archive, $0) }
  }

  /// Returns the kept archives of earlier builds, newest first. A second name of the archive in
  /// place, which a run leaves if it is killed between keeping and replacing, is left out.
  ///
  /// - Complexity: O(names in the folder), and O(bytes) where the newest has the size of the
  ///   archive in place but is another file.
  package func earlier() throws(ArchiveError) -> [FilePath] {
    do {
      return try isKept() ? Array(all.dropFirst()) : all
    } catch {
      throw ArchiveError(error, doing: "read", path: archive)
    }
  }

  /// Returns the kept companions of one of ``all``, in the order of ``companions``; they need not
  /// exist.
  package func companions(of kept: FilePath) -> [FilePath] {
    guard let number = kept.extension else { return [] }
    return companions.map { FilePath("\($0).\(number)") }
  }

  /// Gives the archive in place its second name, while it keeps the first.
  ///
  /// Does nothing where no archive is in place, or it is kept already. At most `count` are kept
  /// afterwards, unless there were more before: see ``prune(to:)``.
  func keep(_ count: Int) throws(Errno) {
    guard count > 0, FileStatus(archive) != nil else { return }
    try settleCompanions()
    guard try !isKept() else { return try keepCompanions() }
    let taken = Set(numbers(of: archive))
    // The first gap absorbs the shift; without a gap the oldest is dropped.
    let last = (1..<count).first { !taken.contains($0) } ?? count
    for number in stride(from: last, to: 1, by: -1) {
      for companion in companions { try DurableFile.remove(Self.path(companion, number)) }
      try move(Self.path(archive, number - 1), to: Self.path(archive, number))
      for companion in companions {
        try move(Self.path(companion, number - 1), to: Self.path(companion, number))
      }
    }
    for companion in companions { try DurableFile.remove(Self.path(companion, 1)) }
    try DurableFile.duplicate(archive, as: Self.path(archive, 1))
    try keepCompanions()
  }

  /// Gives the companions of the archive in place the number of its second name, unless they have
  /// it.
  private func keepCompanions() throws(Errno) {
    guard let number = numbers(of: archive).first else { return }
    for companion in companions
    where isThere(companion) && FileStatus(Self.path(companion, number)) == nil {
      try DurableFile.duplicate(companion, as: Self.path(companion, number))
    }
  }

  /// Moves companions after their archives, where a run was killed between the two moves: the
  /// number below an archive without a companion then has a companion without an archive.
  func settleCompanions() throws(Errno) {
    let archives = Set(numbers(of: archive))
    for companion in companions {
      let numbers = Set(numbers(of: companion))
      for number in numbers.sorted(by: >)
      where !archives.contains(number) && archives.contains(number + 1)
        && !numbers.contains(number + 1)
      {
        try move(Self.path(companion, number), to: Self.path(companion, number + 1))
      }
    }
  }

  /// Gives companions of a kept archive temporary names that nothing else uses, and removes the
  /// companions in place that have no kept counterpart: they would describe another archive.
  ///
  /// Afterwards the caller renames the archive and calls ``finishRestoring()``.
  func beginRestoring(_ kept: FilePath) throws(Errno) {
    for (companion, other) in zip(companions, companions(of: kept)) {
      if FileStatus(other) != nil {
        try DurableFile.rename(other, to: Self.returning(companion))
      } else if !strangers.contains(companion) {
        try DurableFile.remove(companion)
      }
    }
  }

  /// Renames companions from their temporary names to their places, once their archive is in its
  /// place.
  ///
  /// The last one is renamed first: by it a later run recognizes the others.
  func finishRestoring() throws(Errno) {
    for companion in companions.reversed() where FileStatus(Self.returning(companion)) != nil {
      if strangers.contains(companion) {
        try DurableFile.remove(Self.returning(companion))
      } else {
        try DurableFile.rename(Self.returning(companion), to: companion)
      }
    }
  }

  /// Undoes ``beginRestoring(_:)`` if the archive, the newest that is kept, was not renamed.
  func abandonRestoring() throws(Errno) {
    guard let number = numbers(of: archive).first else { return }
    for companion in companions where FileStatus(Self.returning(companion)) != nil {
      try DurableFile.rename(Self.returning(companion), to: Self.path(companion, number))
    }
  }

  /// Returns a companion's temporary name between its kept name and its own.
  private static func returning(_ companion: FilePath) -> FilePath { path(companion, 0) }

  /// Removes the kept archive that equals the one in place, since returning to it would change
  /// nothing.
  func dropPresent() throws(Errno) {
    guard try isKept(), let newest = all.first else { return }
    for path in companions(of: newest) + [newest] { try DurableFile.remove(path) }
  }

  /// Removes everything numbered above `count`. A failure is not an error: the next build tries
  /// again.
  func prune(to count: Int) {
    for path in [archive] + companions {
      for number in numbers(of: path) where number > count {
        unlink(Self.path(path, number).string)
      }
    }
  }

  /// Returns whether the newest kept archive is the archive in place: the same file, or where hard
  /// links are not supported a copy of it.
  private func isKept() throws(Errno) -> Bool {
    guard let newest = all.first else { return false }
    return try isPresent(newest)
  }

  /// Returns whether a file has the bytes of the archive in place.
  func isPresent(_ file: FilePath) throws(Errno) -> Bool {
    guard let other = FileStatus(file), let present = FileStatus(archive) else { return false }
    if other.isSameFile(as: present) { return true }
    guard other.size == present.size else { return false }
    do {
      return try FileDigest.sha256(of: file) == FileDigest.sha256(of: archive)
    } catch {
      throw error.systemError ?? .ioError
    }
  }

  private func move(_ from: FilePath, to path: FilePath) throws(Errno) {
    do throws(Errno) {
      try DurableFile.rename(from, to: path)
    } catch .noSuchFileOrDirectory {
      // There is no companion with that number.
      try DurableFile.remove(path)
    }
  }

  /// Returns the numbers under which a file is kept, ascending.
  private func numbers(of path: FilePath) -> [Int] {
    let prefix = "\(path.lastComponent?.string ?? "")."
    return FolderListing.names(in: DurableFile.folder(of: path)).compactMap { name in
      guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), number > 0,
        name == "\(prefix)\(number)"
      else { return nil }
      return number
    }.sorted()
  }

  private static func path(_ file: FilePath, _ number: Int) -> FilePath {
    FilePath("\(file).\(number)")
  }
}
