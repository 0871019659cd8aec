import Clustering
import Columns
import Definition
import Runs
import Scenes
import Styling
import TapBlocks
import Tiling

/// An estimate of the size of hit test data in an archive, from a sample of its tiles and features.
struct TapEstimate {
  /// The number of bytes in the archive.
  var bytes = 0

  /// The time of making the data on one thread, in seconds.
  var seconds = 0.0

  /// The number of tiles or blocks that are made for an estimate.
  static let sampleSize = 64

  /// The most that are made for a plan.
  private static let largestSampleSize = 512

  /// Makes an evenly spread sample of a plan's data.
  ///
  /// - isPrecise: whether the sample may be as large as a plan needs; decisions about an archive
  ///   use the small sample.
  /// - Complexity: O(points) for each zoom with clusters, and O(tiles).
  init(
    _ plan: TapPlan, of planned: PlannedTiles, isPrecise: Bool = false, threads: Int,
    _ cancellation: Cancellation
  ) throws {
    let features = try TapFeatures(plan, planned, threads: threads)
    let clock = ContinuousClock()
    let start = clock.now
    switch plan.format {
    case .utfgrid:
      let tiles = planned.zooms.indices.flatMap { zoom in
        (0..<planned.zooms[zoom].count).map { (zoom: zoom, tile: $0) }
      }
      var sample = tiles.spread(Self.sampleSize)
      var start = start
      var grids = try Self.grids(of: sample, plan, planned, cancellation)
      let wanted = grids.size(within: SampleSpread.planPrecision, of: tiles.count)
      if isPrecise, wanted > sample.count {
        sample = tiles.spread(min(wanted, Self.largestSampleSize))
        start = clock.now
        grids = try Self.grids(of: sample, plan, planned, cancellation)
      }
      let share = Double(tiles.count) / Double(max(sample.count, 1))
      seconds = (clock.now - start) / .seconds(1) * share
      bytes = Int(grids.mean * Double(tiles.count))
    case .compact:
      let stage = CompactTapStage(plan: plan, threads: threads, cancellation: cancellation)
      let sample = try stage.sample(planned.zooms, features.numbers)
      seconds = (clock.now - start) / .seconds(1) * sample.share
      bytes = Int(Double(sample.bytes) * sample.share)
    }
    bytes += Int(Double(features.count) * (try features.bytesPerEntry(plan)))
  }

  /// Returns the bytes of the rows of some tiles' grids, indexes included, by tile.
  private static func grids(
    of sample: [(zoom: Int, tile: Int)], _ plan: TapPlan, _ planned: PlannedTiles,
    _ cancellation: Cancellation
  ) throws -> SampleSpread {
    let worker = plan.worker()
    var spread = SampleSpread()
    for entry in sample {
      let scenes = planned.zooms[entry.zoom]
      let row = TileRows.Row(
        tile: scenes.tile(entry.tile), slot: 0, drawn: Int32(truncatingIfNeeded: entry.tile))
      let grids = try worker.grids(of: [row], scenes, cancellation)
      var bytes = grids.bytes.count
      // In addition, a row of 9 bytes, its name of 32 there, in the index and in the row of the
      // tile; the names of its keys in a table and an index: 129 bytes for each of the 189,109 of
      // pipelines/parcels.yml, which have 22 bytes.
      for grid in grids.ends.indices {
        bytes += grids.keys[grid].reduce(0) { $0 + 2 * ($1.count + 32) + 21 } + 3 * 32 + 18
      }
      spread.add(Double(bytes))
    }
    return spread
  }
}

/// The features with hit test data.
private struct TapFeatures {
  let numbers: TapNumbers

  /// The number of features that tiles show.
  let count: Int

  private static let sampleSize = 512

  init(_ plan: TapPlan, _ planned: PlannedTiles, threads: Int) throws {
    let grids = planned.zooms.map(\.grid.zoom)
    let zooms = (grids.first ?? 0)...(grids.last ?? 0)
    let answering = Set(plan.layers.compactMap { planned.builder.style.layers[$0].source })
    let sources = plan.sources.filter { answering.contains($0.name) }
    numbers = try TapNumbers(plan.sources, zooms: zooms, threads: threads)
    count = sources.reduce(0) { sum, source in
      let rows = source.rowCounts
      var (lone, clusters) = (rows.points, 0)
      for zoom in zooms {
        guard let level = source.level(zoom)?.clusters else {
          lone = rows.points
          continue
        }
        let those = (0..<level.count).count { level.isCluster($0) }
        clusters += those
        // A point that stands alone does so at all deeper zooms.
        lone = level.count - those
      }
      return sum + lone + rows.shapes + clusters
    }
  }

  /// Returns the mean bytes of a feature's entry, with the row around it.
  func bytesPerEntry(_ plan: TapPlan) throws -> Double {
    let isCompact = plan.format == .compact
    // Pages hold neighbouring features, which compress better.
    let ranks =
      isCompact
      ? Array(0..<numbers.count / TapEntryPage.countLimit + 1).spread(4).flatMap { page in
        let first = page * TapEntryPage.countLimit
        return Array(first..<min(first + TapEntryPage.countLimit, numbers.count))
      } : Array(0..<numbers.count).spread(Self.sampleSize)
    guard !ranks.isEmpty else { return 0 }
    var used = Column<Bool>(repeating: false, count: numbers.count)
    for rank in ranks { used[rank] = true }
    let pages = TapEntryPages(plan.sources, used: used, numbers)
    var bytes = 0
    if isCompact {
      let deflater = TapDeflater()
      let made = try pages.pages(
        0..<pages.shown.count, known: { _ in nil }, compress: deflater.compress)
      bytes = made.reduce(0) { $0 + $1.stream.count + 24 }
      return Double(bytes) / Double(pages.shown.count)
    }
    for rank in ranks {
      let entry = pages.entry(UInt32(truncatingIfNeeded: rank))
      let json = entry.json { pages.entry(numbers.number(of: $0)) }
      // Rows, the index and the unused ends of pages, measured there, too.
      bytes += 2 * entry.key.count + json.count + 24
    }
    return Double(bytes) / Double(ranks.count)
  }
}

extension Array {
  /// Returns at most `limit` elements, evenly spread.
  fileprivate func spread(_ limit: Int) -> [Element] {
    let step = Swift.max(1, (count + limit - 1) / limit)
    return stride(from: 0, to: count, by: step).map { self[$0] }
  }
}
