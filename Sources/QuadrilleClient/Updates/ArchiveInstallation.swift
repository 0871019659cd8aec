/// The exchange of an archive for another one, between which there is no moment without one.
struct ArchiveInstallation {
  private let archive: String
  private let files: FileActions

  /// The archive before the last update.
  private var previous: String { archive + ".previous" }

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

  /// Puts the previous archive in the place of the current one.
  func rollBack() throws(ClientError) {
    guard files.size(previous) != nil else {
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
