import Features
package import MBTiles
package import Reuse
package import Runs
import Tiling

/// A batch of rows with the pictures of its new slots.
package struct PaintedBatch: Sendable {
  let rows: [TileRows.Row]
  package var pictures: Pictures
  /// Whether no other row shows the image, and nothing else will read it.
  var isPassing: [Bool] = []
  /// The grids for hit tests.
  package var grids = PaintedGrids()

  /// Creates the painted batch of the pictures of all new slots.
  package init(of batch: TileRows.Batch, _ pictures: Pictures) {
    rows = batch.rows
    self.pictures = pictures
    self.pictures.scenes = batch.fresh.indices.map { batch.hash($0) }
    isPassing = batch.fresh.map(\.isShownOnce)
  }

  /// Passes the n-th new image to the writer, with the row that shows it first.
  func add(_ index: Int, ofRow row: Int, to writer: ArchiveWriter) throws -> ImageRef {
    let tile = rows[row].tile
    return try pictures[index].withUnsafeBytes { image in
      let (md5, checksum) = (pictures.digests[index], pictures.checksums[index])
      if isPassing[index] {
        return try writer.addTile(tile, showingOnly: image, md5: md5, checksum: checksum) {
          try grids.add(row: row, tile, to: writer)
        }
      }
      let ref = try writer.addImage(image, md5: md5, checksum: checksum)
      try writer.addTile(tile, ref, grid: try grids.add(row: row, tile, to: writer))
      return ref
    }
  }
}

/// A writer of the rows of an archive: takes painted batches in archive order, and passes every
/// image on once.
package struct RowWriter {
  private let writer: ArchiveWriter
  private let record: SceneRecord
  private let taps: TapPlan?

  /// The image of each slot so far.
  private var refs: Column<ImageRef?>

  /// The number of rows written so far.
  package private(set) var written = 0

  private let blank: [UInt8]
  private let blankDigest: MD5Digest

  /// - Parameters:
  ///   - record: receives the image of each scene.
  ///   - blank: the transparent tile.
  ///   - taps: the plan for UTFGrids; `nil` for none.
  package init(_ writer: ArchiveWriter, _ record: SceneRecord, blank: [UInt8], taps: TapPlan?) {
    self.writer = writer
    self.record = record
    refs = Column([nil], in: record.scenes.scratch)
    self.blank = blank
    blankDigest = blank.withUnsafeBytes { MD5Digest(of: $0) }
    self.taps = taps
  }

  /// Writes the next batch.
  package mutating func write(_ painted: PaintedBatch) throws {
    var fresh = 0
    for (index, row) in painted.rows.enumerated() {
      let slot = Int(row.slot)
      while refs.count <= slot { refs.append(nil) }
      if let known = refs[slot] {
        let grid = try painted.grids.add(row: index, row.tile, to: writer)
        try writer.addTile(row.tile, known, grid: grid)
      } else if slot == 0 {
        let ref = try blank.withUnsafeBytes { try writer.addImage($0, md5: blankDigest) }
        let grid = try painted.grids.add(row: index, row.tile, to: writer)
        try writer.addTile(row.tile, ref, grid: grid)
        refs[slot] = ref
      } else {
        let ref = try painted.add(fresh, ofRow: index, to: writer)
        record.append(
          painted.pictures.scenes[fresh], painted.pictures.digests[fresh], ref,
          row: writer.layout == .dedup ? writer.row(of: ref) ?? 0 : row.tile.number,
          isPainted: painted.pictures.isPainted[fresh])
        fresh += 1
        refs[slot] = ref
      }
    }
    written += painted.rows.count
  }

  /// Writes what follows the last row: the data of the keys that grids name.
  package func finish(threads: Int, _ cancellation: Cancellation) throws {
    guard let taps else { return }
    try TapEntries(taps, used: writer.usedKeys).write(to: writer, threads: threads, cancellation)
  }
}
