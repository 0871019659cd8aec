import Foundation

/// The folder beside an archive in which an update prepares files: `NAME.mbtiles.update`.
///
/// It is locked as long as the value lives. Downloads are named by their SHA-256, so that a later
/// update continues them, and everything else is what a killed update has left.
final class UpdateFolder: Sendable {
  let path: String
  private let files: FileActions
  private let lock: Int32

  private static let lockName = "lock"

  /// Creates the folder of an archive, or takes over what an earlier update has left there.
  ///
  /// - Throws: ``ClientError/busy(file:)`` if another update has it.
  init(besideArchive archive: String, _ files: FileActions) throws(ClientError) {
    path = archive + ".update"
    self.files = files
    let name = path + "/" + Self.lockName
    while true {
      try files.createFolder(path)
      let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
      if descriptor < 0, errno == ENOENT { continue }
      guard descriptor >= 0 else { throw ClientError.lastSystemError(file: Self.lockName) }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        close(descriptor)
        throw ClientError.busy(file: (archive as NSString).lastPathComponent)
      }
      // Its last holder may have removed it with the folder in between.
      var (held, named) = (stat(), stat())
      if fstat(descriptor, &held) == 0, stat(name, &named) == 0, held.st_ino == named.st_ino {
        lock = descriptor
        return
      }
      close(descriptor)
    }
  }

  deinit {
    // A child that another thread has started shares the open file until it runs its own program;
    // closing alone would leave the lock to it for as long.
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Removes what a killed update may have left; whatever hinders that can wait.
  static func sweep(besideArchive archive: String, _ files: FileActions) {
    guard files.size(archive + ".update") != nil,
      let folder = try? UpdateFolder(besideArchive: archive, files)
    else { return }
    try? ArchiveInstallation(of: archive, files).settle()
    try? folder.removeAll()
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { path + "/" + name }

  /// Removes what no update continues.
  ///
  /// - Parameter downloads: the SHA-256 of the files that are needed.
  func clean(keeping downloads: Set<String>) throws(ClientError) {
    for name in names() where name != Self.lockName {
      let digest = name.hasSuffix(".part") ? String(name.dropLast(5)) : name
      if !downloads.contains(digest) { try files.remove(file(name)) }
    }
  }

  /// Removes the folder.
  func removeAll() throws(ClientError) {
    try clean(keeping: [])
    try files.remove(file(Self.lockName))
    try files.remove(path)
  }

  private func names() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }
}
