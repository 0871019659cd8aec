import Definition
import Features
import Ingest
package import JSON
package import MBTiles
import OrderedCollections
import Reports

/// The file beside an archive in which an app finds the deltas from its own state to the published
/// one.
package struct DeltaList: Hashable {
  /// A delta that leads to the archive.
  package struct Entry: Hashable {
    /// The digest of the tiles to which it applies.
    package var before: String
    /// The digest of the hit test data to which it applies; `nil` where the archive has none.
    package var tapsBefore: String?
    /// The digest of the tiles that result.
    package var after: String
    /// The digest of the hit test data that results; `nil` where the archive has none.
    package var tapsAfter: String?
    /// The name of the file, in the list's own folder.
    package var file: String
    /// The size of the file in bytes.
    package var bytes: Int
    /// SHA-256 of the file, lower-case hexadecimal.
    package var sha256: String

    /// The state to which it applies.
    package var start: ArchiveState { ArchiveState(tiles: before, taps: tapsBefore) }

    /// The state that results.
    package var end: ArchiveState { ArchiveState(tiles: after, taps: tapsAfter) }

    package init(
      before: String,
      tapsBefore: String? = nil,
      after: String,
      tapsAfter: String? = nil,
      file: String,
      bytes: Int,
      sha256: String
    ) {
      self.before = before
      self.tapsBefore = tapsBefore
      self.after = after
      self.tapsAfter = tapsAfter
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// The archive's file name.
  package var archive: String
  /// The digest of the archive's tiles.
  package var digest: String
  /// The digest of its hit test data; `nil` where it has none.
  package var taps: String?
  /// The size of its file in bytes.
  package var bytes: Int
  /// SHA-256 of its file.
  package var sha256: String
  /// The deltas that lead to the archive, from the newest earlier one to the oldest; then, in the
  /// same order, those that lead to the start of one before them in the list.
  package var deltas: [Entry]

  /// The state of the archive.
  package var state: ArchiveState { ArchiveState(tiles: digest, taps: taps) }

  package init(
    archive: String,
    digest: String,
    taps: String? = nil,
    bytes: Int,
    sha256: String,
    deltas: [Entry]
  ) {
    self.archive = archive
    self.digest = digest
    self.taps = taps
    self.bytes = bytes
    self.sha256 = sha256
    self.deltas = deltas
  }

  /// Returns the path of the list beside an archive: `NAME.deltas.json` for `NAME.mbtiles`.
  package static func path(besideArchive archive: String) -> String {
    ReportFile.deltaListPath(besideArchive: archive)
  }

  /// Returns the path under which a rollback hides the list from apps while it works:
  /// `NAME.deltas.json.0`.
  package static func withheldPath(besideArchive archive: String) -> String {
    path(besideArchive: archive) + ".0"
  }

  /// Returns the path of the delta between two digests beside an archive:
  /// `NAME.1a2b3c4d-5e6f7a8b.delta`.
  package static func file(
    besideArchive archive: String, before: ArchiveState, after: ArchiveState
  ) -> String {
    "\(stem(archive)).\(before.short)-\(after.short)\(DeltaFormat.suffix)"
  }

  /// Whether a file name could belong to a delta of an archive.
  ///
  /// - Parameter archive: the archive's file name.
  package static func isDelta(_ name: String, of archive: String) -> Bool {
    let prefix = stem(archive) + "."
    guard name.hasPrefix(prefix), name.hasSuffix(DeltaFormat.suffix) else { return false }
    let parts = name.dropFirst(prefix.count).dropLast(DeltaFormat.suffix.count)
      .split(separator: "-", omittingEmptySubsequences: false)
    return parts.count == 2
      && parts.allSatisfy { part in
        part.count == 8 && part.utf8.allSatisfy { Array("0123456789abcdef".utf8).contains($0) }
      }
  }

  private static func stem(_ archive: String) -> String {
    OutputDefinition.stem(of: archive)
  }

  package var json: ReportJSON {
    .object(
      [.init("archive", .string(archive)), .init("digest", .string(digest))]
        + Self.member("taps", taps)
        + [
          .init("bytes", .integer(bytes)), .init("sha256", .string(sha256)),
          .init("deltas", .array(deltas.map(\.json))),
        ])
  }

  fileprivate static func member(_ name: String, _ text: String?) -> [ReportJSON.Member] {
    text.map { [.init(name, .string($0))] } ?? []
  }
}

extension DeltaList.Entry {
  fileprivate var json: ReportJSON {
    .object(
      [.init("before", .string(before))] + DeltaList.member("tapsBefore", tapsBefore)
        + [
          .init("after", .string(after))
        ] + DeltaList.member("tapsAfter", tapsAfter) + [
          .init("file", .string(file)), .init("bytes", .integer(bytes)),
          .init("sha256", .string(sha256)),
        ])
  }
}

extension DeltaList {
  /// Appends the deltas of an earlier list from which ways lead on to the archive.
  ///
  /// Each leads to the start of one before it, so every way ends at the archive; or at an earlier
  /// one of equal tiles, after which an app has nothing to download either.
  ///
  /// - Parameters:
  ///   - withdrawn: a state to which no way shall lead.
  ///   - limits: how many are appended at most, and of how many bytes together.
  ///   - isWhole: whether the file of a delta exists.
  package mutating func appendSteps(
    of earlier: DeltaList, avoiding withdrawn: ArchiveState?, limits: (count: Int, bytes: Int),
    isWhole: (Entry) -> Bool
  ) {
    var starts = Set(deltas.map(\.start) + [state])
    var (count, bytes) = (0, 0)
    for entry in earlier.deltas {
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

  /// Reads a list that an earlier run wrote; `nil` where it is missing or invalid.
  package init?(contentsOf path: String) {
    guard let bytes = try? DocumentFile.bytes(of: path, limit: 4 << 20),
      case .object(let members)? = try? JSONValueParser.parse(bytes),
      let archive = Self.text(members["archive"]), let digest = Self.text(members["digest"]),
      let size = Self.count(members["bytes"]), let sha256 = Self.text(members["sha256"]),
      case .array(let items)? = members["deltas"]
    else { return nil }
    self.init(
      archive: archive, digest: digest, taps: Self.text(members["taps"]), bytes: size,
      sha256: sha256, deltas: [])
    for item in items {
      guard case .object(let members) = item, let before = Self.text(members["before"]),
        let after = Self.text(members["after"]), let file = Self.text(members["file"]),
        let size = Self.count(members["bytes"]), let sha256 = Self.text(members["sha256"])
      else { return nil }
      deltas.append(
        Entry(
          before: before, tapsBefore: Self.text(members["tapsBefore"]), after: after,
          // Earlier versions listed only deltas that lead to the archive.
          tapsAfter: Self.text(members["tapsAfter"]) ?? (after == digest ? taps : nil),
          file: file, bytes: size, sha256: sha256))
    }
  }

  private static func text(_ value: PropertyValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private static func count(_ value: PropertyValue?) -> Int? {
    guard case .number(let number)? = value, number >= 0, number < 1e15 else { return nil }
    return Int(number)
  }
}
