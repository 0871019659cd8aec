import Definition
package import MBTiles
import Painting
import Raster
package import Reuse
package import Runs
import Scenes
import TileCodecs
import Tiling

/// The rows of an archive, and the function that writes them: it paints them, or reads what other
/// processes painted.
package struct TileSupply {
  package let rows: PlannedRows

  /// The plan for hit test data; `nil` for none.
  package let taps: TapPlan?

  /// The images that need not be painted.
  let reuse: TileReuse

  /// The number of images among them that this run painted before.
  var paintedAhead = 0

  /// The scenes of the rows; `nil` where other processes painted them.
  private(set) var planned: PlannedTiles?

  /// Writes all rows, and the compact taps, in order.
  ///
  /// Its parameters are the writer, a record of the image of each scene, and a function that
  /// receives the number of rows written so far; it throws to end the stage.
  package let write: (ArchiveWriter, SceneRecord, (Int) throws -> Void) throws -> Void

  package init(
    rows: PlannedRows, taps: TapPlan?, reuse: TileReuse,
    write: @escaping (ArchiveWriter, SceneRecord, (Int) throws -> Void) throws -> Void
  ) {
    self.rows = rows
    self.taps = taps
    self.reuse = reuse
    self.write = write
  }

  /// Creates the supply of tiles that this process paints.
  ///
  /// - Parameters:
  ///   - taps: the plan for hit test data; `nil` for none.
  ///   - reuse: the images that need not be painted.
  package init(
    painting planned: PlannedTiles, taps: TapPlan?, reuse: TileReuse, _ context: RunContext
  ) {
    let rows = planned.rows
    let (threads, cancellation) = (context.threads, context.cancellation)
    let artifacts = context.artifacts
    self.init(rows: rows, taps: taps, reuse: reuse) {
      writer, record, advance in
      let planned = try planned.whole()
      let stage = TileStage(
        painters: planned.painters, scenes: planned.zooms, reuse: reuse, threads: threads,
        cancellation: cancellation, taps: taps?.grids)
      var writing = RowWriter(writer, record, blank: try planned.blank(), taps: taps?.grids)
      // Nothing goes back where all pictures were there before.
      let least = cancellation.endsRest ? rows.count : 0
      try stage.run(rows.batches) { painted in
        try writing.write(painted)
        // The time may be over with the last tiles.
        if writing.written == rows.count { cancellation.endsRest = true }
        try advance(max(least, writing.written))
      }
      cancellation.endsRest = true
      try writing.finish(threads: threads, cancellation)
      if let taps, taps.format == .compact {
        var stage = CompactTapStage(plan: taps, threads: threads, cancellation: cancellation)
        stage.last = LastTaps(of: reuse, plan: taps.identity, artifacts)
        record.taps = try stage.run(planned.zooms, into: writer)
      }
    }
    self.planned = planned
  }
}

extension PlannedTiles {
  /// Paints some rows of an archive; these tiles have the scenes of some of its zooms.
  ///
  /// - Parameters:
  ///   - rows: the rows of the archive to paint.
  ///   - consume: receives the painted batches, in order, and the number of their rows.
  package func paint(
    _ rows: consuming TileRows, taps: TapPlan?, _ context: RunContext,
    consume: (PaintedBatch, Int) throws -> Void
  ) throws {
    let stage = TileStage(
      painters: painters,
      scenes: rows.planned.zooms.map { zoom in zooms.first { $0.grid.zoom == zoom.zoom } },
      reuse: .none, threads: context.threads, cancellation: context.cancellation,
      taps: taps?.grids)
    try stage.run(rows) { try consume($0, $0.rows.count) }
  }

  /// Returns the picture of a tile that shows nothing.
  func blank() throws(TileCodecError) -> [UInt8] { try painters.codec.blank(side: tilePixels) }
}

extension Build {
  /// Returns the error of a process whose fonts or text libraries differ from the ones of the
  /// process that planned the build.
  ///
  /// - Parameter planned: the libraries of the plan.
  package func otherFonts(than planned: [String]) -> PipelineError {
    let own = TextLibraries.versions
    let difference =
      planned.isEmpty || planned == own
      ? "its fonts differ. Install the same fonts"
      : "it has \(own.joined(separator: ", ")) instead of \(planned.joined(separator: ", ")). "
        + "Install the same libraries"
    return PipelineError(
      .badData,
      "this machine would draw other tiles than the one that made the plan: \(difference) on all "
        + "machines, or make the plan again.",
      at: definition.file.isEmpty ? nil : DocumentPlace(file: definition.file))
  }
}

extension TapPlan {
  /// The plan itself if its format is UTFGrid, whose grids belong to tiles; otherwise `nil`.
  package var grids: TapPlan? { format == .utfgrid ? self : nil }

  /// Whether the data is stored in compact form, beside the tiles.
  package var isCompact: Bool { format == .compact }
}
