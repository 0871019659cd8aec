import Definition
package import MBTiles
import Painting
import Raster
package import Reuse
package import Runs
import Scenes
import TileCodecs
import Tiling

/// A feed of the tiles of one archive: its rows, and their pictures. ``ArchiveStage`` writes them and
/// never asks where a picture comes from.
package protocol TileFeed {
  var rows: PlannedRows { get }

  /// The plan for hit test data; `nil` for none.
  var taps: TapPlan? { get }

  /// The images that need not be painted.
  var reuse: TileReuse { get }

  /// The number of images among them that this run painted before.
  var paintedAhead: Int { get }

  /// Returns the picture of a tile that shows nothing.
  func blank() throws -> [UInt8]

  /// Delivers all rows in archive order, each picture with the first row that shows it.
  func forEachBatch(_ consume: (PaintedBatch) throws -> Void) throws

  /// Writes the compact taps, if there are any.
  ///
  /// - Returns: what the next run takes from them; `nil` if there are none, or nothing is taken.
  func writeTaps(to sink: any TapSink) throws -> TapState?
}

extension TileFeed {
  package var paintedAhead: Int { 0 }
}

/// A feed that delivers the pictures of any rows, so that an archive can be made from the last one.
package protocol SceneFeed: TileFeed {
  /// The tiles with what they show.
  var planned: PlannedTiles { get }

  /// Delivers the pictures that some batches show first.
  ///
  /// - Parameter nextBatch: returns the next batch; `nil` at the end.
  func forEachBatch(
    _ nextBatch: () throws -> TileRows.Batch?, consume: (PaintedBatch) throws -> Void) throws
}

extension SceneFeed {
  package var rows: PlannedRows { planned.rows }
  package func blank() throws -> [UInt8] { try planned.blank() }
}

/// A feed of tiles that this process paints.
package struct PaintedFeed: SceneFeed {
  package let planned: PlannedTiles
  package let taps: TapPlan?
  package let reuse: TileReuse
  package var paintedAhead = 0
  private let context: RunContext

  /// - Parameters:
  ///   - taps: the plan for hit test data; `nil` for none.
  ///   - reuse: the images that need not be painted.
  package init(
    _ planned: PlannedTiles, taps: TapPlan?, reuse: TileReuse, _ context: RunContext
  ) {
    self.planned = planned
    self.taps = taps
    self.reuse = reuse
    self.context = context
  }

  package func forEachBatch(_ consume: (PaintedBatch) throws -> Void) throws {
    let whole = try planned.whole()
    // Scenes that were not all made are of no use.
    try context.cancellation.check()
    try stage(whole, reuse).run(whole.rows.batches, consume: consume)
  }

  package func forEachBatch(
    _ nextBatch: () throws -> TileRows.Batch?, consume: (PaintedBatch) throws -> Void
  ) throws {
    try stage(planned, reuse.kept).run(nextBatch, consume: consume)
  }

  package func writeTaps(to sink: any TapSink) throws -> TapState? {
    guard let taps, taps.isCompact else { return nil }
    var stage = CompactTapStage(
      plan: taps, threads: context.threads, cancellation: context.cancellation)
    stage.last = LastTaps(of: reuse, plan: taps.identity, context.artifacts)
    return try stage.run(planned.zooms, into: sink)
  }

  private func stage(_ planned: PlannedTiles, _ reuse: TileReuse) -> TileStage {
    TileStage(
      painters: planned.painters, scenes: planned.zooms, reuse: reuse, context: context,
      taps: taps?.grids)
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
      reuse: .none, context: context, taps: taps?.grids)
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
