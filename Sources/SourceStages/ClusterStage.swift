package import Clustering
package import Columns
package import Definition
import Features
import Inputs
import JSON
import Raster
import Reuse
import Runs
import Scenes
import SpatialIndex
import Styling
import Tiling

extension LoadedSource {
  /// Computes the clusters of all zooms, or reads them from the cache.
  ///
  /// - Parameter marks: the marked points: the items that contain one of them have 1 in a last
  ///   column of aggregates, which expressions cannot read; the others have 0.
  /// - Throws: also where the run is to end, before each zoom.
  /// - Complexity: as ``GridClusterer`` or ``RadiusClusterer``.
  package func clustered(
    by reading: SourceReading, marks: Column<Bool>? = nil
  ) throws -> ClusteredSource {
    var source = try unspread(by: reading, marks: marks)
    source.stacks = try definition.records?.stacks.map { stacks in
      try SourceStacks(
        stacks, of: source, tiles: reading.definition.tiles,
        checkpoint: reading.context.cancellation.check)
    }
    return source
  }

  private func unspread(
    by reading: SourceReading, marks: Column<Bool>?
  ) throws -> ClusteredSource {
    // Many features of vector tiles are only labelled.
    let isDrawn =
      definition.vectorTiles == nil
      || reading.style?.onlyShowsSymbols(of: definition.name) != true
    let world =
      isDrawn && shapes.count > 0
      ? WorldShapes(shapes, tileZoom: definition.vectorTiles?.part?.zoom) : nil
    let symbolShapes = try symbolShapes(reading)
    guard let cluster = definition.records?.cluster else {
      return ClusteredSource(
        source: self, pyramid: nil, aggregateNames: [], world: world,
        symbolShapes: symbolShapes, thinning: try thinning(world, reading))
    }
    var (pyramid, isCached) = try pyramid(cluster, reading, marks)
    let names = cluster.properties.map(\.key)
    let breaks = try cluster.classes.map { classes in
      try pyramid.insertClasses(
        at: names.count, by: names.firstIndex(of: classes.property), .init(classes.method),
        count: classes.count, checkpoint: reading.context.cancellation.check)
    }
    return ClusteredSource(
      source: self, pyramid: pyramid, aggregateNames: cluster.aggregateNames,
      classBreaks: breaks ?? [],
      cellOptions: try cellOptions(cluster, reading), world: world, symbolShapes: symbolShapes,
      thinning: nil, hasCachedClusters: isCached)
  }

  /// Returns the options of cells that are areas; `nil` for other clusters.
  ///
  /// - Throws: ``PipelineError`` where there are other areas or lines, which a layer could not tell
  ///   from cells.
  private func cellOptions(
    _ cluster: ClusterDefinition, _ reading: SourceReading
  ) throws -> GridOptions? {
    guard case .areas(let areas) = cluster.method else { return nil }
    guard shapes.count == 0 else {
      throw PipelineError(
        .definition,
        "source '\(definition.name)' has \(ReportNumber.count(shapes.count)) lines and polygons, and "
          + "'clusterMethod: \(areas.isHexagonal ? "hexagon" : "square")' makes areas of points. "
          + "Give the points a source of their own, for example with "
          + "'where: \"S_INTERSECTS…\"' or a file of points.", at: definition.place)
    }
    return try cluster.gridOptions(areas, tileSize: reading.definition.tiles.tileSize)
  }

  /// Returns the clusters of all zooms, and whether they came from the cache.
  private func pyramid(
    _ cluster: ClusterDefinition, _ reading: SourceReading, _ marks: Column<Bool>?
  ) throws -> (pyramid: ClusterPyramid, isCached: Bool) {
    let (tiles, threads) = (reading.definition.tiles, reading.context.threads)
    let artifacts = marks == nil ? reading.context.artifacts : .none
    let zooms = tiles.minZoom...max(tiles.minZoom, min(tiles.maxZoom, cluster.maxZoom))
    // Bubbles follow from the layers and the fonts, too.
    let key =
      cluster.method.dependsOnLayers
      ? nil
      : self.key.map {
        cluster.clustersKey(records: $0, zooms: zooms, tileSize: tiles.tileSize)
      }
    if let key, let stored = artifacts.value(key, ClustersArtifact.init),
      let pyramid = stored.pyramid.pyramid(
        of: clusterInput([]), aggregates: stored.aggregates, threads: threads)
    {
      return (pyramid, !artifacts.isOfPlan)
    }
    if let key { try artifacts.requireAbsent(key) }
    let input = clusterInput(
      try aggregates(cluster, marks, checkpoint: reading.context.cancellation.check))
    let pyramid = try clusters(cluster, of: input, zooms, reading)
    if let key, artifacts.isOfPlan || isWorthKeepingClusters(cluster) {
      artifacts.storeMeanwhile(key) {
        ClustersArtifact(
          pyramid: StoredPyramid(pyramid, of: input), aggregates: input.aggregates.map(\.values)
        ).writer
      }
    }
    return (pyramid, false)
  }

  /// Whether a later run may find clusters in the cache: those of the grid are computed nearly as fast
  /// as they are written, so they are only kept for records that a run has found unchanged.
  private func isWorthKeepingClusters(_ cluster: ClusterDefinition) -> Bool {
    switch cluster.method {
    case .grid, .areas: isCached && !isLaidOver
    case .radius, .bubble: true
    }
  }

  private func aggregates(
    _ cluster: ClusterDefinition, _ marks: Column<Bool>?, checkpoint: () throws -> Void
  ) throws -> [AggregateColumn] {
    let columns = try cluster.properties.map { member in
      try checkpoint()
      return try ClusterProperty(member).column(of: points)
    }
    guard let marks else { return columns }
    let marked = Column(marks.lazy.map { AggregateValue.number($0 ? 1 : 0) }, in: marks.scratch)
    return columns + [AggregateColumn(name: "", values: marked, operation: .max)]
  }

  private func clusterInput(_ aggregates: [AggregateColumn]) -> ClusterInput {
    ClusterInput(
      longitudes: points.longitudes, latitudes: points.latitudes, positions: points.positions,
      aggregates: aggregates, featureCount: points.count + ledger.noGeometry + ledger.beyondMap)
  }

  private func clusters(
    _ cluster: ClusterDefinition, of input: ClusterInput, _ zooms: ClosedRange<Int>,
    _ reading: SourceReading
  ) throws -> ClusterPyramid {
    let (tileSize, threads) = (reading.definition.tiles.tileSize, reading.context.threads)
    let checkpoint = reading.context.cancellation.check
    switch cluster.method {
    case .grid(let sizes):
      return try GridClusterer(try cluster.gridOptions(sizes, tileSize: tileSize)).pyramid(
        of: input, zooms: zooms, threads: threads, checkpoint: checkpoint)
    case .areas(let areas):
      return try GridClusterer(try cluster.gridOptions(areas, tileSize: tileSize)).pyramid(
        of: input, zooms: zooms, threads: threads, checkpoint: checkpoint)
    case .radius(let radius):
      let options = try RadiusOptions(
        radius: radius, tileSize: tileSize, maxZoom: cluster.maxZoom,
        minPoints: cluster.minPoints)
      return try RadiusClusterer(options).pyramid(
        of: input, zooms: zooms, threads: threads, checkpoint: checkpoint)
    case .bubble(let gap):
      let sizes = try bubbleSizes(cluster, reading)
      // Drawn positions are rounded.
      let rounding = 2.0.squareRoot() * max(reading.definition.tiles.snap, 0x1p-4)
      let options = BubbleClusterer.Options(
        gap: gap + rounding, tileSize: tileSize, maxZoom: cluster.maxZoom)
      return try BubbleClusterer(options).pyramid(
        of: input, zooms: zooms, threads: threads, radius: sizes.radius, checkpoint: checkpoint)
    }
  }

  /// Returns the sizes that the layers give to clusters; refuses those that follow from aggregates.
  private func bubbleSizes(
    _ cluster: ClusterDefinition, _ reading: SourceReading
  ) throws -> BubbleSizes {
    let pipeline = reading.pipeline
    let style = try reading.style ?? pipeline.style(reading: reading.context.inputs)
    let found = style.layer(of: definition.name, sizedBy: Set(cluster.properties.map(\.key)))
    if let found {
      throw PipelineError(
        .definition,
        "'clusterMethod: bubble' needs sizes that follow from 'point_count' and the zoom, but layer "
          + "'\(found.layer.id)' takes one from '\(found.property)'. Show that by colours or slices, or "
          + "use another method.", at: definition.place)
    }
    let fonts = try FontLibrary(named: reading.definition.wantedFonts)
    return BubbleSizes(
      style, source: definition.name, points: points, shaper: TextShaper(fonts: fonts))
  }

  /// Returns the shapes as anchors for circles and labels; poles that an earlier run computed are
  /// reused.
  private func symbolShapes(_ reading: SourceReading) throws(PipelineError) -> SymbolShapes? {
    let artifacts = reading.context.artifacts
    guard let style = reading.style, shapes.count > 0, style.marksShapes(of: definition.name) else {
      return nil
    }
    let findsPoles = style.labelsPolygons(of: definition.name)
    let key = findsPoles ? self.key.map { resolved.polesKey(program: $0.program) } : nil
    let known = key.flatMap { key in
      artifacts.value(key) { reader throws(ArtifactDamage) in try reader.polygonPoles() }
    }
    let found = SymbolShapes(
      shapes, findsPoles: findsPoles,
      findsLargest: style.marksLargestParts(of: definition.name),
      borders: definition.tileBorders,
      known: known ?? PolygonPoles(), threads: reading.context.threads)
    if let key, found.foundPoles > 0 {
      try artifacts.requireAbsent(key)
      artifacts.store(key, found.poles.artifact)
    }
    return found
  }

  private func thinning(
    _ world: WorldShapes?, _ reading: SourceReading
  ) throws -> FeatureThinning? {
    try definition.records?.featureLimit.map { limit in
      try refuseTexts(of: limit.property)
      return try FeatureThinning(
        limit, of: self, shapePositions: world?.middles ?? [], tiles: reading.definition.tiles,
        checkpoint: reading.context.cancellation.check)
    }
  }
}

extension LoadedSource {
  /// Refuses to order features by a property that has values, but no number among them.
  private func refuseTexts(of property: String) throws(PipelineError) {
    var example: PropertyValue?
    for records in [points.records, shapes.records] {
      guard let index = records.index(of: property) else { continue }
      for row in 0..<records.count {
        guard let value = records.columns[index].value(row), value != .null else { continue }
        if case .number = value { return }
        example = example ?? value
      }
    }
    guard let example else { return }
    throw PipelineError(
      .definition,
      "'orderBy' of 'featureLimit' in source '\(definition.name)' names '\(property)', which is a "
        + "number in no record; the first has \(JSONWriter.text(example)). Name a property of numbers.",
      at: definition.node["featureLimit"]?["orderBy"]?.items?.first?.place ?? definition.place)
  }
}

extension ClusterDefinition {
  /// Returns the options of `clusterMethod: grid`.
  package func gridOptions(
    _ cellSizes: [ZoomValue], tileSize: Int, shape: CellShape = .cluster, meters: Double? = nil
  ) throws -> GridOptions {
    let sizes = Dictionary(
      cellSizes.map { ($0.zoom, Int($0.value)) }, uniquingKeysWith: { first, _ in first })
    return try GridOptions(
      cellSizes: sizes, tileSize: tileSize, maxZoom: maxZoom, minPoints: minPoints, shape: shape,
      cellMeters: meters)
  }

  /// Returns the options of `clusterMethod: hexagon` and `square`.
  package func gridOptions(_ areas: CellAreas, tileSize: Int) throws -> GridOptions {
    try gridOptions(
      areas.sizes, tileSize: tileSize, shape: areas.isHexagonal ? .hexagon : .square,
      meters: areas.meters)
  }
}

extension ClusterMethod {
  /// Whether the clusters follow from the layers, too.
  fileprivate var dependsOnLayers: Bool { if case .bubble = self { true } else { false } }
}
