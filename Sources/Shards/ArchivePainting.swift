import Baking
import Definition
import MBTiles
import Reuse
import Runs
import Scenes
import SourceStages
import Tiling

/// The painting of a range of the rows of one planned archive.
struct ArchivePainting {
  let folder: PlanFolder
  let build: Build
  let archive: PlanDocument.Archive

  /// The number of the archive in the plan.
  let number: Int
  let sources: [ClusteredSource]
  let clock: StageClock

  /// Paints the rows of a range, with their data for hit tests.
  ///
  /// - Throws: also ``PipelineError`` with code `badData` where this machine has other fonts than
  ///   the one that made the plan.
  func paint(_ range: Range<Int>, of rows: PlannedRows, into writer: PartWriter) throws {
    let zooms = Self.zooms(of: range, in: rows)
    guard let first = zooms.first, let last = zooms.last else { return }
    let planned = try build.scenes(
      scale: archive.scale, zooms: first.zoom...last.zoom, sources, clock)
    try folder.adoptPalette(of: archive, for: planned)
    try requireSame(planned, rows)
    let taps = build.tapPlan(sources, of: planned)
    try clock.stage("tiles", unit: .tiles, total: range.count) { advance in
      var done = 0
      try planned.paint(TileRows(rows, in: range), taps: taps, build.context) { batch, count in
        var content = PartBytes()
        content.append(batch)
        try writer.append(.batch, archive: number, content)
        done += count
        try advance(done, nil)
      }
      guard let taps, taps.isCompact else { return }
      let stage = CompactTapStage(
        plan: taps, threads: build.threads, cancellation: build.cancellation)
      let all = build.definition.tiles
      let numbers = try stage.numbers(all.minZoom...all.maxZoom)
      for zoom in zooms {
        guard let scenes = planned.zooms.first(where: { $0.grid.zoom == zoom.zoom }) else {
          continue
        }
        try stage.blocks(
          of: scenes, numbers,
          share: (
            CompactTapStage.Fraction(zoom.range.lowerBound, of: zoom.count),
            CompactTapStage.Fraction(zoom.range.upperBound, of: zoom.count)
          )
        ) { block in
          var content = PartBytes()
          content.append(block)
          try writer.append(.block, archive: number, content)
        }
      }
    }
  }

  /// A zoom of a range: its number of rows, and those in the range.
  private struct Share {
    let zoom: Int
    let count: Int
    let range: Range<Int>
  }

  /// Returns the zooms from the first to the last row of a range.
  private static func zooms(of range: Range<Int>, in rows: PlannedRows) -> [Share] {
    var start = 0
    var shares: [Share] = []
    for zoom in rows.zooms {
      let own = range.clamped(to: start..<start + zoom.count)
      if !own.isEmpty {
        shares.append(
          Share(
            zoom: zoom.zoom, count: zoom.count,
            range: own.lowerBound - start..<own.upperBound - start))
      }
      start += zoom.count
    }
    return shares
  }

  /// Refuses to paint scenes that differ from the plan.
  private func requireSame(_ planned: PlannedTiles, _ rows: PlannedRows) throws(PipelineError) {
    let paint = try build.paintKey(of: planned)
    let isSame = planned.rows.zooms.allSatisfy { own in
      rows.zooms.contains { $0.zoom == own.zoom && $0.keys == own.keys && $0.hashes == own.hashes }
    }
    guard paint.text == archive.paint, isSame else {
      throw build.otherFonts(than: archive.inputs.libraries)
    }
  }
}
