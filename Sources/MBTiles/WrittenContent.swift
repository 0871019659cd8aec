import SQLite
import Tiling

/// What a build says of the archive that it has just written.
package struct WrittenContent: Sendable {
  let summary: ArchiveSummary
  let checksum: ContentChecksum

  /// - Parameters:
  ///   - summary: as ``ArchiveWriter/finish(metadata:)`` returned it.
  ///   - checksum: ``ArchiveWriter/checksum``.
  package init(_ summary: ArchiveSummary, _ checksum: ContentChecksum) {
    self.summary = summary
    self.checksum = checksum
  }

  /// What there is of tiles and images, without fingerprints and taps.
  var counts: ArchiveSummary {
    ArchiveSummary(
      zooms: summary.zooms, distinct: summary.distinct, distinctBytes: summary.distinctBytes,
      hashes: nil)
  }
}

/// Reads an archive of the layout `dedup` through SQLite and compares every row with what the build
/// wrote, by checksums: a fifth of the work of a ``ContentScan``, which hashes and counts anew.
struct WrittenContentCheck {
  let database: Database

  /// The pixels of a tile's side, from the first image.
  private(set) var tileSize: Int?

  init(_ database: Database) {
    self.database = database
  }

  /// Whether the archive holds exactly the rows that were written, and each image is a whole PNG of
  /// the size of the others; where not, a ``ContentScan`` tells what is wrong.
  ///
  /// - Complexity: O(bytes of the archive).
  mutating func holds(_ written: WrittenContent) throws(SQLiteError) -> Bool {
    var checksum = ContentChecksum()
    let images = try database.prepare("SELECT tile_id, tile_data FROM images")
    while try images.step() {
      guard images.kind(1) == .blob else { return false }
      let isImage = images.withBytes(0) { name in
        images.withBytes(1) { bytes in
          checksum.add(image: bytes, name: name)
          return isTile(bytes)
        }
      }
      guard isImage else { return false }
    }
    let rows = try database.prepare("SELECT zoom_level, tile_column, tile_row, tile_id FROM map")
    while try rows.step() {
      guard let tile = TileCoord(row: rows) else { return false }
      rows.withBytes(3) { checksum.add(tile, name: $0) }
    }
    return checksum == written.checksum
  }

  private mutating func isTile(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let png = try? PNGStructure(bytes), png.width == png.height,
      ContentScan.tileSizes.contains(png.width), tileSize ?? png.width == png.width
    else { return false }
    tileSize = png.width
    return true
  }
}
