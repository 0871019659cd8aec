import SQLite
package import SystemPackage
import Tiling

/// Writes what leads from one archive to another.
///
/// Equal archives give equal bytes. Both are read once, side by side.
package struct DeltaMaker {
  private let old: ArchiveReader
  private let new: ArchiveReader
  private let layout: ArchiveLayout
  private let before: String
  private let after: String

  /// The digests of the tiles, as the metadata of the two archives has them.
  package var digests: (before: String, after: String) { (before, after) }

  /// - Throws: ``ArchiveError/Code/badValue`` if one was not written by this program, or if no delta
  ///   can lead from one to the other: their layouts or their tiles' form differ.
  package init(old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    let (layout, before) = try old.own()
    let (newLayout, after) = try new.own()
    try ArchiveComparison(old: old, new: new).requireSameForm()
    guard layout == newLayout else {
      throw ArchiveError(
        .badValue,
        "\(old.path) has the layout '\(layout.rawValue)' and \(new.path) '\(newLayout.rawValue)':"
          + " no delta leads from one to the other. Fix 'output: {layout: …}' in the pipeline.",
        path: new.path)
    }
    (self.old, self.new, self.layout, self.before, self.after) = (old, new, layout, before, after)
  }

  /// Makes sure that both archives hold the tiles that their metadata promises.
  ///
  /// - Complexity: O(bytes of both).
  package func proveDigests() throws(ArchiveError) {
    for (reader, digest) in [(old, before), (new, after)] {
      guard try reader.hashes().digest != digest else { continue }
      throw ArchiveError(
        .badArchive,
        "\(reader.path) is damaged: its tiles are not those of which its digest was made. Take"
          + " another copy, or build it again.", path: reader.path)
    }
  }

  /// Writes the delta.
  ///
  /// - Parameters:
  ///   - path: Where; nothing may be there.
  ///   - bytes: The size of the new archive's file.
  ///   - sha256: The digest of the new archive's file.
  ///   - each: Is handed every tile that differs, in archive order; may throw to end it.
  /// - Returns: What the delta says of itself, and the tiles that differ by zoom.
  package func write(
    to path: FilePath, bytes: Int, sha256: String, each: (TileChange) throws -> Void = { _ in }
  ) throws -> (facts: DeltaFacts, changes: TileChanges) {
    let rows = try DeltaRows(path: path, layout: layout)
    try rows.insertMetadata(Self.replacements(old.metadata.entries, new.metadata.entries))
    let images = layout == .dedup ? try FreshImages(old: old, new: new) : nil
    for name in images?.names.dropped ?? [] { try rows.drop(name) }
    let changes = try ArchiveComparison(old: old, new: new).walk { change, cursor in
      if change.kind == .removed {
        try rows.remove(change.tile)
      } else {
        try cursor.withContent { (content) throws(ArchiveError) in
          try rows.insert(change.tile, content, isName: images != nil)
          guard let images else { return }
          if let name = MD5Digest(hexadecimal: content) { try images.write(name, to: rows) }
        }
      }
      try each(change)
    }
    if let images, images.written != images.names.fresh.count {
      throw ArchiveError(
        .badArchive, "\(new.path) has images that no tile shows. Build the archive again.",
        path: new.path)
    }
    let facts = DeltaFacts(
      layout: layout, name: new.metadata["name"] ?? "", before: before, after: after,
      tilesBefore: changes.oldTiles, tilesAfter: changes.newTiles, added: changes.added,
      changed: changes.changed, removed: changes.removed, images: images?.written ?? 0,
      dropped: images?.names.dropped.count ?? 0, minZoom: new.metadata["minzoom"] ?? "",
      maxZoom: new.metadata["maxzoom"] ?? "", bytes: bytes, sha256: sha256)
    try rows.finish(facts)
    return (facts, changes)
  }

  /// The new rows of metadata, each with the name of the old row whose place it takes: its own, or
  /// one that is gone.
  static func replacements(
    _ old: [MetadataEntry], _ new: [MetadataEntry]
  ) -> [(entry: MetadataEntry, replaced: String?)] {
    let (oldNames, newNames) = (Set(old.map(\.name)), Set(new.map(\.name)))
    var gone = old.map(\.name).filter { !newNames.contains($0) }[...]
    let added = newNames.subtracting(oldNames).count
    // Names that are gone beyond those that are added replace rows whose own place then is freed,
    // since names are unique.
    var surplus = max(0, gone.count - added)
    return new.map { entry in
      if oldNames.contains(entry.name) {
        guard surplus > 0, let name = gone.popFirst() else { return (entry, entry.name) }
        surplus -= 1
        return (entry, name)
      }
      return (entry, gone.popFirst())
    }
  }
}

/// The images that a delta brings, written in the order in which tiles first show them.
private final class FreshImages {
  let names: ImageNames
  private(set) var written = 0
  private var seen = ImageIndex()
  private let reader: ArchiveReader
  private let selection: Statement

  init(old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    names = try ImageNames(old: old, new: new)
    reader = new
    do {
      selection = try new.database.prepare("SELECT tile_data FROM images WHERE tile_id = ?1")
    } catch {
      throw ArchiveError(error, doing: "read", path: new.path)
    }
  }

  /// Writes the image of a tile, unless the old archive has it or it is written.
  func write(_ name: MD5Digest, to rows: DeltaRows) throws(ArchiveError) {
    guard names.fresh.number(of: name) != nil, seen.number(of: name) == nil else { return }
    seen.add(name)
    do {
      try selection.bind(name.description, at: 1)
      guard try selection.step() else { return }
    } catch {
      throw ArchiveError(error, doing: "read", path: reader.path)
    }
    defer { selection.reset() }
    let replaced = written < names.dropped.count ? names.dropped[written] : nil
    try selection.withBytes(0) { (bytes) throws(ArchiveError) in
      try rows.insertImage(name, bytes, replacing: replaced)
    }
    written += 1
  }
}
