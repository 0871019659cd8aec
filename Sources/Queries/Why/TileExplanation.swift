import Archives
package import Baking
import Definition
import Features
import MBTiles
import Painting
package import Runs
import Scenes
import SourceStages
import Styling
import SystemPackage
import TileCodecs
package import Tiling

/// The explanation of a tile, or of a pixel of it.
package struct TileExplanation {
  /// A feature that a layer draws.
  struct Hit {
    var layer: StyleLayer
    /// The id of the layer in the pipeline file.
    var layerName: String
    var feature: DrawnFeature

    /// The records: the feature's own, or some of a cluster's; empty where they could not be found.
    var identities: [RecordIdentity] = []
  }

  /// The published archive's content in the tile's place.
  enum Published: Hashable {
    /// There is no archive.
    case none
    case unreadable(String)
    /// The archive does not have the tile.
    case absent
    case same(bytes: Int)
    case different(bytes: Int)
  }

  /// The maximum number of features that are named; the others are counted.
  static let limit = 1000

  let tile: TileCoord
  let pixel: (x: Int, y: Int)?
  let scale: Int

  /// The hash of the scene; `nil` where nothing is drawn.
  var scene: StableHash?

  /// The size in bytes of the tile as it is painted now.
  var bytes = 0

  /// The duration of painting, the minimum of a few runs, in milliseconds.
  var milliseconds = 0.0
  var archive = ""
  var published = Published.none

  /// The features, topmost first.
  var hits: [Hit] = []

  /// The number of all drawn features there, including those that are not named.
  var hitCount = 0

  /// The layers of images, heatmaps and backgrounds, which do not draw individual features; topmost
  /// first.
  var otherLayers: [StyleLayer] = []
}

extension Build {
  /// Explains a tile or a pixel of it.
  ///
  /// - Complexity: O(bytes of the sources), read twice: once to draw and once to name.
  package func explain(
    _ tile: TileCoord, pixel: (x: Int, y: Int)?, scale: Int
  ) throws(PipelineError) -> TileExplanation {
    let side = definition.tiles.tileSize * scale
    if let pixel, pixel.x >= side || pixel.y >= side {
      throw PipelineError(
        .usage,
        "pixel \(pixel.x),\(pixel.y) is not in the tile, which has \(side) × \(side) px at scale "
          + "\(scale).")
    }
    let view = try zoomView(ZoomWindow(tile), scale: scale, keepsFeatures: true)
    var explanation = TileExplanation(tile: tile, pixel: pixel, scale: scale)
    try PipelineError.wrapping {
      var painted = try definition.tiles.codec.blank(side: side)
      if let index = view.scenes.index(of: tile) {
        explanation.scene = view.scenes.hashes[index]
        painted = try explanation.measure(index, view)
        try explanation.look(
          at: index, view, names: definition.writtenNames(of: view.builder.style),
          checkpoint: cancellation.check)
      }
      explanation.bytes = painted.count
      explanation.archive = definition.output.path(scale: scale)
      explanation.published = Self.published(tile, in: explanation.archive, painted)
    }
    return explanation
  }

  private static func published(
    _ tile: TileCoord, in archive: String, _ painted: [UInt8]
  ) -> TileExplanation.Published {
    do throws(ArchiveError) {
      guard let bytes = try TileContainer.opening(FilePath(archive)).tile(tile) else {
        return .absent
      }
      return bytes == painted ? .same(bytes: bytes.count) : .different(bytes: bytes.count)
    } catch {
      return error.code == .missing ? .none : .unreadable(error.message)
    }
  }
}

extension PipelineDefinition {
  /// Returns the id that each layer of a style has in the pipeline file.
  func writtenNames(of style: Style) -> [String] {
    let names = Dictionary(layers.map { ($0.id, $0.nameInFile) }) { first, _ in first }
    return style.layers.map { names[$0.id] ?? $0.id }
  }
}

extension TileExplanation {
  /// Paints the tile a few times; the first run also draws sprites that a build draws once.
  fileprivate mutating func measure(_ index: Int, _ view: ZoomView) throws -> [UInt8] {
    let painter = try view.painters.painter()
    let clock = ContinuousClock()
    var bytes: [UInt8] = []
    var fastest = Double.infinity
    for _ in 0..<5 {
      bytes.removeAll(keepingCapacity: true)
      let start = clock.now
      try painter.paint(index, of: view.scenes, into: &bytes)
      fastest = min(fastest, (clock.now - start) / .milliseconds(1))
    }
    milliseconds = fastest
    return bytes
  }

  /// Finds the drawn features and identifies their records.
  ///
  /// - Parameter names: the ids of the style's layers in the pipeline file.
  fileprivate mutating func look(
    at index: Int, _ view: ZoomView, names: [String], checkpoint: () throws -> Void
  ) throws {
    let style = view.builder.style
    var drawn: [TapHit]
    if let pixel {
      let painter = TapPainter(
        layers: Set(style.layers.indices), side: view.scenes.grid.tilePixels, scale: scale,
        fonts: view.builder.fonts)
      drawn = try painter.hits(index, of: view.scenes, x: pixel.x, y: pixel.y)
    } else {
      drawn = view.scenes.features(of: index)
    }
    // The points of a multipoint and the members of a collection are one record.
    var seen = [Set<DrawnFeature>](repeating: [], count: style.layers.count)
    drawn.removeAll { hit in
      let feature = DrawnFeature(hit.feature, of: view.sources, zoom: tile.z, members: nil)
      return !seen[hit.layer].insert(feature).inserted
    }
    hitCount = drawn.count
    let members = try Dictionary(
      uniqueKeysWithValues: Set(drawn.prefix(Self.limit).map(\.feature.source)).map { source in
        try checkpoint()
        return (source, view.sources[source].members(at: tile.z, tileSize: view.builder.tileSize))
      })
    hits = drawn.prefix(Self.limit).map { hit in
      Hit(
        layer: style.layers[hit.layer], layerName: names[hit.layer],
        feature: DrawnFeature(
          hit.feature, of: view.sources, zoom: tile.z,
          members: members[hit.feature.source] ?? nil))
    }
    let backgrounds = style.layers.indices.reversed().filter {
      style.layers[$0].kind == .background && style.layers[$0].shows(at: Double(tile.z))
    }
    otherLayers = (view.scenes.featurelessLayers(of: index) + backgrounds)
      .map { style.layers[$0] }
    try name(view, checkpoint: checkpoint)
  }

  /// Reads the sources of the features again, to name them.
  private mutating func name(_ view: ZoomView, checkpoint: () throws -> Void) throws {
    for source in view.sources.indices {
      let wanted = Set(hits.filter { $0.feature.source == source }.flatMap(\.feature.records))
      let found = try RecordIdentities(source: view.sources[source].source.resolved)
        .records(wanted, checkpoint: checkpoint)
      for index in hits.indices where hits[index].feature.source == source {
        hits[index].identities = hits[index].feature.records.compactMap { found[$0] }
      }
    }
  }
}
