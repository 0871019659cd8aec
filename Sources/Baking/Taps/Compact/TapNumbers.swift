import Clustering
import Columns
import Features
import Runs
import Scenes
import SpatialIndex
import TapBlocks
import Tiling

/// The features of compact hit test data in the order of their identifiers; the number of a feature is its
/// place in that order.
///
/// An identifier stays as it is while other features come, go and move. It consists of the cell of the
/// feature's position, of 2¹⁷ × 2¹⁷ in Z-order, and of the hash of its key below. Of two features with
/// the same identifier the latter takes the next free one, so a crowd in one place spills into the
/// cells after it.
package struct TapNumbers: Sendable {
  /// The features of one kind of a source, in the sequence before the sorting.
  private struct Segment: Sendable {
    let source: Int
    let kind: Kind
    /// The place of the first one in that sequence.
    let start: Int
  }

  private enum Kind: Hashable, Sendable {
    case points
    case shapes
    case clusters(zoom: Int)
  }

  private var segments: [Segment] = []
  /// The row of each feature in the sequence before the sorting.
  private var rows: Column<UInt32>
  /// The place of each feature in that sequence, by number.
  private var order: Column<UInt32>
  /// The identifiers by number, ascending.
  private(set) var identifiers: Column<UInt64>
  /// The number of each feature by its place in that sequence.
  private var numbers: Column<UInt32>

  /// The number of assigned numbers.
  var count: Int { identifiers.count }

  /// The bits of an identifier for the hash of the key.
  private static let hashBits: UInt64 = 15
  /// The bits of a cell's place in Z-order.
  private static let cellBits: UInt64 = 34
  /// The limit of identifiers, so that each takes at most seven bytes of seven bits.
  static let limit: UInt64 = 1 << (cellBits + hashBits)

  /// - Throws: ``PipelineError`` where there are more features in the last cells than identifiers.
  /// - Complexity: O(points + shapes + clusters); 20 bytes for each, 40 while it runs.
  init(_ sources: [TapSource], zooms: ClosedRange<Int>, threads: Int) throws(PipelineError) {
    let scratch = sources.first?.pointPositions.scratch
    (rows, order, numbers) = (Column(in: scratch), Column(in: scratch), Column(in: scratch))
    identifiers = Column(in: scratch)
    for (index, source) in sources.enumerated() {
      let points = source.pointPositions
      append(.points, of: index, rows: source.rowCounts.points) { row in
        source.firstRow(ofPoint: row) == row ? points[row] : nil
      } key: {
        source.keyHash(of: .point($0), nil)
      }
      append(.shapes, of: index, rows: source.rowCounts.shapes) { row in
        source.firstRow(ofShape: row) == row ? source.shapePosition(row) : nil
      } key: {
        source.keyHash(of: .shape($0), nil)
      }
      for zoom in zooms {
        guard let level = source.level(zoom) else { continue }
        append(.clusters(zoom: zoom), of: index, rows: level.clusters.count) { row in
          level.clusters.isCluster(row) ? level.clusters.positions[row] : nil
        } key: {
          source.keyHash(of: .cluster(zoom: zoom, row: $0), level)
        }
      }
    }
    order = Column(0..<UInt32(truncatingIfNeeded: rows.count), in: scratch)
    var sorter = RadixSorter()
    sorter.sort(&identifiers, &order, threads: threads)
    try separate()
    numbers = Column(repeating: 0, count: rows.count, in: scratch)
    for (number, place) in order.enumerated() {
      numbers[Int(place)] = UInt32(truncatingIfNeeded: number)
    }
  }

  /// Appends the features of one kind with what sorts them: the cell, then the hash of the key.
  private mutating func append(
    _ kind: Kind, of source: Int, rows count: Int, at position: (Int) -> WorldPoint?,
    key: (Int) -> UInt64
  ) {
    segments.append(Segment(source: source, kind: kind, start: rows.count))
    for row in 0..<count {
      guard let position = position(row) else { continue }
      let cell = MortonCode(position).rawValue >> (64 - Self.cellBits)
      rows.append(UInt32(truncatingIfNeeded: row))
      identifiers.append(cell << (64 - Self.cellBits) | key(row) >> Self.cellBits)
    }
  }

  /// Makes identifiers of the sorted cells and hashes: the first bits, each once.
  private mutating func separate() throws(PipelineError) {
    var next: UInt64 = 0
    identifiers.withUnsafeMutableBufferPointer { all in
      for index in all.indices {
        all[index] = max(all[index] >> (64 - Self.cellBits - Self.hashBits), next)
        next = all[index] + 1
      }
    }
    guard next <= Self.limit else {
      throw PipelineError(
        .definition,
        "more features lie in the south-east corner of the map than compact taps can tell apart there. "
          + "Check the coordinates of the sources, or set 'format: utfgrid' in 'interactivity'.")
    }
  }

  /// The numbers of the features that a zoom shows.
  struct Zoom: Sendable {
    /// For each source the numbers of the rows of its level, or of its points, and of its shapes.
    fileprivate var sources: [(items: Column<UInt32>, shapes: Column<UInt32>)] = []

    /// Returns the number of a drawn feature.
    func number(of feature: TapFeature) -> UInt64 {
      UInt64(
        feature.isShape
          ? sources[feature.source].shapes[feature.row]
          : sources[feature.source].items[feature.row])
    }
  }

  /// Returns the numbers of a zoom; all rows of a record have the number of its first row.
  ///
  /// - Complexity: O(rows of the zoom); 4 bytes for each.
  func zoom(_ zoom: Int, of sources: [TapSource]) -> Zoom {
    var result = Zoom()
    for (index, source) in sources.enumerated() {
      let points = points(of: source, number: index)
      let level = source.level(zoom)?.clusters
      let clusters = level.map { numbers(of: .clusters(zoom: zoom), source: index, rows: $0.count) }
      let rows = level?.count ?? source.rowCounts.points
      var items = Column<UInt32>(uninitializedCount: rows, in: self.rows.scratch)
      for row in 0..<rows {
        if let level, let clusters, level.isCluster(row) {
          items[row] = clusters[row]
        } else {
          let point = level.map { Int($0.firstMembers[row]) } ?? row
          items[row] = points[source.firstRow(ofPoint: point)]
        }
      }
      let shapes = numbers(of: .shapes, source: index, rows: source.rowCounts.shapes)
      result.sources.append(
        (items, Column(shapes.indices.lazy.map { shapes[source.firstRow(ofShape: $0)] })))
    }
    return result
  }

  /// Returns the numbers of the features of one kind by row; 0 for rows without.
  private func numbers(of kind: Kind, source: Int, rows count: Int) -> Column<UInt32> {
    var result = Column<UInt32>(repeating: 0, count: count, in: rows.scratch)
    guard
      let index = segments.firstIndex(where: { $0.source == source && $0.kind == kind })
    else { return result }
    let end = index + 1 < segments.count ? segments[index + 1].start : rows.count
    for place in segments[index].start..<end { result[Int(rows[place])] = numbers[place] }
    return result
  }

  /// Returns the number of an identifier that is assigned.
  ///
  /// - Complexity: O(log count).
  func number(of identifier: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: identifiers.bisectedIndex { $0 < identifier })
  }

  /// Returns the source and feature of a number.
  func owner(of number: UInt32) -> (source: Int, item: TapSource.Item) {
    let place = Int(order[Int(number)])
    // Kinds without a feature begin where the next one does.
    let segment = segments[segments.bisectedIndex(notBefore: { $0.start <= place }) - 1]
    let row = Int(rows[place])
    switch segment.kind {
    case .points: return (segment.source, .point(row))
    case .shapes: return (segment.source, .shape(row))
    case .clusters(let zoom): return (segment.source, .cluster(zoom: zoom, row: row))
    }
  }

  /// Returns the numbers of the points of a source, by row; 0 for all but the first row of a record.
  ///
  /// - Complexity: O(points).
  func points(of source: TapSource, number: Int) -> Column<UInt32> {
    numbers(of: .points, source: number, rows: source.rowCounts.points)
  }
}
