import Pictures
import SQLite
import Tiling

/// A comparison of two archives that finds the tiles that differ.
///
/// Both are read once, side by side, in archive order; memory does not grow with them. Archives of
/// this program with the layout `dedup` are compared by the names of their images, all others by
/// their bytes, since a name that another program gave may mean anything. If both archives answer
/// taps and are of this program, the answers are compared as well.
package struct ArchiveComparison {
  package let old: ArchiveReader
  package let new: ArchiveReader

  /// The page cache of each archive in bytes while tiles are counted by names.
  static let keptBytes = 4 << 20

  package init(old: ArchiveReader, new: ArchiveReader) {
    self.old = old
    self.new = new
  }

  /// Whether names identify bytes in both archives.
  var usesNames: Bool { old.hasDigestNames && new.hasDigestNames }

  /// Returns whether both archives answer taps and record digests of the answers.
  func haveTaps() throws(ArchiveError) -> Bool {
    guard usesNames else { return false }
    for reader in [old, new] {
      guard reader.metadata[ArchiveMetadata.tapsKey] != nil else { return false }
      let isThere = try reader.reading(.taps()) { () throws(SQLiteError) in
        try GridSummary.isThere(in: reader.database)
      }
      guard isThere else { return false }
    }
    return true
  }

  /// Returns the differences between the answers to taps; `nil` where there are none, or nothing is
  /// compared.
  package func taps() throws(ArchiveError) -> TapsComparison? {
    let key = ArchiveMetadata.tapsKey
    guard old.metadata[key] != new.metadata[key], try haveTaps() else { return nil }
    return try TapsComparison(old: old, new: new)
  }

  /// Calls `body` with every tile that differs, in archive order, and counts all.
  ///
  /// - Complexity: O(tiles of both). By names, SQLite alone takes 0.33 µs per row of either; by
  ///   bytes, all of both are read. Where taps differ, the data of their keys is read as well.
  package func run(
    _ body: (TileChange) throws(ArchiveError) -> Void
  ) throws(ArchiveError) -> TileChanges {
    do {
      return try walk(try taps()) { change, _ in try body(change) }
    } catch {
      // The callees throw nothing else.
      throw error as? ArchiveError ?? ArchiveError(.misuse(of: "comparison", given: "\(error)"))
    }
  }

  /// Counts the differences without inspecting single tiles.
  ///
  /// - Parameter isStopped: called at each tile that differs, and only there; the count then ends
  ///   with ``ArchiveError/Code/stopped``.
  /// - Complexity: O(tiles of both).
  package func count(isStopped: () -> Bool = { false }) throws(ArchiveError) -> TileChanges {
    // Names are read once, in the order in which they are stored: a large cache would not help.
    if usesNames {
      for reader in [old, new] { try reader.keepPages(bytes: Self.keptBytes) }
    }
    return try run { (_) throws(ArchiveError) in
      if isStopped() { throw ArchiveError(.stopped(while: "comparing"), path: new.path) }
    }
  }

  /// Does what ``run(_:)`` does, and also passes the new archive's cursor, which is positioned on
  /// the tile unless it was removed.
  ///
  /// - Parameter taps: the result of ``taps()``.
  /// - Throws: ``ArchiveError``, and what `body` throws.
  package func walk(
    _ taps: TapsComparison?, _ body: (TileChange, borrowing TileCursor) throws -> Void
  ) throws -> TileChanges {
    let content: TileCursor.Content = usesNames ? .name : .bytes
    let hasTaps = try haveTaps()
    var before = try TileCursor(old, content: content, withGrids: hasTaps)
    var after = try TileCursor(new, content: content, withGrids: hasTaps)
    var tally = TileChangeTally()
    try before.step()
    try after.step()
    while let tile = before.key <= after.key ? before.tile : after.tile {
      var kind: TileChange.Kind?
      var part = TileChange.Part.picture
      if before.key < after.key {
        kind = .removed
      } else if before.key > after.key {
        kind = .added
      } else if try !TileCursor.areEqual(before, after) {
        kind = .changed
      } else if let taps, let other = taps.difference(try before.grid(), try after.grid()) {
        (kind, part) = (.changed, other)
      }
      tally.count(kind, zoom: tile.z)
      if let kind { try body(TileChange(tile: tile, kind: kind, part: part), after) }
      if kind != .added { try before.step() }
      if kind != .removed { try after.step() }
    }
    return tally.changes
  }
}

extension ArchiveComparison {
  /// Throws if the tiles of the archives are not interchangeable: another format, another number of
  /// pixels, another pixel density.
  ///
  /// - Throws: ``ArchiveError/Code/badValue``.
  package func requireSameForm() throws(ArchiveError) {
    let (before, after) = (try old.tileForm(), try new.tileForm())
    guard !before.fits(after) else { return }
    throw ArchiveError(
      .delta(.otherForm(than: old.path, "\(before)", "\(after)")), path: new.path)
  }
}

extension ArchiveReader {
  fileprivate func tileForm() throws(ArchiveError) -> TileForm {
    var form = TileForm(
      format: metadata["format"] ?? "unnamed", scale: metadata["scale"] ?? "1")
    try reading { () throws(SQLiteError) in
      let first = try database.prepare("SELECT tile_data FROM tiles LIMIT 1")
      form.isEmpty = try !first.step()
      if !form.isEmpty {
        form.pixels = first.withBytes(0) { try? PictureStructure($0) }.map(\.width)
      }
    }
    return form
  }

  /// Whether the names of images are digests of their bytes, so that this program wrote the
  /// archive.
  package var hasDigestNames: Bool {
    layout == .dedup && metadata[ArchiveMetadata.digestKey] != nil
  }
}

/// The format, pixel density and size of an archive's tiles.
private struct TileForm: CustomStringConvertible {
  var format: String
  var scale: String
  /// Side of a tile in pixels; `nil` where it cannot be read from the first tile.
  var pixels: Int?
  /// Whether the archive has no tiles, which is compatible with any size.
  var isEmpty = false

  /// Whether the tiles of both forms are interchangeable.
  func fits(_ other: TileForm) -> Bool {
    format == other.format && scale == other.scale
      && (isEmpty || other.isEmpty || pixels == other.pixels)
  }

  /// The form in words: `png tiles of 256 px at scale 1`.
  var description: String {
    "\(format) tiles\(pixels.map { " of \($0) px" } ?? "") at scale \(scale)"
  }
}

/// The differences between the taps of two archives of this program.
package struct TapsComparison {
  package let entries: EntryChanges

  /// The grids of the new archive with a key whose data differs from before.
  private var stale = ImageIndex()

  /// - Complexity: O(bytes of the data of keys), and O(names in all grids) if any of the data
  ///   differs.
  init(old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    entries = try EntryChanges(old: old, new: new)
    guard !entries.changed.isEmpty else { return }
    try new.reading(.taps()) { () throws(SQLiteError) in
      let rows = try new.database.prepare("SELECT grid_id, key_name FROM grid_key")
      while try rows.step() {
        guard entries.changed.contains(rows.withBytes(1) { Array($0) }),
          let grid = rows.withBytes(0, { MD5Digest(hexadecimal: $0) }),
          stale.number(of: grid) == nil
        else { continue }
        stale.add(grid)
      }
    }
  }

  /// Returns the difference between the answers of a tile whose image is the same in both archives;
  /// `nil` if there is none.
  func difference(_ before: MD5Digest?, _ after: MD5Digest?) -> TileChange.Part? {
    if before != after { return .grid }
    return after.flatMap { stale.number(of: $0) } == nil ? nil : .entries
  }
}
