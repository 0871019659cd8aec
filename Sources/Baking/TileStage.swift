import Features
import MBTiles
import PNG
import Painting
import Reuse
import Runs
import Tiling

/// The stage that paints all distinct scenes on worker threads, or reuses earlier images, and
/// writes the rows in archive order.
struct TileStage {
  /// Side of a tile in device px.
  let side: Int
  let painters: PainterFactory
  let reuse: TileReuse
  let threads: Int
  let cancellation: Cancellation
  /// The plan for hit test data; `nil` for none.
  var taps: TapPlan?
  /// A function that receives the number of rows written so far; it throws to end the stage.
  let progress: (Int) throws -> Void

  /// A worker's result for a batch: the PNGs of its new slots, one after the other.
  private struct Painted: Sendable {
    var rows: [TileRows.Row]
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var scenes: [StableHash] = []
    var digests: [MD5Digest] = []
    var checksums: [UInt64] = []
    /// Whether each image was painted rather than reused.
    var isPainted: [Bool] = []
    /// Whether no other row shows the image, and nothing else will read it.
    var isPassing: [Bool] = []
    /// The grids for hit tests.
    var grids = PaintedGrids()

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

  /// Runs the stage.
  ///
  /// - Parameter record: receives the image of each scene.
  /// - Throws: the errors of painting, writing and `progress`; the archive is then unusable.
  func run(
    _ rows: consuming TileRows, into writer: ArchiveWriter, _ record: SceneRecord
  ) throws {
    var rows = rows
    var refs: [ImageRef?] = [nil]
    var written = 0
    let entries = taps.map { TapEntries($0) }
    let blank = PNGEncoder.transparent(width: side, height: side)
    let blankDigest = blank.withUnsafeBytes { MD5Digest(of: $0) }
    try OrderedWork<TileRows.Batch, Painted>(threads: threads, limit: threads * 4).run(
      worker: { [cancellation, painters, reuse, taps] in
        let painter = try painters.painter()
        let reader = reuse.reader()
        let tapper = taps?.worker()
        return { batch in
          var painted = try Self.paint(batch, with: painter, reader, cancellation)
          if let tapper { painted.grids = try tapper.grids(of: batch, cancellation) }
          return painted
        }
      },
      next: { rows.next() },
      consume: { painted in
        var fresh = 0
        for (index, row) in painted.rows.enumerated() {
          let slot = Int(row.slot)
          while refs.count <= slot { refs.append(nil) }
          if let known = refs[slot] {
            try writer.addTile(
              row.tile, known, grid: try painted.grids.add(row: index, to: writer))
          } else if slot == 0 {
            let ref = try blank.withUnsafeBytes { try writer.addImage($0, md5: blankDigest) }
            try writer.addTile(row.tile, ref, grid: try painted.grids.add(row: index, to: writer))
            refs[slot] = ref
          } else {
            let ref = try painted.add(fresh, ofRow: index, to: writer)
            record.append(
              painted.scenes[fresh], painted.digests[fresh], painted.checksums[fresh], ref,
              firstRow: written + index + 1, isPainted: painted.isPainted[fresh])
            fresh += 1
            refs[slot] = ref
          }
        }
        if let zoom = painted.rows.first?.tile.z { entries?.note(painted.grids, zoom: zoom) }
        written += painted.rows.count
        try progress(written)
      })
    try entries?.write(to: writer, threads: threads, cancellation)
  }

  private static func paint(
    _ batch: TileRows.Batch, with painter: TilePainter, _ reader: TileReuse.Reader?,
    _ cancellation: Cancellation
  ) throws -> Painted {
    var painted = Painted(rows: batch.rows)
    painted.bytes.reserveCapacity(batch.fresh.count * 1024)
    for (index, fresh) in batch.fresh.enumerated() {
      // A batch of large polygons takes seconds.
      try cancellation.check()
      let start = painted.bytes.count
      let scene = batch.hash(index)
      let known = reader?.append(scene, to: &painted.bytes)
      if known == nil { try painter.paint(fresh.tile, of: batch.scenes, into: &painted.bytes) }
      painted.scenes.append(scene)
      painted.ends.append(painted.bytes.count)
      painted.isPainted.append(known == nil)
      // Painted images are kept where the time may run out before they are published.
      let isWanted = known == nil && cancellation.maxSeconds != nil
      painted.isPassing.append(fresh.isShownOnce && !isWanted)
      painted.checksums.append(known?.checksum ?? ImageChecksum.of(painted.bytes[start...]))
      painted.digests.append(
        known?.md5
          ?? painted.bytes.withUnsafeBytes {
            MD5Digest(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
          })
    }
    return painted
  }
}
