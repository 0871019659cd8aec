import Columns
import SpatialIndex
import Tiling

/// The points of a source in the cells of one zoom, with the accumulated values of each cell's
/// points.
///
/// Every cell of a shallower grid that nests is a node of the same ``LinearQuadTree``, so the
/// points are visited once for a whole sequence of zooms (``CellLattice/keyShift(to:)``).
struct GridCells {
  private(set) var grid: CellLattice

  /// The cells; members are indices of the ordered points.
  private var tree: LinearQuadTree<CellTotal>

  /// The accumulated values of each cell's points, a column per aggregate.
  private var aggregates: [Column<AggregateValue>]

  /// Creates the cells by sorting the points into them. For cells of 2ᵏ pixels the points are
  /// already sorted.
  ///
  /// - Complexity: O(n)
  init(
    _ points: OrderedPoints, grid: CellLattice, _ aggregations: inout [Aggregation], threads: Int
  ) {
    self.grid = grid
    let scratch = points.positions.scratch
    let tree = points.withColumns { points in
      LinearQuadTree<CellTotal>(
        count: points.positions.count, threads: threads, in: scratch,
        key: { grid.key(of: points.positions[$0]) },
        leaf: { member, key, place in
          CellTotal(
            key: key, start: place, position: points.positions[member],
            longitude: points.longitudes[member], latitude: points.latitudes[member])
        })
    }
    aggregates = points.columns.indices.map { column in
      var values = Column<AggregateValue>(in: scratch)
      values.reserveCapacity(tree.nodes.count)
      for cell in tree.nodes {
        let members = tree.members[cell.range].lazy
        values.append(
          aggregations[column].value(
            of: members.map { points.value(column, of: $0) },
            members: members.map { points.indices[Int($0)] }))
      }
      return values
    }
    self.tree = tree
  }

  /// Combines the cells into those of a shallower grid whose cells consist of whole cells of this
  /// grid.
  ///
  /// - Complexity: O(cells), and O(points) if an aggregate takes all values at once.
  mutating func coarsen(
    to shallower: CellLattice, keyShift: UInt64, of points: OrderedPoints,
    _ aggregations: inout [Aggregation], threads: Int
  ) {
    let finer = tree.nodes
    tree.coarsen(by: keyShift, threads: threads)
    grid = shallower
    for column in points.columns.indices {
      coarsen(column, from: finer, of: points, &aggregations[column])
    }
  }

  /// Combines the values of the finer cells that make up each cell, in their order.
  private mutating func coarsen(
    _ column: Int, from finer: Column<CellTotal>, of points: OrderedPoints,
    _ aggregation: inout Aggregation
  ) {
    let values = aggregates[column]
    var result = Column<AggregateValue>(in: values.scratch)
    result.reserveCapacity(tree.nodes.count)
    var next = 0
    for cell in tree.nodes {
      let first = next
      while next < finer.count, finer[next].start < cell.start + cell.count { next += 1 }
      result.append(
        next - first == 1
          ? values[first]
          : aggregation.value(
            of: values[first..<next],
            members: tree.members[cell.range].lazy.map { points.indices[Int($0)] }))
    }
    aggregates[column] = result
  }
}

extension GridCells {
  /// Returns the level of this zoom: cells in Morton order. The points of a cell with too few of
  /// them become items of their own, in their own order.
  ///
  /// - Parameter deeper: the grids of the deeper zooms at which points are clustered, ascending.
  /// - Complexity: O(items × deeper zooms); most clusters split at once.
  func level(
    of points: OrderedPoints, _ options: GridOptions, deeper: [CellLattice], threads: Int
  ) -> ClusterLevel {
    let minPoints = options.minPoints
    let cells = tree.nodes
    let members = tree.members
    let work = ChunkedWork(count: cells.count, threads: threads)
    let items = work.chunks.map { range in
      cells[range].reduce(0) { $0 + (Int($1.count) >= minPoints ? 1 : Int($1.count)) }
    }
    let offsets = ChunkedWork.offsets(items)
    var level = ClusterLevel(
      zoom: grid.zoom, count: offsets[work.chunks.count], in: cells.scratch
    ) { columns in
      points.withColumns { points in
        let writer = CellItemWriter(
          columns: columns, points: points, grid: grid, isAreal: options.shape != .cluster,
          deeper: deeper)
        work.forEach { chunk, range in
          var place = offsets[chunk]
          for cell in cells[range] {
            if Int(cell.count) >= minPoints {
              writer.setCluster(cell, first: members[Int(cell.start)], at: place)
              place += 1
            } else {
              for member in members[cell.range] {
                writer.setPoint(member, at: place)
                place += 1
              }
            }
          }
        }
      }
    }
    level.isAreal = options.shape != .cluster
    level.aggregates = points.columns.indices.map { column in
      var items = Column<AggregateValue>(in: cells.scratch)
      items.reserveCapacity(level.count)
      for (cell, value) in zip(cells, aggregates[column]) {
        if Int(cell.count) >= minPoints {
          items.append(value)
        } else {
          for member in members[cell.range] { items.append(points.value(column, of: member)) }
        }
      }
      return items
    }
    return level
  }
}

/// A writer of the items of one zoom of grid clusters.
struct CellItemWriter {
  let columns: LevelColumns
  let points: PointColumns
  let grid: CellLattice

  /// Whether items stand at the centres of their cells.
  let isAreal: Bool

  /// The grids of the deeper zooms at which points are clustered, ascending.
  let deeper: [CellLattice]

  /// Writes a point that stands alone, given by its index among the ordered points.
  func setPoint(_ member: UInt32, at place: Int) {
    let index = Int(member)
    columns.setPoint(
      index: points.indices[index], position: points.positions[index],
      longitude: points.longitudes[index], latitude: points.latitudes[index], at: place)
  }

  /// Writes a cell that is a cluster.
  ///
  /// The points of a cluster separate at the first zoom at which no single cell contains their
  /// tight box: a cell that contains them all has at least as many points as this one, so it is a
  /// cluster. Corners of the box of a hexagon's points may lie in neighbours that have none of them.
  func setCluster(_ cell: CellTotal, first: UInt32, at place: Int) {
    let center = isAreal ? grid.center(of: cell.key) : nil
    let mean = center.map { LngLat($0) } ?? cell.mean
    columns.longitudes[place] = mean.longitude
    columns.latitudes[place] = mean.latitude
    columns.positions[place] = center ?? cell.position(mean)
    columns.counts[place] = cell.count
    columns.boxes[place] = cell.box
    columns.firstMembers[place] = points.indices[Int(first)]
    let split = deeper.first { !$0.holds(cell.box) }?.zoom ?? (deeper.last?.zoom ?? grid.zoom) + 1
    columns.expansionZooms[place] = UInt8(truncatingIfNeeded: split)
    columns.ids[place] = cell.key << 5 | UInt64(grid.zoom)
  }
}
