import Tiling

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
