import Definition
package import MBTiles
import PNG
package import Reuse
package import Runs
package import Styling

/// The rows of an archive, and the function that writes them: it paints them, or reads what other
/// processes painted.
package struct TileSupply {
  package let rows: PlannedRows

  /// See ``PlannedTiles/rowsHash``.
  package let rowsHash: StableHash

  /// The plan for hit test data; `nil` for none.
  package let taps: TapPlan?

  /// Writes all rows, and the compact taps, in order.
  ///
  /// Its parameters are the writer, a record of the image of each scene, and a function that
  /// receives the number of rows written so far; it throws to end the stage.
  package let write: (ArchiveWriter, SceneRecord, (Int) throws -> Void) throws -> Void

  package init(
    rows: PlannedRows, rowsHash: StableHash, taps: TapPlan?,
    write: @escaping (ArchiveWriter, SceneRecord, (Int) throws -> Void) throws -> Void
  ) {
    self.rows = rows
    self.rowsHash = rowsHash
    self.taps = taps
    self.write = write
  }

  /// Creates the supply of tiles that this process paints.
  ///
  /// - Parameters:
  ///   - reuse: the images that need not be painted.
  ///   - taps: the plan for hit test data; `nil` for none.
  package init(
    painting planned: PlannedTiles, reuse: TileReuse, taps: TapPlan?, threads: Int,
    cancellation: Cancellation
  ) {
    let rows = planned.rows
    self.init(rows: rows, rowsHash: planned.rowsHash, taps: taps) { writer, record, advance in
      let stage = TileStage(
        painters: planned.painters, scenes: planned.zooms, reuse: reuse, threads: threads,
        cancellation: cancellation, taps: taps?.grids)
      var writing = RowWriter(writer, record, blank: planned.blank, taps: taps?.grids)
      try stage.run(rows.batches) { painted in
        try writing.write(painted)
        try advance(writing.written)
      }
      try writing.finish(threads: threads, cancellation)
      if let taps, taps.format == .compact {
        try CompactTapStage(plan: taps, threads: threads, cancellation: cancellation)
          .run(planned.zooms, into: writer)
      }
    }
  }
}

extension PlannedTiles {
  /// The PNG of a transparent tile.
  var blank: [UInt8] { PNGEncoder.transparent(width: tilePixels, height: tilePixels) }
}

extension TapPlan {
  /// The plan itself if its format is UTFGrid, whose grids belong to tiles; otherwise `nil`.
  var grids: TapPlan? { format == .utfgrid ? self : nil }
}
