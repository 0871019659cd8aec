import Features
package import MBTiles
package import Reuse
package import Runs
import Tiling

/// The painted images of a batch of rows: the PNGs of its new slots, one after the other.
package struct PaintedBatch: Sendable {
  var rows: [TileRows.Row]
  package var bytes: [UInt8] = []
  package var ends: [Int] = []
  var scenes: [StableHash] = []
  package var digests: [MD5Digest] = []
  package var checksums: [UInt64] = []
  /// Whether each image was painted rather than reused.
  var isPainted: [Bool] = []
  /// Whether no other row shows the image, and nothing else will read it.
  var isPassing: [Bool] = []
  /// The grids for hit tests.
  package var grids = PaintedGrids()

  init(rows: [TileRows.Row]) {
    self.rows = rows
  }

  /// Creates the batch of images that another process painted.
  ///
  /// - Parameters:
  ///   - bytes: the PNGs of the batch's new slots, one after the other.
  ///   - ends: the end of each; the other columns have the same length.
  package init(
    of batch: TileRows.Batch, bytes: [UInt8], ends: [Int], digests: [MD5Digest],
    checksums: [UInt64]
  ) {
    rows = batch.rows
    self.bytes = bytes
    self.ends = ends
    self.digests = digests
    self.checksums = checksums
    scenes = batch.fresh.indices.map { batch.hash($0) }
    isPainted = batch.fresh.map { _ in true }
    isPassing = batch.fresh.map(\.isShownOnce)
  }

  /// Passes the n-th new image to the writer, with the row that shows it first.
  func add(_ index: Int, ofRow row: Int, to writer: ArchiveWriter) throws -> ImageRef {
    let tile = rows[row].tile
    let start = index == 0 ? 0 : ends[index - 1]
    return try bytes.withUnsafeBytes { all in
      let image = UnsafeRawBufferPointer(rebasing: all[start..<ends[index]])
      let (md5, checksum) = (digests[index], checksums[index])
      if isPassing[index] {
        return try writer.addTile(tile, showingOnly: image, md5: md5, checksum: checksum) {
          try grids.add(row: row, to: writer)
        }
      }
      let ref = try writer.addImage(image, md5: md5, checksum: checksum)
      try writer.addTile(tile, ref, grid: try grids.add(row: row, to: writer))
      return ref
    }
  }
}

/// A writer of the rows of an archive: takes painted batches in archive order, and passes every
/// image on once.
package struct RowWriter {
  private let writer: ArchiveWriter
  private let record: SceneRecord
  private let entries: TapEntries?

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
    entries = taps.map { TapEntries($0) }
  }

  /// Writes the next batch.
  package mutating func write(_ painted: PaintedBatch) throws {
    var fresh = 0
    for (index, row) in painted.rows.enumerated() {
      let slot = Int(row.slot)
      while refs.count <= slot { refs.append(nil) }
      if let known = refs[slot] {
        try writer.addTile(row.tile, known, grid: try painted.grids.add(row: index, to: writer))
      } else if slot == 0 {
        let ref = try blank.withUnsafeBytes { try writer.addImage($0, md5: blankDigest) }
        try writer.addTile(row.tile, ref, grid: try painted.grids.add(row: index, to: writer))
        refs[slot] = ref
      } else {
        let ref = try painted.add(fresh, ofRow: index, to: writer)
        record.append(
          painted.scenes[fresh], painted.digests[fresh], ref,
          row: writer.layout == .dedup ? writer.row(of: ref) ?? 0 : row.tile.number,
          isPainted: painted.isPainted[fresh])
        fresh += 1
        refs[slot] = ref
      }
    }
    if let zoom = painted.rows.first?.tile.z { entries?.note(painted.grids, zoom: zoom) }
    written += painted.rows.count
  }

  /// Writes what follows the last row: the entries of the features that grids reference.
  package func finish(threads: Int, _ cancellation: Cancellation) throws {
    try entries?.write(to: writer, threads: threads, cancellation)
  }
}
