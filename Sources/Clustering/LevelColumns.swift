import Columns
import Tiling

/// Write access to the columns of a level while it is made, for several threads at disjoint
/// indices.
struct LevelColumns {
  let positions: UnsafeMutableBufferPointer<WorldPoint>
  let longitudes: UnsafeMutableBufferPointer<Double>
  let latitudes: UnsafeMutableBufferPointer<Double>
  let counts: UnsafeMutableBufferPointer<UInt32>
  let boxes: UnsafeMutableBufferPointer<WorldBox>
  let firstMembers: UnsafeMutableBufferPointer<UInt32>
  let expansionZooms: UnsafeMutableBufferPointer<UInt8>
  let ids: UnsafeMutableBufferPointer<UInt64>

  /// Writes the item of a point that stands alone.
  func setPoint(
    index: UInt32, position: WorldPoint, longitude: Double, latitude: Double, at place: Int
  ) {
    positions[place] = position
    longitudes[place] = longitude
    latitudes[place] = latitude
    counts[place] = 1
    boxes[place] = WorldBox(position)
    firstMembers[place] = index
    expansionZooms[place] = 0
    ids[place] = UInt64(index)
  }
}

extension ClusterLevel {
  /// Creates a level of which `body` writes every element of every column except the aggregates.
  init(zoom: Int, count: Int, in scratch: Scratch?, body: (LevelColumns) -> Void) {
    self.init(
      zoom: zoom, positions: Column(uninitializedCount: count, in: scratch),
      longitudes: Column(uninitializedCount: count, in: scratch),
      latitudes: Column(uninitializedCount: count, in: scratch),
      counts: Column(uninitializedCount: count, in: scratch),
      boxes: Column(uninitializedCount: count, in: scratch),
      firstMembers: Column(uninitializedCount: count, in: scratch),
      expansionZooms: Column(uninitializedCount: count, in: scratch),
      ids: Column(uninitializedCount: count, in: scratch), aggregates: [])
    positions.withUnsafeMutableBufferPointer { positions in
      longitudes.withUnsafeMutableBufferPointer { longitudes in
        latitudes.withUnsafeMutableBufferPointer { latitudes in
          counts.withUnsafeMutableBufferPointer { counts in
            boxes.withUnsafeMutableBufferPointer { boxes in
              firstMembers.withUnsafeMutableBufferPointer { firstMembers in
                expansionZooms.withUnsafeMutableBufferPointer { expansionZooms in
                  ids.withUnsafeMutableBufferPointer { ids in
                    body(
                      LevelColumns(
                        positions: positions, longitudes: longitudes, latitudes: latitudes,
                        counts: counts, boxes: boxes, firstMembers: firstMembers,
                        expansionZooms: expansionZooms, ids: ids))
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
