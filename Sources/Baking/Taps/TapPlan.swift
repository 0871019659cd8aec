import Clustering
package import Definition
package import MBTiles
import Painting
import Raster
import Runs
package import Scenes
package import SourceStages
import Styling
import Tiling

/// The plan of a build's hit test data: the layers with hit areas, and the sources that they show.
package struct TapPlan: Sendable {
  /// The indexes of the layers with hit areas.
  let layers: Set<Int>

  /// The format of the data in the archive.
  let format: TapFormat

  /// All sources of the build, in its order, each prepared for hit tests.
  let sources: [TapSource]

  private let side: Int
  private let scale: Int
  private let fonts: FontLibrary

  /// Creates the plan; `nil` where the pipeline does not want hit test data, or no layer can have
  /// hit areas.
  package init?(
    _ definition: PipelineDefinition, _ sources: [ClusteredSource], _ builder: SceneBuilder
  ) {
    guard let interactivity = definition.tiles.interactivity else { return nil }
    layers = Set(
      builder.style.layers.indices.filter { index in
        let layer = builder.style.layers[index]
        return layer.kind.answersTaps && interactivity.layers?.contains(layer.id) ?? true
      })
    guard !layers.isEmpty else { return nil }
    format = interactivity.format
    self.sources = sources.map {
      TapSource(
        $0, fields: interactivity.fields, text: interactivity.text,
        tileSize: definition.tiles.tileSize, keepsKeys: interactivity.format == .utfgrid)
    }
    side = builder.tileSize * builder.scale
    scale = builder.scale
    fonts = builder.fonts
  }

  /// The settings that determine taps beside scenes, features and the program.
  var identity: String { "layers \(layers.sorted()), \(side) px at \(scale)" }

  /// Returns a maker of grids that belongs to one worker.
  func worker() -> TapWorker {
    TapWorker(
      sources: sources,
      painter: TapPainter(layers: layers, side: side, scale: scale, fonts: fonts))
  }

  /// Returns a maker of the hashes of grids that belongs to one worker.
  func hasher() -> TapGridHasher {
    TapGridHasher(layers: layers, scale: scale, fonts: fonts)
  }

  /// Returns a maker of compact blocks that belongs to one worker.
  func blockMaker() -> TapBlockMaker {
    TapBlockMaker(layers: layers, side: side, scale: scale, fonts: fonts)
  }

  /// Maximum number of bytes of the fields in one half of a template; the metadata's limit is higher.
  private static let templateLimit = 64 << 10

  /// The template by which clients of TileMill's time format an answer: its text, otherwise a line
  /// for each of its first fields. Two braces escape HTML.
  var template: String {
    let hasText = sources.contains(where: \.hasText)
    var names = hasText ? [TapTextWriter.member] : ["point_count"]
    for name in sources.flatMap(\.fieldNames) where !hasText && !names.contains(name) {
      names.append(name)
    }
    var text = ""
    for name in names where Self.isPlain(name) {
      let line = "{{#\(name)}}<div>{{\(name)}}</div>{{/\(name)}}"
      guard text.utf8.count + line.utf8.count <= Self.templateLimit else { break }
      text += line
    }
    return "{{#__location__}}{{/__location__}}{{#__teaser__}}\(text){{/__teaser__}}"
      + "{{#__full__}}\(text){{/__full__}}"
  }

  /// Whether a name may be used in a tag of a template.
  private static func isPlain(_ name: String) -> Bool {
    !name.isEmpty
      && name.unicodeScalars.allSatisfy { scalar in
        scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      }
  }
}

extension StyleLayer.Kind {
  /// Whether features of such layers have hit areas.
  package var answersTaps: Bool {
    switch self {
    case .circle, .chart, .symbol, .fill, .line: true
    case .background, .leg, .heatmap, .raster: false
    }
  }
}

/// The grids of some rows of an archive.
package struct PaintedGrids: Sendable {
  /// The number of the grid for each row, −1 without one.
  package var rows: [Int32] = []

  /// The grids, one after the other.
  package var bytes: [UInt8] = []
  package var ends: [Int] = []
  package var digests: [MD5Digest] = []

  /// The keys of each grid, ascending.
  package var keys: [[[UInt8]]] = []

  package init() {}

  /// Calls `body` with the number and the bytes of the grid of a row; returns `nil` without one.
  func withGrid<Result>(
    ofRow row: Int, _ body: (Int, UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result? {
    guard row < rows.count, rows[row] >= 0 else { return nil }
    let grid = Int(rows[row])
    let start = grid == 0 ? 0 : ends[grid - 1]
    return try bytes.withUnsafeBytes {
      try body(grid, UnsafeRawBufferPointer(rebasing: $0[start..<ends[grid]]))
    }
  }

  /// Passes the grid of a row to the writer; `nil` without one.
  ///
  /// - Parameter tile: the tile of the row, which is added next.
  func add(row: Int, _ tile: TileCoord, to writer: ArchiveWriter) throws -> GridRef? {
    try withGrid(ofRow: row) { grid, bytes in
      try writer.addGrid(bytes, md5: digests[grid], keys: keys[grid], by: tile)
    }
  }
}

/// A maker of the grids of tiles; one per worker.
final class TapWorker {
  private let sources: [TapSource]
  private let painter: TapPainter
  private let encoder = UTFGridEncoder()

  /// The clusters of the current zoom, by source.
  private var levels: [TapSource.Level?] = []
  private var zoom = -1

  init(sources: [TapSource], painter: TapPainter) {
    self.sources = sources
    self.painter = painter
  }

  /// A grid whose bytes are in a buffer: its features in ascending order of their keys, and these
  /// keys.
  struct Grid {
    let features: [TapFeature]
    let keys: [[UInt8]]
  }

  /// Returns the grids of some rows of a zoom.
  func grids(
    of rows: [TileRows.Row], _ scenes: ZoomScenes, _ cancellation: Cancellation
  ) throws -> PaintedGrids {
    var painted = PaintedGrids()
    painted.rows.reserveCapacity(rows.count)
    painted.bytes.reserveCapacity(rows.count * 256)
    for row in rows {
      let start = painted.bytes.count
      guard row.drawn >= 0,
        let grid = try grid(ofTile: Int(row.drawn), of: scenes, to: &painted.bytes)
      else {
        painted.rows.append(-1)
        continue
      }
      try cancellation.check()
      painted.rows.append(Int32(painted.ends.count))
      painted.ends.append(painted.bytes.count)
      painted.digests.append(
        painted.bytes.withUnsafeBytes {
          MD5Digest(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
        })
      painted.keys.append(grid.keys)
    }
    return painted
  }

  /// Appends the grid of a drawn tile to a buffer; `nil` if no feature answers taps.
  func grid(
    ofTile tile: Int, of scenes: ZoomScenes, to bytes: inout [UInt8]
  ) throws -> Grid? {
    guard var grid = try painter.grid(tile, of: scenes) else { return nil }
    if zoom != scenes.grid.zoom {
      zoom = scenes.grid.zoom
      levels = sources.map { $0.level(zoom) }
    }
    let keys = merge(&grid)
    let written = encoder.append(cells: grid.cells, rows: grid.rows, keys: keys, to: &bytes)
    let ascending =
      written.keys.count < 2
      ? written.keys : written.keys.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    return Grid(
      features: ascending.map { grid.features[$0] }, keys: ascending.map { keys[$0] })
  }

  private func key(of feature: TapFeature) -> [UInt8] {
    let (source, level) = (sources[feature.source], levels[feature.source])
    return source.key(of: source.item(feature, level), level)
  }

  /// Merges the features of a grid with equal keys, as rows of one record have, and returns the keys.
  private func merge(_ grid: inout TapGrid) -> [[UInt8]] {
    guard grid.features.count > 1 else { return grid.features.map(key) }
    var numbers: [[UInt8]: UInt16] = [:]
    var map: [UInt16] = [0]
    var (keys, features): ([[UInt8]], [TapFeature]) = ([], [])
    for feature in grid.features {
      let key = key(of: feature)
      // Most grids have so few keys that a search is faster than a table.
      let place =
        numbers.isEmpty ? keys.firstIndex(of: key).map { UInt16($0 + 1) } : numbers[key]
      if let place {
        map.append(place)
        continue
      }
      keys.append(key)
      features.append(feature)
      let number = UInt16(truncatingIfNeeded: keys.count)
      map.append(number)
      if !numbers.isEmpty {
        numbers[key] = number
      } else if keys.count == 8 {
        for (index, key) in keys.enumerated() { numbers[key] = UInt16(index + 1) }
      }
    }
    if features.count < grid.features.count {
      grid.cells = grid.cells.map { map[Int($0)] }
      grid.features = features
    }
    return keys
  }
}
