import Pictures
import SQLite
import Tiling

/// The record that a build keeps of the archive that it has just written.
package struct WrittenContent: Sendable {
  let summary: ArchiveSummary
  let checksum: ContentChecksum
  let layout: ArchiveLayout

  /// - Parameters:
  ///   - summary: the result of ``ArchiveWriter/finish(metadata:)``.
  ///   - checksum: ``ArchiveWriter/checksum``.
  package init(
    _ summary: ArchiveSummary, _ checksum: ContentChecksum, _ layout: ArchiveLayout
  ) {
    self.summary = summary
    self.checksum = checksum
    self.layout = layout
  }

  /// The statistics of tiles and images, without fingerprints and taps.
  var counts: ArchiveSummary {
    ArchiveSummary(
      zooms: summary.zooms, distinct: summary.distinct, distinctBytes: summary.distinctBytes,
      hashes: nil)
  }
}

/// A check that reads an archive through SQLite and compares it with what the build wrote, by
/// checksums.
struct WrittenContentCheck {
  let database: Database
  let written: WrittenContent

  /// Side of a tile in pixels, from the first image.
  private(set) var tileSize: Int?

  /// The format of the tiles, from the first image.
  private(set) var format: TileFormat?

  init(_ database: Database, _ written: WrittenContent) {
    self.database = database
    self.written = written
  }

  /// Returns whether an archive of the layout `dedup` holds exactly the rows that were written, and
  /// each image is a whole PNG of the same size; if not, a ``ContentScan``, which hashes and counts
  /// again, finds out what is wrong.
  ///
  /// - Complexity: O(bytes of the archive).
  mutating func rowsHold() throws(SQLiteError) -> Bool {
    var checksum = ContentChecksum()
    let images = try database.prepare("SELECT tile_id, tile_data FROM images")
    while try images.step() {
      guard images.kind(1) == .blob else { return false }
      let isImage = images.withBytes(0) { name in
        images.withBytes(1) { bytes in
          checksum.addImage(count: bytes.count, checksum: ImageChecksum.of(bytes), name: name)
          return isTile(bytes)
        }
      }
      guard isImage else { return false }
    }
    let rows = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_id, grid_id FROM map")
    while try rows.step() {
      guard let tile = TileCoord(row: rows) else { return false }
      rows.withBytes(3) { name in
        rows.withBytes(4) { checksum.add(tile, name: name, grid: $0) }
      }
    }
    return checksum.hasSameRows(as: written.checksum)
  }

  private mutating func isTile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let picture = try? PictureStructure(bytes), picture.width == picture.height,
      ContentScan.tileSizes.contains(picture.width),
      tileSize ?? picture.width == picture.width,
      format ?? picture.format == picture.format
    else { return false }
    tileSize = picture.width
    format = picture.format
    return true
  }

  /// Returns whether the indexes of tiles, images and metadata ascend and lead to the rows that
  /// were written: SQLite's `quick_check` does not check that, and readers find tiles by index
  /// alone.
  ///
  /// - Complexity: O(rows).
  func indexesHold(_ layout: ArchiveLayout) throws(SQLiteError) -> Bool {
    var checksum = ContentChecksum()
    let table = layout == .dedup ? "map" : "tiles"
    let tiles = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, rowid FROM \(table) INDEXED BY \(table)_index"
        + " ORDER BY 1, 2, 3")
    var nextKey: UInt64 = 0
    while try tiles.step() {
      guard let tile = TileCoord(row: tiles), TileIndexPlace(tile).key >= nextKey else {
        return false
      }
      nextKey = TileIndexPlace(tile).key + 1
      checksum.addEntry(tile, row: tiles.integer(3))
    }
    if layout == .dedup { guard try addImages(to: &checksum) else { return false } }
    return try metadataHolds() && checksum.hasSameEntries(as: written.checksum)
  }

  /// Reads the index of images; returns `false` if it does not ascend.
  private func addImages(to checksum: inout ContentChecksum) throws(SQLiteError) -> Bool {
    let images = try database.prepare(
      "SELECT tile_id, rowid FROM images INDEXED BY images_index ORDER BY 1")
    var last: MD5Digest?
    while try images.step() {
      let row = images.integer(1)
      let name = images.withBytes(0) { bytes in
        checksum.addEntry(image: bytes, row: row)
        return MD5Digest(hexadecimal: bytes)
      }
      guard let name, last.map({ $0 < name }) ?? true else {
        return false
      }
      last = name
    }
    return true
  }

  /// Returns whether an archive holds exactly the UTFGrids that were written, with their keys, the data
  /// of these and the indexes; which grid a tile shows is a matter of the rows.
  ///
  /// - Complexity: O(bytes of the grids and the data).
  func gridsHold() throws(SQLiteError) -> Bool {
    var checksum = ContentChecksum()
    for (kind, text) in [
      (ContentChecksum.GridRow.grid, "SELECT grid_id, grid_utfgrid FROM grid_utfgrid"),
      (.key, "SELECT grid_id, key_name FROM grid_key"),
      (.entry, "SELECT key_name, key_json FROM keymap"),
    ] {
      let rows = try database.prepare(text)
      while try rows.step() {
        guard rows.kind(0) == .text, rows.kind(1) == (kind == .grid ? .blob : .text) else {
          return false
        }
        rows.withBytes(0) { one in rows.withBytes(1) { checksum.add(kind, one, $0) } }
      }
    }
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    for (kind, table, column) in [
      (ContentChecksum.GridRow.gridIndex, "grid_utfgrid", "grid_id"),
      (.keyIndex, "grid_key", "grid_id"), (.entryIndex, "keymap", "key_name"),
    ] {
      let entries = try database.prepare(
        "SELECT \(column), rowid FROM \(table) INDEXED BY \(table)_index ORDER BY 1, 2")
      while try entries.step() {
        entries.withBytes(0) { checksum.add(kind, $0, none, row: entries.integer(1)) }
      }
    }
    return checksum.hasSameGrids(as: written.checksum)
  }

  /// Returns whether the index of metadata names each row once.
  private func metadataHolds() throws(SQLiteError) -> Bool {
    var names: [Int64: String] = [:]
    let rows = try database.prepare("SELECT rowid, name FROM metadata")
    while try rows.step() { names[rows.integer(0)] = rows.text(1) }
    let entries = try database.prepare(
      "SELECT rowid, name FROM metadata INDEXED BY metadata_index ORDER BY name")
    var last: String?
    while try entries.step() {
      guard let name = entries.text(1), names.removeValue(forKey: entries.integer(0)) == name,
        last.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true
      else { return false }
      last = name
    }
    return names.isEmpty
  }
}
