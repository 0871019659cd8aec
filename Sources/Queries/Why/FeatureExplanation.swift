package import Baking
import Clustering
import Definition
import Features
import Inputs
import Painting
import Reuse
package import Runs
import Scenes
import Styling
import Tiling

/// The explanation of where a feature is drawn: its tiles, and the clusters that contain it, at all
/// zooms.
package struct FeatureExplanation {
  struct Zoom {
    var zoom: Int

    /// The clusters that contain one of its points; empty where it stands alone.
    var clusters: [DrawnFeature.Cluster] = []

    /// The tiles that show it or a cluster with it, in archive order.
    var tiles: [TileCoord] = []

    /// The ids of the layers that draw it, back to front.
    var layers: [String] = []

    /// Whether a `featureLimit` leaves it out.
    var isLimited = false
  }

  let identity: RecordIdentity
  let scale: Int
  var zooms: [Zoom] = []
}

extension Build {
  /// Explains where a feature is drawn.
  ///
  /// - Complexity: as for a build without painting.
  package func explain(feature text: String, scale: Int) throws(PipelineError) -> FeatureExplanation
  {
    let identity = try identity(of: text)
    let names = definition.writtenNames(of: prepared.style)
    let clock = context.clock
    let loaded = try reading.ingest(clock)
    guard let number = loaded.firstIndex(where: { $0.definition.name == identity.source }) else {
      throw PipelineError(.bug, "the source '\(identity.source)' is not among the sources.")
    }
    let points = loaded[number].points
    let marks = Column((0..<points.count).map { points.record(of: $0) == identity.point })
    let sources = try reading.cluster(loaded, clock) { index in index == number ? marks : nil }
    let tiles = definition.tiles
    return try clock.stage("scene", unit: .tiles) { advance in
      var builder = drawing(scale: scale).builder(of: sources)
      builder.keepsFeatures = true
      var explanation = FeatureExplanation(identity: identity, scale: scale)
      var done = 0
      for zoom in tiles.minZoom...tiles.maxZoom {
        let scenes = try builder.scenes(
          of: sources.map { $0.symbols(at: zoom) },
          shapes: sources.compactMap { $0.shapes(at: zoom) }, zoom: zoom)
        explanation.zooms.append(
          FeatureExplanation.Zoom(
            of: identity, source: number, marks, in: scenes, sources, names: names, zoom: zoom))
        done += scenes.count
        try advance(done, zoom)
      }
      return explanation
    }
  }

  /// Returns the one record of a key or id.
  private func identity(of text: String) throws(PipelineError) -> RecordIdentity {
    var found: [RecordIdentity] = []
    try PipelineError.wrapping {
      for source in pipeline.sources where source.records != nil {
        // A key names its source, so other sources need not be read.
        if let key = FeatureKey(text), key.source != source.name,
          definition.sources.contains(where: { $0.name == key.source })
        {
          continue
        }
        found += try RecordIdentities(source: source)
          .records(ofKey: text, checkpoint: cancellation.check)
      }
    }
    guard let first = found.first else {
      throw PipelineError(
        .usage,
        "no feature that is used has the key or id '\(text)'. `quadrille query` shows keys as "
          + "'key'; filtered and rejected records have none.")
    }
    guard found.count == 1 else {
      let list = found.prefix(5).map { "\($0.key) (\($0.place))" }.joined(separator: ", ")
      throw PipelineError(
        .usage, "\(found.count) features have the id '\(text)'. Ask for one of the keys: \(list).")
    }
    return first
  }
}

extension FeatureExplanation.Zoom {
  /// Creates the entry of one zoom for a record.
  ///
  /// - Parameters:
  ///   - source: the index of the record's source.
  ///   - marks: whether each point of the source belongs to the record.
  ///   - names: the ids of the layers in the pipeline file.
  fileprivate init(
    of identity: RecordIdentity, source: Int, _ marks: Column<Bool>,
    in scenes: ZoomScenes, _ sources: [ClusteredSource], names: [String], zoom: Int
  ) {
    self.zoom = zoom
    var rows: Set<Int> = []
    let clustered = sources[source]
    if identity.point != nil {
      if let level = clustered.symbols(at: zoom).level, let column = level.aggregates.last {
        rows = Set(column.indices.filter { column[$0] == .number(1) })
        clusters = rows.sorted().filter { level.isCluster($0) }.map {
          DrawnFeature.Cluster(
            id: level.ids[$0], count: Int(level.counts[$0]),
            expansionZoom: Int(level.expansionZooms[$0]))
        }
      } else {
        rows = Set(marks.indices.filter { marks[$0] })
      }
    }
    let thinned = clustered.thinning?.zoom(zoom)
    let keptPoints = thinned?.points
    let keptShapes = thinned?.shapes
    let owners = clustered.source.shapes.owners
    isLimited =
      rows.contains { keptPoints?[$0] == false }
      || keptShapes?.indices.contains {
        keptShapes?[$0] == false && owners.record(of: $0) == identity.shape
      } ?? false
    var layers: Set<Int> = []
    for found in scenes.tiles(showing: { feature in
      feature.source == source
        && (feature.isShape
          ? owners.record(of: feature.row) == identity.shape : rows.contains(feature.row))
    }) {
      tiles.append(scenes.tile(found.tile))
      layers.formUnion(found.layers)
    }
    self.layers = layers.sorted().map { names[$0] }
  }
}
