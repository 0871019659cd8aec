import Clustering
import Columns
import Features
import Painting
import Reuse
import Runs
import Scenes
import Tiling

/// The hashes of what the UTFGrids of an archive's tiles are made from: a tile with the same one as in
/// the last archive has the same grid.
struct GridHashes {
  /// The settings that determine grids in addition.
  let plan: String

  /// The hash of each drawn tile, by zoom.
  private var zooms: [Column<StableHash>]

  /// The number of tiles of one job.
  private static let batchSize = 1 << 13

  /// A part of the tiles of a zoom.
  private struct Job: Sendable {
    let zoom: Int
    let tiles: Range<Int>
    let keys: TapKeyHashes
  }

  /// - Complexity: O(draws of all tiles + features of all zooms).
  init(_ plan: TapPlan, of planned: PlannedTiles, _ context: RunContext) throws {
    self.plan = plan.identity
    let scenes = planned.zooms
    var hashes = scenes.map { Column<StableHash>(in: $0.tileKeys.scratch) }
    var (zoom, start) = (0, 0)
    let rows = TapKeyHashes.Rows(plan.sources)
    var keys = scenes.first.map { TapKeyHashes(plan.sources, rows, zoom: $0.grid.zoom) }
    let threads = context.threads
    try OrderedWork<Job, (Int, [StableHash])>(threads: threads, limit: threads * 4).run(
      worker: {
        let hasher = plan.hasher()
        return { job in
          let hashes = try job.tiles.map {
            try hasher.hash($0, of: scenes[job.zoom], key: job.keys.hash(of:))
          }
          return (job.zoom, hashes)
        }
      },
      next: {
        while zoom < scenes.count, start == scenes[zoom].count {
          (zoom, start) = (zoom + 1, 0)
          guard zoom < scenes.count else { return nil }
          keys = TapKeyHashes(plan.sources, rows, zoom: scenes[zoom].grid.zoom)
        }
        guard zoom < scenes.count, let keys else { return nil }
        let end = min(start + Self.batchSize, scenes[zoom].count)
        defer { start = end }
        return Job(zoom: zoom, tiles: start..<end, keys: keys)
      },
      consume: { zoom, part in
        try context.cancellation.check()
        hashes[zoom].append(contentsOf: part)
      })
    zooms = hashes
  }

  subscript(row: PlannedRowCursor.Row) -> StableHash {
    row.drawn < 0 ? TileState.blankScene : zooms[Int(row.zoom)][Int(row.drawn)]
  }

  /// Returns what the next run needs to know of the grids.
  ///
  /// - Parameters:
  ///   - digest: the digest of the taps.
  ///   - scratch: decides where the column lies; `nil` for memory.
  func inputs(
    of rows: PlannedRows, digest: String, in scratch: Scratch?
  ) -> TileState.GridInputs {
    var hashes = Column<StableHash>(in: scratch)
    hashes.reserveCapacity(rows.count)
    var cursor = PlannedRowCursor(rows)
    while let row = cursor.next() { hashes.append(self[row]) }
    return TileState.GridInputs(plan: plan, digest: digest, hashes: hashes)
  }
}

/// The hashes of the keys of a zoom's features.
struct TapKeyHashes: Sendable {
  /// The hashes of the records' keys, by source and row.
  struct Rows: Sendable {
    fileprivate let points: [Column<UInt64>]
    fileprivate let shapes: [Column<UInt64>]

    /// - Complexity: O(points + shapes).
    init(_ sources: [TapSource]) {
      points = sources.map { source in
        Column(
          (0..<source.rowCounts.points).lazy.map {
            source.keyHash(of: .point(source.firstRow(ofPoint: $0)), nil)
          })
      }
      shapes = sources.map { source in
        Column(
          (0..<source.rowCounts.shapes).lazy.map {
            source.keyHash(of: .shape(source.firstRow(ofShape: $0)), nil)
          })
      }
    }
  }

  private let rows: Rows

  /// For each source the hashes of the rows of the zoom's level; `nil` without one.
  private let levels: [Column<UInt64>?]

  /// - Complexity: O(rows of the zoom).
  init(_ sources: [TapSource], _ rows: Rows, zoom: Int) {
    self.rows = rows
    levels = sources.indices.map { index in
      guard let level = sources[index].level(zoom) else { return nil }
      return Column(
        (0..<level.clusters.count).lazy.map { row in
          level.clusters.isCluster(row)
            ? sources[index].keyHash(of: .cluster(zoom: zoom, row: row), level)
            : rows.points[index][Int(level.clusters.firstMembers[row])]
        })
    }
  }

  /// Returns the hash of the key of a feature.
  func hash(of feature: TapFeature) -> UInt64 {
    if feature.isShape { return rows.shapes[feature.source][feature.row] }
    return (levels[feature.source] ?? rows.points[feature.source])[feature.row]
  }
}
