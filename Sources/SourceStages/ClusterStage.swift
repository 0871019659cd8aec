package import Clustering
package import Columns
package import Definition
package import Features
import Ingest
package import Inputs
import JSON
import Overlays
import Raster
package import Reports
import Reuse
import Runs
package import Scenes
import SpatialIndex
import Styling
package import Tiling

/// A source whose records are read and prepared for any zoom.
package struct ClusteredSource {
  package let source: LoadedSource
  package let pyramid: ClusterPyramid?
  package let aggregateNames: [String]

  /// The bounds of the classes of clusters at each zoom; empty without classes.
  var classBreaks: [(zoom: Int, breaks: ClassBreaks)] = []

  /// The options of clusters that are areas; `nil` for others.
  var cellOptions: GridOptions?

  /// The lines and polygons in world coordinates; `nil` without any.
  let world: WorldShapes?

  /// The same shapes as anchors for circles and labels; `nil` where no layer draws such symbols.
  let symbolShapes: SymbolShapes?

  /// The features that each zoom keeps under the source's `featureLimit`; `nil` without one.
  package let thinning: FeatureThinning?

  /// The points of each zoom that are spread; `nil` for a source without `stacks`.
  package var stacks: SourceStacks?

  /// Whether the clusters were taken from the cache.
  var hasCachedClusters = false

  /// The outcomes of the records, including those that no zoom shows.
  package var ledger: SourceLedger {
    var ledger = source.ledger
    let limited = min(thinning?.limitedRecords ?? 0, ledger.used)
    ledger.used -= limited
    ledger.limited += limited
    return ledger
  }

  /// Whether the source is empty because it could not be fetched or its records were rejected: it
  /// is broken, not merely empty.
  package var isLost: Bool {
    source.resolved.absence != nil
      || source.ledger.used == 0 && source.ledger.rejectedTotal > 0
  }

  /// The reason why the source is empty, if it is lost; a sentence.
  package var reasonOfLoss: String? {
    if let note = source.resolved.absenceNote { return "\(source.definition.place): \(note)" }
    let ledger = source.ledger
    guard isLost, let example = ledger.examples.first else { return nil }
    let file = example.file ?? source.resolved.dataName
    return "Of source '\(source.definition.name)' every record is rejected, "
      + "\(ReportNumber.count(ledger.rejectedTotal)) in all; the first is \(file):\(example.line): "
      + "\(example.message)."
  }

  /// The repairs that were made to its records while they were read, and what is not obvious about
  /// its image, a sentence each.
  package var readingNotes: [String] {
    source.ledger.repairSentences(file: source.resolved.dataName).map {
      "source '\(source.definition.name)': \($0)."
    } + [source.incompletenessNote, source.image?.note].compactMap(\.self)
  }

  /// The source's part of a report.
  package var report: SourceReport {
    SourceReport(
      name: source.definition.name, file: source.resolved.dataName, ledger: ledger,
      image: source.image?.report, fetched: source.resolved.origin.fetched,
      absence: source.resolved.absence?.reason, isCached: source.isCached,
      hasCachedClusters: hasCachedClusters)
  }

  /// Returns the features of a zoom that are drawn at points.
  ///
  /// - Parameter box: the box outside of which clusters and points are left out; `nil` for none.
  package func symbols(at zoom: Int, within box: WorldBox? = nil) -> SymbolSource {
    let level = pyramid.flatMap { pyramid in
      zoom <= pyramid.clusterMaxZoom ? pyramid.level(zoom) : nil
    }
    var kept = thinning?.zoom(zoom)?.points
    if let box {
      let positions =
        stacks?.zoom(zoom)?.positions ?? level?.positions ?? source.points.positions
      kept = Column(
        (0..<positions.count).map { box.contains(positions[$0]) && kept?[$0] != false })
    }
    return SymbolSource(
      id: source.definition.name, points: source.points, level: level,
      aggregateNames: aggregateNames, shapes: symbolShapes,
      borders: source.definition.tileBorders, stacks: stacks?.zoom(zoom), keptPoints: kept,
      keptShapes: thinning?.zoom(zoom)?.shapes)
  }

  /// Returns the lines and polygons of a zoom, or its cells; `nil` without any.
  ///
  /// - Complexity: O(cells), otherwise O(1).
  package func shapes(at zoom: Int) -> ShapeSource? {
    if let cellOptions, let level = symbols(at: zoom).level {
      return ShapeSource(
        id: source.definition.name, cells: cellOptions.outlines(of: level), of: symbols(at: zoom))
    }
    return world.map { world in
      ShapeSource(
        id: source.definition.name, shapes: source.shapes, world: world,
        kept: thinning?.zoom(zoom)?.shapes)
    }
  }

  /// Returns the clusters and points of a zoom as expressions see them; clusters that are areas have
  /// their outlines as geometry.
  package func clusterView(at zoom: Int) -> FeatureView {
    let symbols = symbols(at: zoom)
    guard let cellOptions, let level = symbols.level else {
      return FeatureView(
        points: source.points, level: symbols.level, aggregateNames: aggregateNames)
    }
    return FeatureView(symbols, areas: cellOptions.outlines(of: level))
  }

  /// Returns the number of items that the source shows at a zoom: clusters, points that stand
  /// alone, and shapes.
  package func itemCount(at zoom: Int) -> Int {
    let all = (symbols(at: zoom).level?.count ?? source.points.count) + source.shapes.count
    return all - limitedCount(at: zoom)
  }

  /// Returns the number of points that the items represent: at every zoom all that are used.
  package func pointCount(at zoom: Int) -> Int {
    symbols(at: zoom).level?.counts.reduce(0) { $0 + Int($1) } ?? source.points.count
  }

  /// Returns the number of points and shapes that the zoom leaves out.
  package func limitedCount(at zoom: Int) -> Int { thinning?.zoom(zoom)?.dropped ?? 0 }
}

extension [ClusteredSource] {
  /// The number of records read, by source.
  package var readRecords: [String: Int] {
    Dictionary(
      map { ($0.source.definition.name, $0.source.ledger.read) }, uniquingKeysWith: { $1 })
  }

  /// Returns the number of items that all sources show at a zoom.
  package func itemCount(at zoom: Int) -> Int { reduce(0) { $0 + $1.itemCount(at: zoom) } }

  /// Returns the number of points that the items of all sources represent.
  package func pointCount(at zoom: Int) -> Int { reduce(0) { $0 + $1.pointCount(at: zoom) } }

  /// The number of used records, of all sources.
  package var usedRecords: Int { reduce(0) { $0 + $1.ledger.used } }
}

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

extension LoadedImage {
  /// The image's part of a report.
  fileprivate var report: ImageReport {
    ImageReport(format: format, width: source.size.width, height: source.size.height)
  }
}

extension SourceDefinition {
  /// The borders of the tiles whose features stay in the order of their tiles; `nil` for other data.
  fileprivate var tileBorders: TileBorders? {
    vectorTiles?.part.map { TileBorders(zoom: $0.zoom) }
  }
}

extension ClusteredSource {
  /// Creates a source whose records are not there, but their counts.
  package init(
    unread source: ResolvedSource, _ ledger: SourceLedger, names: [String] = []
  ) {
    var loaded = LoadedSource(
      resolved: source, points: PointSet(), shapes: ShapeSet(), ledger: ledger, bytes: 0)
    loaded.propertyNames = names
    self.init(
      source: loaded,
      pyramid: nil, aggregateNames: [], world: nil, symbolShapes: nil, thinning: nil)
  }
}
