import MBTiles
import SQLite
import Tiling

/// The tiles and images in a delta, passed to the writer of the new archive.
final class DeltaChanges {
  private let delta: DeltaReader
  private let writer: ArchiveWriter
  private let rows: DeltaRowCursor

  /// The delta's images in the order of their first use, and the old archive's by name; `nil` where
  /// the layout is flat.
  private let images: DeltaImages?

  /// The same for grids; `nil` where the archives have no taps.
  let grids: DeltaGrids?

  /// - Parameter gridText: Parses the text of a grid.
  init(
    _ delta: DeltaReader, _ archive: ArchiveReader, _ writer: ArchiveWriter,
    gridText: @escaping (UnsafeRawBufferPointer) -> GridText
  ) throws(ArchiveError) {
    self.delta = delta
    self.writer = writer
    rows = try delta.changedTiles()
    images = delta.facts.layout == .dedup ? try DeltaImages(delta, archive) : nil
    grids =
      delta.facts.form.hasGrids
      ? try DeltaGrids(delta, archive, writer, gridText: gridText) : nil
  }

  /// The `archiveKey` of the next tile, or the greatest number after the last.
  var key: UInt64 { rows.key }

  /// Writes all tiles that come before a key.
  func write(before key: UInt64) throws(ArchiveError) {
    while rows.key < key { try writeNext() }
  }

  /// Writes the next tile.
  func writeNext() throws(ArchiveError) {
    guard let tile = rows.tile else { return }
    try rows.withContent { (content) throws(ArchiveError) in
      guard let images else {
        return try writer.addTile(
          tile, try writer.addImage(content, md5: MD5Digest(of: content)))
      }
      guard let name = MD5Digest(hexadecimal: content) else {
        throw delta.damaged("tile \(tile) shows an image that is not named by an MD5")
      }
      // In the order of a build: the image, the grid, the tile.
      let image = try images.reference(to: name, in: writer)
      let grid = try rows.grid()
      try writer.addTile(tile, image, grid: try reference(toGrid: grid, by: tile))
    }
    try rows.step()
  }

  /// Adds the grid of the next tile to the writer unless it has it; `nil` for a tile without.
  func reference(
    toGrid name: MD5Digest?, by tile: TileCoord
  ) throws(ArchiveError) -> GridRef? {
    guard let name else { return nil }
    return try grids?.reference(to: name, by: tile)
  }

  /// Whether every row and image was used.
  var isAtEnd: Bool {
    guard rows.tile == nil else { return false }
    return images?.isAtEnd ?? true
  }
}

/// A source of images by name: written already, the next of the delta, or in the old archive.
final class DeltaImages {
  private let delta: DeltaReader
  private let archive: ArchiveReader
  private let fresh: Statement
  private let known: Statement

  /// The name of the delta's next image; `nil` after the last.
  private var next: MD5Digest?

  init(_ delta: DeltaReader, _ archive: ArchiveReader) throws(ArchiveError) {
    self.delta = delta
    self.archive = archive
    fresh = try delta.rows("SELECT tile_id, tile_data FROM new_images ORDER BY rowid")
    known = try archive.prepare("SELECT tile_data FROM images WHERE tile_id = ?1")
    try step()
  }

  /// Adds the image to the writer unless it has it.
  func reference(
    to name: MD5Digest, in writer: ArchiveWriter
  ) throws(ArchiveError) -> ImageRef {
    if let image = writer.image(of: name) { return image }
    if name == next {
      let image = try fresh.withBytes(1) { (bytes) throws(ArchiveError) in
        guard MD5Digest(of: bytes) == name else {
          throw delta.damaged("image \(name) is not named by the MD5 of its bytes")
        }
        return try writer.addImage(bytes, md5: name)
      }
      try step()
      return image
    }
    let isKnown = try archive.reading { () throws(SQLiteError) in
      try known.bind(name.description, at: 1)
      return try known.step()
    }
    guard isKnown else { throw delta.damaged("neither it nor the archive has image \(name)") }
    defer { known.reset() }
    return try known.withBytes(0) { (bytes) throws(ArchiveError) in
      guard MD5Digest(of: bytes) == name else {
        throw ArchiveError(.content(.misnamedImage(name)), path: archive.path)
      }
      return try writer.addImage(bytes, md5: name)
    }
  }

  /// Whether no image is left.
  var isAtEnd: Bool { next == nil }

  private func step() throws(ArchiveError) {
    do {
      guard try fresh.step() else {
        next = nil
        return
      }
    } catch {
      throw delta.damaged(error)
    }
    next = fresh.withBytes(0) { MD5Digest(hexadecimal: $0) }
    guard next != nil else { throw delta.damaged("an image is not named by an MD5") }
  }
}
