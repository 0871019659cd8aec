package import Clustering
import Columns
import Definition
package import Features
import Ingest
package import Inputs
import Overlays
package import Reports
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

extension LoadedImage {
  /// The image's part of a report.
  fileprivate var report: ImageReport {
    ImageReport(format: format, width: source.size.width, height: source.size.height)
  }
}

extension SourceDefinition {
  /// The borders of the tiles whose features stay in the order of their tiles; `nil` for other data.
  var tileBorders: TileBorders? {
    vectorTiles?.part.map { TileBorders(zoom: $0.zoom) }
  }
}
