import Archives
import Files
import MBTiles
import Reuse
import SystemPackage

/// The status of each pack next to an archive when the last run left it, so that a run can see
/// without reading them that they are intact.
struct PackMemory {
  private let key: ArtifactKey
  private let cache: ArtifactCache
  private let known: DigestMemory
  private var fresh = DigestMemory()

  /// - Parameter archive: the file name of the archive.
  init(_ archive: String, in cache: ArtifactCache) {
    key = ArtifactKey(kind: .published, ["packs", archive])
    self.cache = cache
    known = DigestMemory(key, in: cache)
  }

  /// Whether a file has these bytes.
  ///
  /// - Complexity: O(1) if it is as it was left; otherwise O(bytes) where the size is the same.
  mutating func holds(_ path: FilePath, bytes: Int, sha256: String) -> Bool {
    guard FileStatus(path, followsLinks: false)?.size == bytes,
      let status = try? InputStatus(path: path.string)
    else { return false }
    let name = Self.name(path)
    if let entry = known.entry(of: name, now: status) {
      fresh.remember(entry, as: name)
      return entry.sha256 == sha256
    }
    guard (try? FileDigest.sha256(of: path)) == sha256 else { return false }
    remember(path, sha256: sha256)
    return true
  }

  /// Records a file that was published or read; ``store(_:)`` adds the time.
  mutating func remember(_ path: FilePath, sha256: String) {
    guard cache.isEnabled, let status = try? InputStatus(path: path.string) else { return }
    fresh.remember(
      DigestMemory.Entry(status: status, moment: .max, sha256: sha256), as: Self.name(path))
  }

  /// Stores the records, after the file system's clock has advanced, 25 ms at most, so that a later
  /// write changes the times of any of the files.
  func store(_ paths: [FilePath]) {
    guard cache.isEnabled else { return }
    for path in paths { try? InputStatus(path: path.string).waitUntilSettled() }
    var settled = DigestMemory()
    for path in paths {
      guard let entry = fresh.entries[Self.name(path)] else { continue }
      guard entry.moment == .max else {
        settled.remember(entry, as: Self.name(path))
        continue
      }
      guard let status = try? InputStatus(path: path.string), status == entry.status else {
        continue
      }
      settled.remember(
        DigestMemory.Entry(
          status: status, moment: InputDigests.wallClock(), sha256: entry.sha256),
        as: Self.name(path))
    }
    settled.store(key, in: cache)
  }

  private static func name(_ path: FilePath) -> String {
    path.lastComponent?.string ?? path.string
  }
}
