import SpatialIndex
import Tiling

/// Copies of the points of the input in an order that depends on the set of points only.
///
/// Neighbours on the map are neighbours in memory: reading the input itself in the order of cells
/// costs a cache miss per column and point on each zoom, which was 60 % of the total time.
struct OrderedPoints {
  /// The points in Morton order; coincident ones by longitude, latitude, aggregates, index, so that
  /// only points that are equal in everything depend on the order of the input.
  let positions: ContiguousArray<WorldPoint>
  let longitudes: ContiguousArray<Double>
  let latitudes: ContiguousArray<Double>

  /// The input index of each point.
  let indices: ContiguousArray<UInt32>

  /// The columns that clusters accumulate; their values stay in the order of the input.
  let columns: [AggregateColumn]

  /// - Complexity: O(n), plus the ties of coincident points; 28 bytes per point are kept.
  init(_ input: ClusterInput, threads: Int) {
    var order = MortonOrder(input.positions, threads: threads)
    order.sortTies { Self.precedes(Int($0), Int($1), in: input) }
    let indices = order.indices
    self.indices = indices
    columns = input.aggregates
    positions = Self.column(of: indices.count, threads) { place in
      MortonCode(rawValue: order.codes[place]).point
    }
    longitudes = Self.column(of: indices.count, threads) { place in
      input.longitudes[Int(indices[place])]
    }
    latitudes = Self.column(of: indices.count, threads) { place in
      input.latitudes[Int(indices[place])]
    }
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

  private static func column<Value: BitwiseCopyable>(
    of count: Int, _ threads: Int, _ value: (Int) -> Value
  ) -> ContiguousArray<Value> {
    var column = ContiguousArray<Value>(uninitializedCount: count)
    column.withUnsafeMutableBufferPointer { column in
      ChunkedWork(count: count, threads: threads).forEach { _, range in
        for place in range { column[place] = value(place) }
      }
    }
    return column
  }
}

/// Read access to ordered points without reference counting.
struct PointColumns {
  let longitudes: UnsafeBufferPointer<Double>
  let latitudes: UnsafeBufferPointer<Double>
  let positions: UnsafeBufferPointer<WorldPoint>
  let indices: UnsafeBufferPointer<UInt32>
}
