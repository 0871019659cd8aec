import Columns
import SpatialIndex
import Tiling

/// Copies of the points of the input in an order that depends on the set of points only.
///
/// Neighbours on the map are neighbours in memory: reading the input directly in the order of
/// cells costs a cache miss per column and point at each zoom, which took 60 % of the total time.
struct OrderedPoints {
  /// The points in Morton order. Coincident points are ordered by longitude, latitude, aggregates
  /// and index, so only points that are equal in everything depend on the order of the input.
  let positions: Column<WorldPoint>
  let longitudes: Column<Double>
  let latitudes: Column<Double>

  /// The input index of each point.
  let indices: Column<UInt32>

  /// The columns that clusters accumulate; their values stay in the order of the input.
  let columns: [AggregateColumn]

  /// - Complexity: O(n), plus the ties of coincident points; 28 bytes per point are kept.
  init(_ input: ClusterInput, threads: Int) {
    var order = MortonOrder(input.positions, threads: threads)
    order.sortTies { Self.precedes(Int($0), Int($1), in: input) }
    let indices = order.indices
    self.indices = indices
    columns = input.aggregates
    positions = Self.positions(of: order.codes, threads)
    longitudes = Self.gathered(input.longitudes, indices, threads)
    latitudes = Self.gathered(input.latitudes, indices, threads)
    self.threads = threads
  }

  private let threads: Int

  /// Returns a column of the input in the order of the points.
  func gathered<Value>(_ column: Column<Value>) -> Column<Value> {
    Self.gathered(column, indices, threads)
  }

  /// Returns the value of a point for one of the columns.
  func value(_ column: Int, of place: UInt32) -> AggregateValue {
    columns[column].values[Int(indices[Int(place)])]
  }

  func withColumns<Result>(_ body: (PointColumns) -> Result) -> Result {
    longitudes.withUnsafeBufferPointer { longitudes in
      latitudes.withUnsafeBufferPointer { latitudes in
        positions.withUnsafeBufferPointer { positions in
          indices.withUnsafeBufferPointer { indices in
            body(
              PointColumns(
                longitudes: longitudes, latitudes: latitudes, positions: positions,
                indices: indices))
          }
        }
      }
    }
  }

  private static func precedes(_ left: Int, _ right: Int, in input: ClusterInput) -> Bool {
    if input.longitudes[left] != input.longitudes[right] {
      return input.longitudes[left] < input.longitudes[right]
    }
    if input.latitudes[left] != input.latitudes[right] {
      return input.latitudes[left] < input.latitudes[right]
    }
    for column in input.aggregates where column.values[left] != column.values[right] {
      return AggregateValue.precedes(column.values[left], column.values[right])
    }
    return left < right
  }

  private static func positions(
    of codes: Column<UInt64>, _ threads: Int
  ) -> Column<WorldPoint> {
    var positions = Column<WorldPoint>(uninitializedCount: codes.count, in: codes.scratch)
    codes.withUnsafeBufferPointer { codes in
      positions.withUnsafeMutableBufferPointer { positions in
        ChunkedWork(count: codes.count, threads: threads).forEach { _, range in
          for place in range { positions[place] = MortonCode(rawValue: codes[place]).point }
        }
      }
    }
    return positions
  }

  private static func gathered<Value>(
    _ column: Column<Value>, _ places: Column<UInt32>, _ threads: Int
  ) -> Column<Value> {
    column.gathered(at: places) { count, body in
      ChunkedWork(count: count, threads: threads).forEach { _, range in body(range) }
    }
  }
}

/// Read access to ordered points without reference counting.
struct PointColumns {
  let longitudes: UnsafeBufferPointer<Double>
  let latitudes: UnsafeBufferPointer<Double>
  let positions: UnsafeBufferPointer<WorldPoint>
  let indices: UnsafeBufferPointer<UInt32>
}
