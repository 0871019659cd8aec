import Archives
import Foundation
import Overlays
import Reuse
import SystemPackage

/// The digests of a series' archives as they were published, so that a later run need not read them
/// all to know that they are intact; see ``PublishedArchive``.
struct SeriesMemory {
  private let cache: ArtifactCache
  private let key: ArtifactKey
  private let folder: FilePath
  private var memory: DigestMemory

  /// The entries of files that were read because there was no other record of them, by name.
  private var read: [String: DigestMemory.Entry] = [:]

  init(_ output: SeriesOutput, in cache: ArtifactCache) {
    self.cache = cache
    key = ArtifactKey(kind: .published, [output.names.manifest])
    folder = output.folder
    memory = DigestMemory(key, in: cache)
  }

  /// Whether a frame's archive in place has the SHA-256 in the manifest.
  ///
  /// - Complexity: O(1) where the file's status is unchanged since it was last published or read;
  ///   otherwise O(bytes).
  mutating func isWhole(_ archive: FrameArchive) -> Bool {
    let path = path(archive.file)
    guard let status = try? InputStatus(path: path) else { return false }
    if let entry = memory.entry(of: archive.file, now: status) {
      return entry.sha256 == archive.sha256
    }
    guard let digest = try? InputDigests().sha256(of: path), digest == archive.sha256 else {
      return false
    }
    read[archive.file] = PublishedArchive.entry(path, sha256: digest)
    return true
  }

  /// Records the archives of a manifest, after they were published.
  func record(_ manifest: FramesManifest) {
    guard cache.isEnabled else { return }
    var next = DigestMemory()
    for archive in manifest.frames.map(\.archive) {
      guard let entry = entry(of: archive) else { continue }
      next.remember(entry, as: archive.file)
    }
    next.store(key, in: cache)
  }

  /// Returns the entry to record for an archive: the known one, unless the publication gave the
  /// file another name or time, as the alias of the newest frame does.
  private func entry(of archive: FrameArchive) -> DigestMemory.Entry? {
    let path = path(archive.file)
    let known = read[archive.file] ?? memory.entries[archive.file]
    if let known, known.sha256 == archive.sha256, let status = try? InputStatus(path: path),
      known.status == status
    {
      return known
    }
    return PublishedArchive.entry(path, sha256: archive.sha256)
  }

  private func path(_ file: String) -> String { folder.pushing(FilePath(file)).string }
}
