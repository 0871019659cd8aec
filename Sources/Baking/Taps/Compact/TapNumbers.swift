import Clustering
import Columns
import Scenes
import SpatialIndex

/// The numbers by which compact hit test data references features: in Z-order of their positions
/// over all zooms of a source, so that neighbouring features have near numbers, and clusters are
/// next to their members.
package struct TapNumbers: Sendable {
  /// The numbering of a source's features.
  private struct SourceNumbers: Sendable {
    var points: Column<UInt32> = []
    var shapes: Column<UInt32> = []
    /// The numbers by zoom, for each row of its level; 0 for lone points.
    var clusters: [Int: Column<UInt32>] = [:]
    /// The first number.
    var base: UInt32 = 0
    /// The features in the order of their numbers, each as its index in the sequence of points,
    /// shapes and clusters by zoom.
    var order: Column<UInt32> = []
    /// The rows of clusters in that sequence, and the start of those of each zoom.
    var clusterRows: Column<UInt32> = []
    var zoomStarts: [(zoom: Int, start: Int)] = []

    /// Returns the feature at an index of the sequence of points, shapes and clusters by zoom.
    func item(at place: Int) -> TapSource.Item {
      if place < points.count { return .point(place) }
      if place < points.count + shapes.count { return .shape(place - points.count) }
      let cluster = place - points.count - shapes.count
      let zoom = zoomStarts.last { $0.start <= cluster }?.zoom ?? 0
      return .cluster(zoom: zoom, row: Int(clusterRows[cluster]))
    }
  }

  private var sources: [SourceNumbers] = []

  /// The number of assigned numbers.
  private(set) var count = 0

  /// - Complexity: O(points + shapes + clusters); 8 bytes for each, 24 while it runs.
  init(_ sources: [TapSource], zooms: ClosedRange<Int>, threads: Int) {
    for source in sources {
      let numbers = Self.numbers(of: source, zooms, base: count, threads: threads)
      count += numbers.order.count
      self.sources.append(numbers)
    }
  }

  private static func numbers(
    of source: TapSource, _ zooms: ClosedRange<Int>, base: Int, threads: Int
  ) -> SourceNumbers {
    var numbers = SourceNumbers()
    numbers.base = UInt32(truncatingIfNeeded: base)
    var positions = source.pointPositions
    let counts = source.rowCounts
    numbers.clusterRows = Column(in: positions.scratch)
    for row in 0..<counts.shapes { positions.append(source.shapePosition(row)) }
    var levels: [(zoom: Int, count: Int)] = []
    for zoom in zooms {
      guard let level = source.level(zoom) else { continue }
      numbers.zoomStarts.append((zoom, numbers.clusterRows.count))
      levels.append((zoom, level.count))
      for row in 0..<level.count where level.isCluster(row) {
        positions.append(level.positions[row])
        numbers.clusterRows.append(UInt32(truncatingIfNeeded: row))
      }
    }
    numbers.order = MortonOrder(positions, threads: threads).indices
    numbers.points = Column(repeating: 0, count: counts.points, in: positions.scratch)
    numbers.shapes = Column(repeating: 0, count: counts.shapes)
    for level in levels {
      numbers.clusters[level.zoom] = Column(
        repeating: 0, count: level.count, in: positions.scratch)
    }
    for (rank, place) in numbers.order.enumerated() {
      let number = UInt32(truncatingIfNeeded: base + rank)
      switch numbers.item(at: Int(place)) {
      case .point(let row): numbers.points[row] = number
      case .shape(let row): numbers.shapes[row] = number
      case .cluster(let zoom, let row): numbers.clusters[zoom]?[row] = number
      }
    }
    return numbers
  }

  /// The numbers of the features that a zoom shows.
  struct Zoom: Sendable {
    /// For each source the numbers of the rows of its level, or of its points, and of its shapes.
    fileprivate var sources: [(items: Column<UInt32>, shapes: Column<UInt32>)] = []

    /// Returns the number of a drawn feature.
    func number(of feature: TapFeature) -> UInt32 {
      feature.isShape
        ? sources[feature.source].shapes[feature.row] : sources[feature.source].items[feature.row]
    }
  }

  /// Returns the numbers of a zoom; all rows of a record have the number of its first row.
  ///
  /// - Complexity: O(rows of the zoom); 4 bytes for each.
  func zoom(_ zoom: Int, of sources: [TapSource]) -> Zoom {
    var result = Zoom()
    for (source, numbers) in zip(sources, self.sources) {
      let level = source.level(zoom)
      let clusters = numbers.clusters[zoom]
      let rows = level?.count ?? numbers.points.count
      var items = Column<UInt32>(uninitializedCount: rows, in: numbers.points.scratch)
      for row in 0..<rows {
        if let level, let clusters, level.isCluster(row) {
          items[row] = clusters[row]
        } else {
          let point = level.map { Int($0.firstMembers[row]) } ?? row
          items[row] = numbers.points[source.firstRow(ofPoint: point)]
        }
      }
      let shapes = Column<UInt32>(
        numbers.shapes.indices.lazy.map { numbers.shapes[source.firstRow(ofShape: $0)] })
      result.sources.append((items, shapes))
    }
    return result
  }

  /// Returns the source and feature of a number.
  func owner(of number: UInt32) -> (source: Int, item: TapSource.Item) {
    // There are few sources.
    var source = sources.count - 1
    while source > 0, sources[source].base > number || sources[source].order.isEmpty { source -= 1 }
    let place = Int(sources[source].order[Int(number - sources[source].base)])
    return (source, sources[source].item(at: place))
  }
}
