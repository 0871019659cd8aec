import Features
import Ingest
import JSON
import MBTiles
import OrderedCollections
import SystemPackage

/// The file beside an archive by which an app finds its way from what it has to what is published.
struct DeltaList: Hashable {
  /// One delta that leads to the archive.
  struct Entry: Hashable {
    /// The digest of the tiles from which it leads.
    var before: String
    /// The digest of the taps from which it leads; `nil` where the archive answers none.
    var tapsBefore: String?
    /// The digest of the tiles to which it leads.
    var after: String
    /// The name of the file, in the list's own folder.
    var file: String
    /// The size of the file.
    var bytes: Int
    /// SHA-256 of the file, lower-case hexadecimal.
    var sha256: String

    /// From where it leads.
    var start: ArchiveState { ArchiveState(tiles: before, taps: tapsBefore) }
  }

  /// The archive's file name.
  var archive: String
  /// The digest of its tiles.
  var digest: String
  /// The digest of its taps; `nil` where it answers none.
  var taps: String?
  /// The size of its file.
  var bytes: Int
  /// SHA-256 of its file.
  var sha256: String
  /// From the newest earlier archive to the oldest.
  var deltas: [Entry]

  /// The list beside an archive: `NAME.mbtiles` has `NAME.deltas.json`.
  static func path(besideArchive archive: String) -> String { stem(archive) + ".deltas.json" }

  /// Where a rollback puts the list while it works, out of the sight of apps: `NAME.deltas.json.0`.
  static func withheldPath(besideArchive archive: String) -> String {
    path(besideArchive: archive) + ".0"
  }

  /// The delta between two digests beside an archive: `NAME.1a2b3c4d-5e6f7a8b.delta`.
  static func file(
    besideArchive archive: String, before: ArchiveState, after: ArchiveState
  ) -> String {
    "\(stem(archive)).\(before.short)-\(after.short)\(DeltaFormat.suffix)"
  }

  /// Whether a file name could be that of a delta of an archive.
  ///
  /// - Parameter archive: the archive's file name.
  static func isDelta(_ name: String, of archive: String) -> Bool {
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
    let suffix = OutputDefinition.suffix
    return archive.hasSuffix(suffix) ? String(archive.dropLast(suffix.count)) : archive
  }

  var json: ReportJSON {
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
          .init("after", .string(after)), .init("file", .string(file)),
          .init("bytes", .integer(bytes)), .init("sha256", .string(sha256)),
        ])
  }
}

extension DeltaList {
  /// Reads a list that an earlier run wrote; `nil` where there is none that makes sense.
  init?(contentsOf path: String) {
    guard let bytes = try? SourceDefinition.bytes(of: path, limit: 1 << 20),
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
          before: before, tapsBefore: Self.text(members["tapsBefore"]), after: after, file: file,
          bytes: size, sha256: sha256))
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
