import Columns
import SpatialIndex
import Tiling

/// The points of a source in the cells of one zoom, with the accumulated values of each cell's
/// points.
///
/// Every cell of a shallower grid that nests is a node of the same ``LinearQuadTree``, so the
/// points are visited once for a whole sequence of zooms (``CellGrid/keyShift(to:)``).
struct GridCells {
  private(set) var grid: CellGrid

  /// The cells; members are indices of the ordered points.
  private var tree: LinearQuadTree<CellTotal>

  /// The accumulated values of each cell's points, a column per aggregate.
  private var aggregates: [Column<AggregateValue>]

  /// Creates the cells by sorting the points into them. For cells of 2ᵏ pixels the points are
  /// already sorted.
  ///
  /// - Complexity: O(n)
  init(_ points: OrderedPoints, grid: CellGrid, threads: Int) {
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
    aggregates = Self.aggregates(of: tree, points)
    self.tree = tree
  }

  /// Returns the accumulated values of each cell's points, in the points' order.
  private static func aggregates(
    of tree: LinearQuadTree<CellTotal>, _ points: OrderedPoints
  ) -> [Column<AggregateValue>] {
    points.columns.indices.map { column in
      let operation = points.columns[column].operation
      var result = Column<AggregateValue>(in: tree.nodes.scratch)
      result.reserveCapacity(tree.nodes.count)
      for cell in tree.nodes {
        var joined = points.value(column, of: tree.members[Int(cell.start)])
        for member in tree.members[cell.range].dropFirst() {
          joined = operation(joined, points.value(column, of: member))
        }
        result.append(joined)
      }
      return result
    }
  }

  /// Combines the cells into those of a shallower grid whose cells consist of whole cells of this
  /// grid.
  ///
  /// - Complexity: O(cells)
  mutating func coarsen(
    to shallower: CellGrid, keyShift: UInt64, of points: OrderedPoints, threads: Int
  ) {
    let finer = tree.nodes
    tree.coarsen(by: keyShift, threads: threads)
    grid = shallower
    for (index, column) in points.columns.enumerated() {
      aggregates[index] = Self.coarsened(
        aggregates[index], column.operation, from: finer, to: tree.nodes)
    }
  }

  /// Combines the values of the finer cells that make up each cell, in their order.
  private static func coarsened(
    _ values: Column<AggregateValue>, _ operation: AggregateOperation,
    from finer: Column<CellTotal>, to cells: Column<CellTotal>
  ) -> Column<AggregateValue> {
    var result = Column<AggregateValue>(in: values.scratch)
    result.reserveCapacity(cells.count)
    var next = 0
    for cell in cells {
      var joined = values[next]
      next += 1
      while next < finer.count, finer[next].start < cell.start + cell.count {
        joined = operation(joined, values[next])
        next += 1
      }
      result.append(joined)
    }
    return result
  }
}

extension GridCells {
  /// Returns the level of this zoom: cells in Morton order; the points of a cell with too few of
  /// them are separate items, in their own order.
  ///
  /// - Parameter deeper: the grids of the deeper zooms at which points are clustered, ascending.
  /// - Complexity: O(items × deeper zooms); most clusters split at once.
  func level(
    of points: OrderedPoints, minPoints: Int, deeper: [CellGrid], threads: Int
  ) -> ClusterLevel {
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
          columns: columns, points: points, zoom: grid.zoom, deeper: deeper)
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
  let zoom: Int

  /// The grids of the deeper zooms at which points are clustered, ascending.
  let deeper: [CellGrid]

  /// Writes a point that stands alone, given by its index among the ordered points.
  func setPoint(_ member: UInt32, at place: Int) {
    let index = Int(member)
    columns.setPoint(
      index: points.indices[index], position: points.positions[index],
      longitude: points.longitudes[index], latitude: points.latitudes[index], at: place)
  }

  /// Writes a cell that is a cluster.
  ///
  /// The points of a cluster separate at the first zoom at which one cell no longer contains their
  /// tight box, since a cell that contains them all has at least as many as were enough here.
  func setCluster(_ cell: CellTotal, first: UInt32, at place: Int) {
    let mean = cell.mean
    columns.longitudes[place] = mean.longitude
    columns.latitudes[place] = mean.latitude
    columns.positions[place] = cell.position(mean)
    columns.counts[place] = cell.count
    columns.boxes[place] = cell.box
    columns.firstMembers[place] = points.indices[Int(first)]
    let split = deeper.first { !$0.holds(cell.box) }?.zoom ?? (deeper.last?.zoom ?? zoom) + 1
    columns.expansionZooms[place] = UInt8(truncatingIfNeeded: split)
    columns.ids[place] = cell.key << 5 | UInt64(zoom)
  }
}
