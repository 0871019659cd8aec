package import MBTiles

/// The facts that a delta records about itself, and about the two archives that it connects.
package struct DeltaFacts: Hashable, Sendable {
  /// The layout of both archives.
  package var layout: ArchiveLayout

  /// The human-readable name of the tileset, as in the new archive.
  package var name: String

  /// The digest of the old archive's tiles (``TileHashes/digest``).
  package var before: String

  /// The digest of the new archive's tiles.
  package var after: String

  /// The facts about taps; `nil` where the archives have none.
  package var taps: Taps?

  /// The number of tiles of the old archive.
  package var tilesBefore: Int

  /// The number of tiles of the new archive.
  package var tilesAfter: Int

  /// The number of tiles that only the new archive has.
  package var added: Int

  /// The number of tiles that both have, with different bytes or different answers to taps.
  package var changed: Int

  /// The number of tiles that only the old archive has.
  package var removed: Int

  /// The number of images in the delta; 0 where the layout is flat.
  package var images: Int

  /// The number of images that the new archive no longer shows; 0 where the layout is flat.
  package var dropped: Int

  /// The first and last zoom of the new archive, as in its metadata.
  package var minZoom: String
  package var maxZoom: String

  /// Size of the new archive's file in bytes.
  package var bytes: Int

  /// Size of its pages.
  package var pageSize: PageSize

  /// SHA-256 of the new archive's file, lower-case hexadecimal.
  package var sha256: String

  /// The number of deltas that it was merged from; `nil` for one made from two archives.
  ///
  /// A merged delta may change tiles to what they are and remove tiles that are not there.
  package var merged: Int?

  /// The facts that a delta records about taps.
  package struct Taps: Hashable, Sendable {
    /// The digest of the old archive's taps (``ArchiveMetadata/tapsKey``).
    package var before: String

    /// The digest of the new archive's taps.
    package var after: String

    /// The form of the taps, which decides what the two numbers count.
    package var form = DeltaForm.Taps.grids

    /// The number of grids in the delta, or of blocks of compact taps.
    package var grids: Int

    /// The number of keys in the delta, with their data; for compact taps the number of pages of
    /// entries.
    package var entries: Int
  }

  /// The form of both archives.
  package var form: DeltaForm { DeltaForm(layout, taps: taps?.form) }

  /// The state that the delta starts from.
  package var start: ArchiveState { ArchiveState(tiles: before, taps: taps?.before) }

  /// The state that the delta leads to.
  package var end: ArchiveState { ArchiveState(tiles: after, taps: taps?.after) }

  /// Both states and the layout, for messages.
  var ends: ArchiveError.DeltaEnds { .init(start: start, end: end, layout: layout) }

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
      MetadataEntry("page_size", "\(pageSize.bytes)"), MetadataEntry("sha256", sha256),
    ] + (taps?.entryRows ?? []) + (merged.map { [MetadataEntry("merged", "\($0)")] } ?? [])
  }
}

extension DeltaFacts.Taps {
  fileprivate var entryRows: [MetadataEntry] {
    [
      MetadataEntry("taps_before", before), MetadataEntry("taps_after", after),
      MetadataEntry(form.names.grids, "\(grids)"), MetadataEntry(form.names.entries, "\(entries)"),
    ]
  }
}

extension DeltaForm.Taps {
  /// The names of the two numbers among the facts.
  fileprivate var names: (grids: String, entries: String) {
    switch self {
    case .grids: ("grids", "entries")
    case .blocks: ("blocks", "pages")
    }
  }
}

extension DeltaFacts {
  /// Reads the rows of the table `facts`; `nil` if one is missing or invalid.
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
      let pageSize = count("page_size").flatMap(PageSize.init(rawValue:)),
      let sha256 = digest("sha256")
    else { return nil }
    let merged = count("merged")
    guard merged.map({ $0 > 1 }) ?? (text("merged") == nil) else { return nil }
    var taps: Taps?
    if text("taps_before") != nil {
      let form = text("blocks") == nil ? DeltaForm.Taps.grids : .blocks
      guard let before = digest("taps_before"), let after = digest("taps_after"),
        let grids = count(form.names.grids), let entries = count(form.names.entries)
      else { return nil }
      taps = Taps(before: before, after: after, form: form, grids: grids, entries: entries)
    }
    self.init(
      layout: layout, name: name, before: before, after: after, taps: taps,
      tilesBefore: tilesBefore,
      tilesAfter: tilesAfter, added: added, changed: changed, removed: removed, images: images,
      dropped: dropped, minZoom: minZoom, maxZoom: maxZoom, bytes: bytes, pageSize: pageSize,
      sha256: sha256, merged: merged)
  }
}
