/// What a delta says of itself, and of the two archives between which it leads.
package struct DeltaFacts: Hashable, Sendable {
  /// How both archives hold their tiles.
  package var layout: ArchiveLayout

  /// The tileset's name for people, as the new archive has it.
  package var name: String

  /// The digest of the old archive's tiles (``TileHashes/digest``).
  package var before: String

  /// The digest of the new archive's tiles.
  package var after: String

  /// What it leads to in the taps; `nil` where the archives answer none.
  package var taps: Taps?

  /// Tiles of the old archive.
  package var tilesBefore: Int

  /// Tiles of the new archive.
  package var tilesAfter: Int

  /// Tiles that only the new archive has.
  package var added: Int

  /// Tiles that both have, with other bytes or other answers to taps.
  package var changed: Int

  /// Tiles that only the old archive has.
  package var removed: Int

  /// Images that the delta brings; 0 where the layout is flat.
  package var images: Int

  /// Images that the new archive no longer shows; 0 where the layout is flat.
  package var dropped: Int

  /// The first and last zoom of the new archive, as its metadata has them.
  package var minZoom: String
  package var maxZoom: String

  /// Bytes of the new archive's file.
  package var bytes: Int

  /// SHA-256 of the new archive's file, lower-case hexadecimal.
  package var sha256: String

  /// What a delta says of taps.
  package struct Taps: Hashable, Sendable {
    /// The digest of the old archive's taps (``ArchiveMetadata/tapsKey``).
    package var before: String

    /// The digest of the new archive's taps.
    package var after: String

    /// Grids that the delta brings.
    package var grids: Int

    /// Keys that it brings, with what they stand for.
    package var entries: Int
  }

  /// How both archives hold what they have.
  package var form: DeltaForm { DeltaForm(layout, hasTaps: taps != nil) }

  /// From where it leads.
  package var start: ArchiveState { ArchiveState(tiles: before, taps: taps?.before) }

  /// To where it leads.
  package var end: ArchiveState { ArchiveState(tiles: after, taps: taps?.after) }

  /// The rows of the table `facts`, in the order in which they are written.
  var entries: [MetadataEntry] {
    [
      MetadataEntry("layout", layout.rawValue), MetadataEntry("name", name),
      MetadataEntry("before", before), MetadataEntry("after", after),
      MetadataEntry("tiles_before", "\(tilesBefore)"),
      MetadataEntry("tiles_after", "\(tilesAfter)"),
      MetadataEntry("added", "\(added)"), MetadataEntry("changed", "\(changed)"),
      MetadataEntry("removed", "\(removed)"), MetadataEntry("images", "\(images)"),
      MetadataEntry("dropped", "\(dropped)"), MetadataEntry("minzoom", minZoom),
      MetadataEntry("maxzoom", maxZoom), MetadataEntry("bytes", "\(bytes)"),
      MetadataEntry("sha256", sha256),
    ] + (taps?.entryRows ?? [])
  }
}

extension DeltaFacts.Taps {
  fileprivate var entryRows: [MetadataEntry] {
    [
      MetadataEntry("taps_before", before), MetadataEntry("taps_after", after),
      MetadataEntry("grids", "\(grids)"), MetadataEntry("entries", "\(entries)"),
    ]
  }
}

extension DeltaFacts {
  /// Reads the rows of the table `facts`; `nil` if one is missing or makes no sense.
  init?(_ entries: [MetadataEntry]) {
    func text(_ name: String) -> String? { entries.first { $0.name == name }?.value }
    func count(_ name: String) -> Int? {
      text(name).flatMap { Int($0) }.flatMap { (0...(1 << 52)).contains($0) ? $0 : nil }
    }
    func digest(_ name: String) -> String? {
      text(name).flatMap { DigestText.isDigest($0) ? $0 : nil }
    }
    guard let layout = text("layout").flatMap(ArchiveLayout.init(rawValue:)),
      let name = text("name"), let before = digest("before"), let after = digest("after"),
      let tilesBefore = count("tiles_before"), let tilesAfter = count("tiles_after"),
      let added = count("added"), let changed = count("changed"), let removed = count("removed"),
      let images = count("images"), let dropped = count("dropped"),
      let minZoom = text("minzoom"), let maxZoom = text("maxzoom"), let bytes = count("bytes"),
      let sha256 = digest("sha256")
    else { return nil }
    var taps: Taps?
    if text("taps_before") != nil {
      guard let before = digest("taps_before"), let after = digest("taps_after"),
        let grids = count("grids"), let entries = count("entries")
      else { return nil }
      taps = Taps(before: before, after: after, grids: grids, entries: entries)
    }
    self.init(
      layout: layout, name: name, before: before, after: after, taps: taps,
      tilesBefore: tilesBefore,
      tilesAfter: tilesAfter, added: added, changed: changed, removed: removed, images: images,
      dropped: dropped, minZoom: minZoom, maxZoom: maxZoom, bytes: bytes, sha256: sha256)
  }
}

/// A SHA-256 as text.
package enum DigestText {
  /// Whether a text is 64 lower-case hexadecimal digits.
  package static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9"))
          || ($0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "f"))
      }
  }

  /// The eight digits by which people and file names tell digests apart.
  package static func short(_ digest: String) -> String { String(digest.prefix(8)) }
}
