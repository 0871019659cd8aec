import MBTiles
import PNG
import Rendering
import Tiling

/// Paints all distinct scenes on worker threads and writes the rows in archive order.
struct TileStage {
  let builder: SceneBuilder
  let threads: Int
  let cancellation: Cancellation
  /// Takes the rows written so far; throws to end the stage.
  let progress: (Int) throws -> Void

  /// What a worker makes of a batch: the PNGs of its new slots, one after the other.
  private struct Painted: Sendable {
    var rows: [TileRows.Row]
    var bytes: [UInt8] = []
    var ends: [Int] = []
    var digests: [MD5Digest] = []

    /// Hands the n-th new image to the writer.
    func add(_ index: Int, to writer: ArchiveWriter) throws -> ImageRef {
      let start = index == 0 ? 0 : ends[index - 1]
      return try bytes.withUnsafeBytes { all in
        try writer.addImage(
          UnsafeRawBufferPointer(rebasing: all[start..<ends[index]]), md5: digests[index])
      }
    }
  }

  /// What painting came to.
  struct Outcome {
    /// Distinct scenes that were painted.
    var rendered = 0
  }

  /// Runs the stage.
  ///
  /// - Throws: what painting, writing or `progress` throws; the archive is then unusable.
  func run(_ rows: consuming TileRows, into writer: ArchiveWriter) throws -> Outcome {
    var rows = rows
    var refs: [ImageRef?] = [nil]
    var written = 0
    var outcome = Outcome()
    let blank = PNGEncoder.transparent(
      width: builder.tileSize * builder.scale, height: builder.tileSize * builder.scale)
    let blankDigest = blank.withUnsafeBytes { MD5Digest(of: $0) }
    let painters = builder.painters
    try OrderedWork<TileRows.Batch, Painted>(threads: threads, limit: threads * 4).run(
      worker: { [cancellation] in
        let painter = painters.painter()
        return { try Self.paint($0, with: painter, cancellation) }
      },
      next: { rows.next() },
      consume: { painted in
        var fresh = 0
        for row in painted.rows {
          let slot = Int(row.slot)
          while refs.count <= slot { refs.append(nil) }
          let ref: ImageRef
          if let known = refs[slot] {
            ref = known
          } else if slot == 0 {
            ref = try blank.withUnsafeBytes { try writer.addImage($0, md5: blankDigest) }
          } else {
            ref = try painted.add(fresh, to: writer)
            fresh += 1
          }
          refs[slot] = ref
          try writer.addTile(row.tile, ref)
        }
        written += painted.rows.count
        outcome.rendered += painted.ends.count
        try progress(written)
      })
    return outcome
  }

  private static func paint(
    _ batch: TileRows.Batch, with painter: TilePainter, _ cancellation: Cancellation
  ) throws -> Painted {
    var painted = Painted(rows: batch.rows)
    painted.bytes.reserveCapacity(batch.fresh.count * 1024)
    for fresh in batch.fresh {
      // A batch of large polygons takes seconds.
      try cancellation.check()
      let start = painted.bytes.count
      try painter.paint(fresh.tile, of: batch.scenes, into: &painted.bytes)
      painted.ends.append(painted.bytes.count)
      painted.bytes.withUnsafeBytes { bytes in
        painted.digests.append(MD5Digest(of: UnsafeRawBufferPointer(rebasing: bytes[start...])))
      }
    }
    return painted
  }
}
