package import Hashing
import JSON
package import MBTiles

/// The list from which an app learns how to get from its own state to the published one: a member
/// of the file `NAME.updates.json` (``UpdateFile``).
package struct UpdateList: Hashable {
  /// The file of an archive, in the list's own folder unless it is a frame.
  package struct Archive: Hashable {
    /// The name of the file.
    package var file: String
    /// The size of the file in bytes.
    package var bytes: Int
    /// SHA-256 of the file, lower-case hexadecimal.
    package var sha256: String
    /// The digests of its tiles and of its hit test data.
    package var state: ArchiveState
    /// The second name of the file, ``DeltaName/download(ofArchive:sha256:)``, under which the next
    /// publication leaves it; `nil` where it has none.
    package var download: String?
    /// The hashes of its chunks; `nil` for frames, packs and PMTiles, of which no regions are cut.
    package var chunks: FileChunks?

    package init(
      file: String, bytes: Int, sha256: String, state: ArchiveState, download: String? = nil
    ) {
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
      self.state = state
      self.download = download
    }
  }

  /// A delta that leads to the archive, or to the start of another one.
  package struct Entry: Hashable {
    /// The name of the file, in the list's own folder.
    package var file: String
    /// The size of the file in bytes.
    package var bytes: Int
    /// SHA-256 of the file, lower-case hexadecimal.
    package var sha256: String
    /// The state to which it applies.
    package var start: ArchiveState
    /// The state that results.
    package var end: ArchiveState
    /// The number of deltas that it was merged from; `nil` for one made from two archives.
    package var merged: Int?

    package init(
      file: String, bytes: Int, sha256: String, start: ArchiveState, end: ArchiveState,
      merged: Int? = nil
    ) {
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
      self.start = start
      self.end = end
      self.merged = merged
    }
  }

  package var sequence: Int

  /// The published archive.
  package var archive: Archive

  /// The deltas that lead to the archive, from the newest earlier one to the oldest, then merged ones
  /// that do; then, in the same order, those that lead to the start of one before them in the list.
  package var deltas: [Entry]

  /// The archives from which one of the deltas leads on, under their second names: an app that has
  /// begun to download one goes on with it.
  package var earlier: [Archive] = []

  package var expires: Int?

  package var keys: [Ed25519.PublicKey]

  package var minimumClient = 1

  /// The version of the protocol whose apps read compact taps of version 2.
  package static let blocksClient = 2

  /// The names of the files that exist for this list alone.
  package var files: Set<String> {
    Set(deltas.map(\.file) + earlier.map(\.file) + [archive.download].compactMap(\.self))
  }

  package init(
    sequence: Int = 0, archive: Archive, deltas: [Entry] = [], keys: [Ed25519.PublicKey] = []
  ) {
    self.sequence = sequence
    self.archive = archive
    self.deltas = deltas
    self.keys = keys
  }

  /// Adds merged deltas from the last few states that need more than one step to the archive.
  ///
  /// Each consists of one step and the cheapest known delta from there to the archive, so it is
  /// made by merging two files.
  ///
  /// - Parameters:
  ///   - count: the maximum number of merged deltas.
  ///   - merge: merges the two files, and returns the entry of the result; `nil` if one is damaged.
  ///   - discard: removes the file of an entry that saves nothing.
  package mutating func addMerged(
    _ count: Int, merge: (Entry, Entry) throws -> Entry?, discard: (Entry) -> Void
  ) rethrows {
    var ways: [ArchiveState: Entry] = [:]
    for entry in deltas where entry.end == archive.state && ways[entry.start] == nil {
      ways[entry.start] = entry
    }
    var place = deltas.firstIndex { $0.end != archive.state } ?? deltas.count
    var left = count - deltas.count { $0.merged != nil }
    for step in deltas where step.end != archive.state && ways[step.start] == nil {
      guard left > 0, let rest = ways[step.end], step.start != archive.state,
        max(step.bytes, rest.bytes) < archive.bytes
      else { continue }
      left -= 1
      guard let merged = try merge(step, rest) else { continue }
      guard merged.bytes < min(step.bytes + rest.bytes, archive.bytes) else {
        discard(merged)
        continue
      }
      ways[step.start] = merged
      deltas.insert(merged, at: place)
      place += 1
    }
  }

  /// Takes over the deltas of the list in place if that list leads to the same file.
  ///
  /// Archives of equal tiles and size may still differ in their metadata, which deltas update too.
  /// The delta from the archive that was replaced stays even where that archive is not kept.
  ///
  /// - Parameter isWhole: whether the file of a delta exists.
  package mutating func keep(of known: UpdateList?, isWhole: (Entry) -> Bool) {
    guard let known, known.archive.sha256 == archive.sha256 else { return }
    deltas = known.deltas.filter { $0.end == archive.state && isWhole($0) }
  }

  /// Takes over the archives of an earlier list from which one of the deltas leads on.
  ///
  /// - Parameter isWhole: whether the file of an archive exists under its second name.
  package mutating func keepArchives(of last: UpdateList?, isWhole: (Archive) -> Bool) {
    guard let last else { return }
    let starts = Set(deltas.map(\.start))
    var published = last.archive
    published.file = published.download ?? ""
    published.download = nil
    earlier = ([published] + last.earlier).filter {
      $0.sha256 != archive.sha256 && starts.contains($0.state) && isWhole($0)
    }
  }

  /// Appends the deltas of an earlier list that lead to the archive, directly or by further steps.
  ///
  /// Each leads to the start of one before it, so every chain ends at the archive, or at an earlier
  /// one of equal tiles, from which an app has nothing to download either. Merged deltas are left
  /// out: their steps are in the list, and newer ones lead further.
  ///
  /// - Parameters:
  ///   - withdrawn: a state to which no chain may lead.
  ///   - limits: the maximum number of deltas, and of their bytes in total.
  ///   - isWhole: whether the file of a delta exists.
  package mutating func appendSteps(
    of earlier: UpdateList, avoiding withdrawn: ArchiveState?, limits: (count: Int, bytes: Int),
    isWhole: (Entry) -> Bool
  ) {
    var starts = Set(deltas.filter { $0.merged == nil }.map(\.start) + [archive.state])
    var (count, bytes) = (0, 0)
    for entry in earlier.deltas where entry.merged == nil {
      guard starts.contains(entry.end), !starts.contains(entry.start),
        entry.end != withdrawn, isWhole(entry)
      else { continue }
      count += 1
      bytes += entry.bytes
      guard count <= limits.count, bytes <= limits.bytes else { return }
      starts.insert(entry.start)
      deltas.append(entry)
    }
  }
}
