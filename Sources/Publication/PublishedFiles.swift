import Files
import MBTiles
package import Reuse
package import SystemPackage

/// The status and digest of each file of a publication when the last run left it: of an archive's packs,
/// or of a series' archives. A run can see without reading them that they are intact.
package struct PublishedFiles {
  private let key: ArtifactKey
  private let folder: FilePath
  private let cache: ArtifactCache
  private let known: DigestMemory
  private var fresh = DigestMemory()

  /// - Parameters:
  ///   - names: the name of the publication in the cache.
  ///   - folder: the folder to which names of files are relative.
  package init(_ names: [String], in folder: FilePath, _ cache: ArtifactCache) {
    key = ArtifactKey(kind: .published, names)
    self.folder = folder
    self.cache = cache
    known = DigestMemory(key, in: cache)
  }

  /// Whether a file has these bytes.
  ///
  /// - Parameter bytes: their number, if it is known.
  /// - Complexity: O(1) if the file is as it was left; otherwise O(bytes) where the size is the same.
  package mutating func holds(_ file: String, bytes: Int? = nil, sha256: String) -> Bool {
    guard let status = status(of: file),
      bytes == nil || bytes == FileStatus(path(file), followsLinks: false)?.size
    else { return false }
    if let entry = known.entry(of: file, now: status) {
      fresh.remember(entry, as: file)
      return entry.sha256 == sha256
    }
    guard (try? FileDigest.sha256(of: path(file))) == sha256 else { return false }
    fresh.remember(DigestMemory.Entry(status: status, moment: .max, sha256: sha256), as: file)
    return true
  }

  /// Records a file that was published or found intact; ``store(_:)`` adds the time.
  package mutating func remember(_ file: String, sha256: String) {
    guard cache.isEnabled, let status = status(of: file) else { return }
    let entry = fresh.entries[file] ?? known.entries[file]
    if let entry, entry.status == status, entry.sha256 == sha256 {
      fresh.remember(entry, as: file)
    } else {
      fresh.remember(DigestMemory.Entry(status: status, moment: .max, sha256: sha256), as: file)
    }
  }

  /// Stores the records of some files and drops others, after the file system's clock has advanced,
  /// 25 ms at most, so that a later write changes the times of any of the files.
  package func store(_ files: [String]) {
    guard cache.isEnabled else { return }
    for file in files { status(of: file)?.waitUntilSettled() }
    var settled = DigestMemory()
    for file in files {
      guard var entry = fresh.entries[file] else { continue }
      if entry.moment == .max {
        guard status(of: file) == entry.status else { continue }
        entry.moment = InputDigests.wallClock()
      }
      settled.remember(entry, as: file)
    }
    settled.store(key, in: cache)
  }

  private func path(_ file: String) -> FilePath { folder.pushing(FilePath(file)) }

  private func status(of file: String) -> InputStatus? {
    try? InputStatus(path: path(file).string)
  }
}
