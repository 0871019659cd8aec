/// The exchange of an archive for another one, between which there is no moment without one.
struct ArchiveInstallation {
  private let archive: String
  private let files: FileActions

  /// The archive before the last update, or the journal that leads back to it.
  private var previous: String { archive + ".previous" }

  private var journal: String { archive + "-journal" }

  init(of archive: String, _ files: FileActions) {
    (self.archive, self.files) = (archive, files)
  }

  /// Puts a file in the place of the archive, which becomes the previous one.
  ///
  /// - Parameter name: a free name in the folder of the update.
  func install(_ candidate: String, linkingAs name: String) throws(ClientError) {
    try files.sync(candidate)
    if files.size(archive) != nil {
      try files.remove(name)
      try files.link(archive, as: name)
      try files.rename(name, to: previous)
      // A rename does nothing where both are names of one file already.
      try files.remove(name)
    }
    try files.rename(candidate, to: archive)
    try files.syncFolder(folder)
  }

  /// Changes the archive in its place.
  ///
  /// - Returns: whether that could be; else it is as it was.
  func change(
    by deltas: [String], isStopped: () -> Bool, proof: (SQLiteFile) throws(ClientError) -> Void
  ) throws(ClientError) -> Bool {
    do throws(ClientError) {
      let isDone = try DeltaApplication(to: archive, files).applyInPlace(
        deltas, isStopped: isStopped, proof: proof,
        ending: { () throws(ClientError) in try files.remove(previous) })
      try settle()
      return isDone
    } catch {
      try? settle()
      throw error
    }
  }

  /// Finishes a change in place: restores the archive if it was interrupted, else keeps the journal
  /// as the way back.
  func settle() throws(ClientError) {
    guard files.size(journal) != nil else { return }
    let file = try? SQLiteFile(path: archive, mode: .shared)
    guard file != nil, files.size(journal) != nil else { return try files.remove(journal) }
    guard UndoJournal(journal, of: archive) != nil else { return try files.remove(journal) }
    try files.rename(journal, to: previous)
    try files.syncFolder(folder)
  }

  /// Puts the previous archive in the place of the current one.
  func rollBack() throws(ClientError) {
    try settle()
    guard files.size(previous) != nil else {
      throw ClientError.noPrevious(file: archive.lastComponent)
    }
    if let undo = UndoJournal(previous, of: archive) {
      try undo.revive(files)
      try files.rename(previous, to: journal)
      try files.syncFolder(folder)
      _ = try SQLiteFile(path: archive, mode: .shared)
      return try files.syncFolder(folder)
    }
    guard (try? SQLiteFile(path: previous, mode: .immutable)) != nil else {
      throw ClientError.noPrevious(file: archive.lastComponent)
    }
    try files.rename(previous, to: archive)
    // Both are names of one file after an update that was killed between its two renames.
    try files.remove(previous)
    try files.syncFolder(folder)
  }

  private var folder: String {
    let end = archive.lastIndex(of: "/") ?? archive.startIndex
    return end == archive.startIndex ? "/" : String(archive[..<end])
  }
}
