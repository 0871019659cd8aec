import Files
import Platform
package import SystemPackage

/// The archives that were in a place before the one that is there now.
///
/// Before `NAME.mbtiles` is replaced it gets a second name, `NAME.mbtiles.1`, and the one of that
/// name becomes `NAME.mbtiles.2`: no reader takes them for archives. Its companions (the report, the
/// sidecars) go along under the same number. Numbers may have gaps; the smallest is the newest. Whoever changes
/// anything here holds the archive's lock.
package struct KeptArchives: Sendable {
  package let archive: FilePath

  /// Files that belong to the archive, if they are there; what is kept of them has its number.
  package let companions: [FilePath]

  /// Those of the companions in whose place something else is: that is neither kept, nor replaced, nor
  /// removed.
  let strangers: Set<FilePath>

  /// Those of the companions in place that tell of another archive than the one there, since a build
  /// died before it wrote its own: they are not kept along with it.
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

  /// Whether a companion of the archive in place is in its own.
  func isThere(_ companion: FilePath) -> Bool {
    !strangers.contains(companion) && !outdated.contains(companion)
      && FileStatus(companion) != nil
  }

  /// What is kept, the newest first.
  ///
  /// - Complexity: O(names in the folder).
  package var all: [FilePath] {
    numbers(of: archive).map { Self.path(archive, $0) }
  }

  /// What is kept of earlier times, the newest first: without the archive in place under another
  /// name, which a run leaves that died between keeping the archive and replacing it.
  ///
  /// - Complexity: O(names in the folder), and O(bytes) where the newest has the size of the
  ///   archive in place and is another file.
  package func earlier() throws(ArchiveError) -> [FilePath] {
    do {
      return try isKept() ? Array(all.dropFirst()) : all
    } catch {
      throw ArchiveError(error, doing: "read", path: archive)
    }
  }

  /// What is kept of the companions with one of ``all``, in the order of ``companions``; it need not
  /// be there.
  package func companions(of kept: FilePath) -> [FilePath] {
    guard let number = kept.extension else { return [] }
    return companions.map { FilePath("\($0).\(number)") }
  }

  /// Gives the archive in place its second name; the name it has leads to it all the while.
  ///
  /// Where no archive is in place, or it is kept already, nothing is done. At most `count` are there
  /// afterwards, unless more were before: see ``prune(to:)``.
  func keep(_ count: Int) throws(Errno) {
    guard count > 0, FileStatus(archive) != nil else { return }
    try settleCompanions()
    guard try !isKept() else { return try keepCompanions() }
    let taken = Set(numbers(of: archive))
    // The first gap takes what comes before it; without one the oldest gives way.
    let last = (1..<count).first { !taken.contains($0) } ?? count
    for number in stride(from: last, to: 1, by: -1) {
      for companion in companions { unlink(Self.path(companion, number).string) }
      try move(Self.path(archive, number - 1), to: Self.path(archive, number))
      for companion in companions {
        try move(Self.path(companion, number - 1), to: Self.path(companion, number))
      }
    }
    for companion in companions { unlink(Self.path(companion, 1).string) }
    try DurableFile.duplicate(archive, as: Self.path(archive, 1))
    try keepCompanions()
  }

  /// Gives what belongs to the archive in place the number of its second name, unless it has it.
  private func keepCompanions() throws(Errno) {
    guard let number = numbers(of: archive).first else { return }
    for companion in companions
    where isThere(companion) && FileStatus(Self.path(companion, number)) == nil {
      try DurableFile.duplicate(companion, as: Self.path(companion, number))
    }
  }

  /// Moves companions after their archives, where a run died between the two moves: the number below
  /// an archive without a companion then has a companion without an archive.
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

  /// Gives companions of a kept archive the names that they have on their way back, which nothing else
  /// has, and removes those in place of which nothing is kept: they would tell of another archive.
  ///
  /// Then the archive is to be renamed, and ``finishRestoring()`` called.
  func beginRestoring(_ kept: FilePath) throws(Errno) {
    for (companion, other) in zip(companions, companions(of: kept)) {
      if FileStatus(other) != nil {
        try DurableFile.rename(other, to: Self.returning(companion))
      } else if !strangers.contains(companion) {
        unlink(companion.string)
      }
    }
  }

  /// Brings companions back that are on their way: their archive is in its place.
  ///
  /// The last comes first: it is the one by which a later run knows the others.
  func finishRestoring() throws(Errno) {
    for companion in companions.reversed() where FileStatus(Self.returning(companion)) != nil {
      if strangers.contains(companion) {
        unlink(Self.returning(companion).string)
      } else {
        try DurableFile.rename(Self.returning(companion), to: companion)
      }
    }
  }

  /// Takes ``beginRestoring(_:)`` back: the archive, the newest that is kept, was not renamed.
  func abandonRestoring() throws(Errno) {
    guard let number = numbers(of: archive).first else { return }
    for companion in companions where FileStatus(Self.returning(companion)) != nil {
      try DurableFile.rename(Self.returning(companion), to: Self.path(companion, number))
    }
  }

  /// What a companion is called on its way from its kept name to its own.
  private static func returning(_ companion: FilePath) -> FilePath { path(companion, 0) }

  /// Removes the kept archive that is the one in place, which is none to return to.
  func dropPresent() throws(Errno) {
    guard try isKept(), let newest = all.first else { return }
    for path in companions(of: newest) + [newest] { unlink(path.string) }
  }

  /// Removes what is numbered above `count`. Failing to is no error: the next build tries again.
  func prune(to count: Int) {
    for path in [archive] + companions {
      for number in numbers(of: path) where number > count {
        unlink(Self.path(path, number).string)
      }
    }
  }

  /// Whether the newest that is kept is the archive in place: the same file, or where there are no
  /// second names a copy of it.
  private func isKept() throws(Errno) -> Bool {
    guard let newest = all.first else { return false }
    return try isPresent(newest)
  }

  /// Whether a file has the bytes of the archive in place.
  func isPresent(_ file: FilePath) throws(Errno) -> Bool {
    guard let other = FileStatus(file), let present = FileStatus(archive) else { return false }
    if other.isSameFile(as: present) { return true }
    guard other.size == present.size else { return false }
    do {
      return try FileDigest.sha256(of: file) == FileDigest.sha256(of: archive)
    } catch {
      throw error.cause as? Errno ?? .ioError
    }
  }

  private func move(_ from: FilePath, to path: FilePath) throws(Errno) {
    do throws(Errno) {
      try DurableFile.rename(from, to: path)
    } catch .noSuchFileOrDirectory {
      // There is no companion of that number.
      unlink(path.string)
    }
  }

  /// The numbers under which a file is kept, ascending.
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
