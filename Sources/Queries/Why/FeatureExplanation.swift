package import Baking
import Clustering
import Definition
import Features
import Inputs
import Painting
import Reuse
package import Runs
import Scenes
import SourceStages
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
    let identities = try identities(of: text)
    let names = definition.writtenNames(of: prepared.style)
    let clock = context.clock
    let loaded = try reading.ingest(clock)
    let records = Dictionary(grouping: identities, by: \.source)
    let drawn = loaded.map { source in
      FeatureExplanation.Records(of: records[source.definition.name] ?? [], in: source)
    }
    let sources = try reading.cluster(loaded, clock) { drawn[$0].marks }
    let tiles = definition.tiles
    return try clock.stage("scene", unit: .tiles) { advance in
      var builder = drawing(scale: scale).builder(of: sources)
      builder.keepsFeatures = true
      var explanation = FeatureExplanation(identity: identities[0], scale: scale)
      var done = 0
      for zoom in tiles.minZoom...tiles.maxZoom {
        let scenes = try builder.scenes(
          of: sources.map { $0.symbols(at: zoom) },
          shapes: sources.compactMap { $0.shapes(at: zoom) }, zoom: zoom)
        explanation.zooms.append(
          FeatureExplanation.Zoom(
            of: drawn, in: scenes, sources, names: names, zoom: zoom))
        done += scenes.count
        try advance(done, zoom)
      }
      return explanation
    }
  }

  /// Returns the one record of a key or id; for vector tiles the same feature at all of their
  /// zooms.
  private func identities(of text: String) throws(PipelineError) -> [RecordIdentity] {
    var found: [RecordIdentity] = []
    try PipelineError.wrapping {
      for source in pipeline.sources where source.records != nil {
        // A key names its source, so other sources need not be read.
        if let key = FeatureKey(text), key.source != source.nameInFile,
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
    guard found.allSatisfy({ $0.key == first.key }) else {
      let list = found.prefix(5).map { "\($0.key) (\($0.place))" }.joined(separator: ", ")
      throw PipelineError(
        .usage, "\(found.count) features have the id '\(text)'. Ask for one of the keys: \(list).")
    }
    return found
  }
}

extension FeatureExplanation {
  /// The records of one source that are explained.
  fileprivate struct Records {
    /// Whether each point of the source belongs to them; `nil` where none do.
    var marks: Column<Bool>?

    /// The numbers of those with lines or polygons.
    let shapes: Set<Int>

    init(of identities: [RecordIdentity], in source: LoadedSource) {
      shapes = Set(identities.compactMap(\.shape))
      let numbers = Set(identities.compactMap(\.point))
      guard !numbers.isEmpty else { return }
      let points = source.points
      marks = Column((0..<points.count).map { numbers.contains(points.record(of: $0)) })
    }
  }
}

extension FeatureExplanation.Zoom {
  /// Creates the entry of one zoom.
  ///
  /// - Parameters:
  ///   - records: the records of each source.
  ///   - names: the ids of the layers in the pipeline file.
  fileprivate init(
    of records: [FeatureExplanation.Records], in scenes: ZoomScenes, _ sources: [ClusteredSource],
    names: [String], zoom: Int
  ) {
    self.zoom = zoom
    var rows = [Set<Int>](repeating: [], count: records.count)
    for (source, own) in records.enumerated() {
      if let marks = own.marks { rows[source] = addClusters(of: sources[source], marks) }
      let thinned = sources[source].thinning?.zoom(zoom)
      let owners = sources[source].source.shapes.owners
      if rows[source].contains(where: { thinned?.points[$0] == false })
        || thinned?.shapes.indices.contains(where: {
          thinned?.shapes[$0] == false && own.shapes.contains(owners.record(of: $0))
        }) ?? false
      {
        isLimited = true
      }
    }
    var layers: Set<Int> = []
    for found in scenes.tiles(showing: { feature in
      feature.isShape
        ? records[feature.source].shapes.contains(
          sources[feature.source].source.shapes.owners.record(of: feature.row))
        : rows[feature.source].contains(feature.row)
    }) {
      tiles.append(scenes.tile(found.tile))
      layers.formUnion(found.layers)
    }
    self.layers = layers.sorted().map { names[$0] }
  }

  /// Adds the clusters with marked points, and returns the rows of what is drawn for these.
  private mutating func addClusters(of source: ClusteredSource, _ marks: Column<Bool>) -> Set<Int> {
    guard let level = source.symbols(at: zoom).level, let column = level.aggregates.last else {
      return Set(marks.indices.filter { marks[$0] })
    }
    let rows = Set(column.indices.filter { column[$0] == .number(1) })
    clusters += rows.sorted().filter { level.isCluster($0) }.map {
      DrawnFeature.Cluster(
        id: level.ids[$0], count: Int(level.counts[$0]),
        expansionZoom: Int(level.expansionZooms[$0]))
    }
    return rows
  }
}
