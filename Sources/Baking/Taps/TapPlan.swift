import Clustering
package import Definition
package import MBTiles
import Painting
import Raster
import Runs
package import Scenes
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
        tileSize: definition.tiles.tileSize)
    }
    side = builder.tileSize * builder.scale
    scale = builder.scale
    fonts = builder.fonts
  }

  /// The settings that determine compact taps beside scenes, features and the program.
  var identity: String { "layers \(layers.sorted()), \(side) px at \(scale)" }

  /// Whether the features of some grids are features of the plan's sources.
  ///
  /// - Parameter zoom: the zoom of the grids.
  package func knows(_ grids: PaintedGrids, zoom: Int) -> Bool {
    let counts = sources.map { source in
      (source.level(zoom)?.count ?? source.rowCounts.points, source.rowCounts.shapes)
    }
    return grids.features.joined().allSatisfy { feature in
      guard counts.indices.contains(feature.source) else { return false }
      let (points, shapes) = counts[feature.source]
      return feature.row < (feature.isShape ? shapes : points)
    }
  }

  /// Returns a maker of grids that belongs to one worker.
  func worker() -> TapWorker {
    TapWorker(
      sources: sources,
      painter: TapPainter(layers: layers, side: side, scale: scale, fonts: fonts))
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
    case .circle, .symbol, .fill, .line: true
    case .background, .heatmap, .raster: false
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

  /// The features of each grid in ascending order of their keys, and these keys.
  package var features: [[TapFeature]] = []
  package var keys: [[[UInt8]]] = []

  package init() {}

  /// Passes the grid of a row to the writer; `nil` without one.
  func add(row: Int, to writer: ArchiveWriter) throws -> GridRef? {
    guard row < rows.count, rows[row] >= 0 else { return nil }
    let grid = Int(rows[row])
    let start = grid == 0 ? 0 : ends[grid - 1]
    return try bytes.withUnsafeBytes { all in
      try writer.addGrid(
        UnsafeRawBufferPointer(rebasing: all[start..<ends[grid]]), md5: digests[grid],
        keys: keys[grid])
    }
  }
}

/// A maker of the grids of tiles; one per worker.
final class TapWorker {
  private let sources: [TapSource]
  private let painter: TapPainter
  private let encoder = UTFGridEncoder()

  init(sources: [TapSource], painter: TapPainter) {
    self.sources = sources
    self.painter = painter
  }

  /// Returns the grids of some rows of a zoom.
  func grids(
    of rows: [TileRows.Row], _ scenes: ZoomScenes, _ cancellation: Cancellation
  ) throws -> PaintedGrids {
    var painted = PaintedGrids()
    painted.rows.reserveCapacity(rows.count)
    let levels = sources.map { $0.level(scenes.grid.zoom) }
    for row in rows {
      guard row.drawn >= 0, let grid = try painter.grid(Int(row.drawn), of: scenes) else {
        painted.rows.append(-1)
        continue
      }
      try cancellation.check()
      let keys = grid.features.map { feature in
        let source = sources[feature.source]
        let level = levels[feature.source]
        return source.key(of: source.item(feature, level), level)
      }
      // Rows of one record have the same key.
      let start = painted.bytes.count
      let merged = Self.merged(grid, keys)
      let written = encoder.append(cells: merged.cells, keys: merged.keys, to: &painted.bytes)
      painted.rows.append(Int32(painted.ends.count))
      painted.ends.append(painted.bytes.count)
      painted.digests.append(
        painted.bytes.withUnsafeBytes {
          MD5Digest(of: UnsafeRawBufferPointer(rebasing: $0[start...]))
        })
      let ascending = written.keys.sorted {
        merged.keys[$0].lexicographicallyPrecedes(merged.keys[$1])
      }
      painted.features.append(ascending.map { merged.features[$0] })
      painted.keys.append(ascending.map { merged.keys[$0] })
    }
    return painted
  }

  /// Returns the grid with features of equal keys merged.
  private static func merged(
    _ grid: TapGrid, _ keys: [[UInt8]]
  ) -> (cells: [UInt16], keys: [[UInt8]], features: [TapFeature]) {
    guard keys.count > 1 else { return (grid.cells, keys, grid.features) }
    var numbers: [[UInt8]: UInt16] = [:]
    var map: [UInt16] = [0]
    var (kept, features): ([[UInt8]], [TapFeature]) = ([], [])
    for (key, feature) in zip(keys, grid.features) {
      if let known = numbers[key] {
        map.append(known)
        continue
      }
      kept.append(key)
      features.append(feature)
      numbers[key] = UInt16(truncatingIfNeeded: kept.count)
      map.append(UInt16(truncatingIfNeeded: kept.count))
    }
    if kept.count == keys.count { return (grid.cells, keys, grid.features) }
    return (grid.cells.map { map[Int($0)] }, kept, features)
  }
}
