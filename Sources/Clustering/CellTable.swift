import SpatialIndex
import Tiling

/// The occupied cells of one zoom and the points in them, sorted by the cells' Morton codes.
///
/// Every cell of a shallower grid that nests is a run of these cells and of these points, so the
/// points are looked at once for a whole ladder of zooms (``CellGrid/keyShift(to:)``).
struct CellTable {
  private(set) var grid: CellGrid

  /// The cells in ascending order of their keys.
  private var cells: ContiguousArray<CellTotal>

  /// What each cell's points accumulate, a column per aggregate.
  private var aggregates: [ContiguousArray<AggregateValue>]

  /// Places among the ordered points: by cell, and within a cell ascending.
  private let members: ContiguousArray<UInt32>

  /// Sorts points into cells. For cells of 2ᵏ pixels they are sorted already.
  ///
  /// - Complexity: O(n)
  init(_ points: OrderedPoints, grid: CellGrid, threads: Int) {
    self.grid = grid
    var keys = ContiguousArray<UInt64>(uninitializedCount: points.count)
    var members = ContiguousArray(0..<UInt32(points.count))
    points.withColumns { points in
      keys.withUnsafeMutableBufferPointer { keys in
        ChunkedWork(count: keys.count, threads: threads).forEach { _, range in
          for place in range { keys[place] = grid.key(of: points.positions[place]) }
        }
      }
    }
    var sorter = RadixSorter()
    sorter.sort(&keys, &members, threads: threads)
    sorter.releaseBuffers()
    self.members = members
    cells = points.withColumns { points in
      keys.withUnsafeBufferPointer { keys in
        members.withUnsafeBufferPointer { members in
          Self.grouped(count: keys.count, threads: threads, key: { keys[$0] }) { place in
            let member = Int(members[place])
            return CellTotal(
              key: keys[place], start: UInt32(truncatingIfNeeded: place),
              position: points.positions[member], longitude: points.longitudes[member],
              latitude: points.latitudes[member])
          }
        }
      }
    }
    aggregates = Self.aggregates(of: cells, members: members, points)
  }

  /// What each cell's points accumulate, in their order.
  private static func aggregates(
    of cells: ContiguousArray<CellTotal>, members: ContiguousArray<UInt32>, _ points: OrderedPoints
  ) -> [ContiguousArray<AggregateValue>] {
    points.columns.indices.map { column in
      let operation = points.columns[column].operation
      var result: ContiguousArray<AggregateValue> = []
      result.reserveCapacity(cells.count)
      for cell in cells {
        var joined = points.value(column, of: members[Int(cell.start)])
        for member in members[cell.range].dropFirst() {
          joined = operation(joined, points.value(column, of: member))
        }
        result.append(joined)
      }
      return result
    }
  }

  /// Joins the cells into those of a shallower grid whose cells are made of whole cells of this.
  ///
  /// - Complexity: O(cells)
  mutating func coarsen(
    to shallower: CellGrid, keyShift: UInt64, of points: OrderedPoints, threads: Int
  ) {
    let finer = cells
    cells = finer.withUnsafeBufferPointer { finer in
      Self.grouped(count: finer.count, threads: threads, key: { finer[$0].key >> keyShift }) {
        var cell = finer[$0]
        cell.key >>= keyShift
        return cell
      }
    }
    grid = shallower
    for (index, column) in points.columns.enumerated() {
      aggregates[index] = Self.coarsened(
        aggregates[index], column.operation, from: finer, to: cells)
    }
  }

  /// Joins the values of the finer cells that make up each cell, in their order.
  private static func coarsened(
    _ values: ContiguousArray<AggregateValue>, _ operation: AggregateOperation,
    from finer: ContiguousArray<CellTotal>, to cells: ContiguousArray<CellTotal>
  ) -> ContiguousArray<AggregateValue> {
    var result: ContiguousArray<AggregateValue> = []
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

  /// Adds up the totals of each run of equal keys, several chunks at a time.
  private static func grouped(
    count: Int, threads: Int, key: (Int) -> UInt64, total: (Int) -> CellTotal
  ) -> ContiguousArray<CellTotal> {
    let work = ChunkedWork(count: count, threads: threads) { key($0) != key($0 - 1) }
    var groups = [Int](repeating: 0, count: work.chunks.count)
    groups.withUnsafeMutableBufferPointer { groups in
      work.forEach { chunk, range in
        var found = range.isEmpty ? 0 : 1
        for index in range.dropFirst() where key(index) != key(index - 1) { found += 1 }
        groups[chunk] = found
      }
    }
    let offsets = ChunkedWork.offsets(groups)
    var result = ContiguousArray<CellTotal>(uninitializedCount: offsets[work.chunks.count])
    result.withUnsafeMutableBufferPointer { result in
      work.forEach { chunk, range in
        guard var current = range.first.map(total) else { return }
        var place = offsets[chunk]
        for index in range.dropFirst() {
          let next = total(index)
          if next.key == current.key {
            current.add(next)
          } else {
            result[place] = current
            place += 1
            current = next
          }
        }
        result[place] = current
      }
    }
    return result
  }
}

extension CellTotal {
  /// The places of the cell's points.
  var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

extension CellTable {
  /// The level of this zoom: cells in Morton order; points of a cell with too few of them stand
  /// alone, in their own order.
  ///
  /// - Parameter deeper: the grids of the deeper zooms at which points are clustered, ascending.
  /// - Complexity: O(items × deeper zooms); most clusters split at once.
  func level(
    of points: OrderedPoints, minPoints: Int, deeper: [CellGrid], threads: Int
  ) -> ClusterLevel {
    let work = ChunkedWork(count: cells.count, threads: threads)
    let items = work.chunks.map { range in
      cells[range].reduce(0) { $0 + (Int($1.count) >= minPoints ? 1 : Int($1.count)) }
    }
    let offsets = ChunkedWork.offsets(items)
    var level = ClusterLevel(zoom: grid.zoom, count: offsets[work.chunks.count]) { columns in
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
      var items = ContiguousArray<AggregateValue>()
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
