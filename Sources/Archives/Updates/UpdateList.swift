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

    package init(file: String, bytes: Int, sha256: String, state: ArchiveState) {
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
      self.state = state
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

  /// The version of the list's form.
  package static let format = 1

  /// The version of the protocol that an app must know to follow the list.
  package static let minimumClient = 1

  /// Grows with each list that says something new, so that an app can refuse an older one.
  package var sequence: Int

  /// The published archive.
  package var archive: Archive

  /// The deltas that lead to the archive, from the newest earlier one to the oldest; then, in the
  /// same order, those that lead to the start of one before them in the list.
  package var deltas: [Entry]

  /// The keys that sign the list and those to come, in the order of their ids.
  package var keys: [Ed25519.PublicKey]

  package init(
    sequence: Int = 0, archive: Archive, deltas: [Entry] = [], keys: [Ed25519.PublicKey] = []
  ) {
    self.sequence = sequence
    self.archive = archive
    self.deltas = deltas
    self.keys = keys
  }

  /// Appends the deltas of an earlier list from which ways lead on to the archive.
  ///
  /// Each leads to the start of one before it, so every way ends at the archive; or at an earlier
  /// one of equal tiles, after which an app has nothing to download either. Merged deltas are left
  /// out: their steps are in the list, and newer ones lead further.
  ///
  /// - Parameters:
  ///   - withdrawn: a state to which no way shall lead.
  ///   - limits: how many are appended at most, and of how many bytes together.
  ///   - isWhole: whether the file of a delta exists.
  package mutating func appendSteps(
    of earlier: UpdateList, avoiding withdrawn: ArchiveState?, limits: (count: Int, bytes: Int),
    isWhole: (Entry) -> Bool
  ) {
    var starts = Set(deltas.map(\.start) + [archive.state])
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
