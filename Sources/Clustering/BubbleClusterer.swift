import Columns
import SpatialIndex
import Tiling

/// A clusterer that joins points until no two drawn symbols touch: `clusterMethod: bubble`.
///
/// Each zoom begins with the items of the zoom below it, so a cluster is whole clusters and points of
/// every deeper zoom. Items are taken from the largest to the smallest, ties in Z-order; one that
/// touches others takes these in and moves to the mean of all points, which is examined again with
/// its new size, until nothing touches. Like ``GridClusterer`` it depends on the set of points, but
/// not on its order, and joins nothing across the antimeridian.
package struct BubbleClusterer: Sendable {
  package struct Options: Sendable {
    /// The least distance between two symbols, in pixels.
    package let gap: Double

    /// The width of the world at zoom 0 in pixels.
    package let tileSize: Int

    /// `clusterMaxZoom`: the deepest zoom with clusters.
    package let maxZoom: Int

    package init(gap: Double, tileSize: Int, maxZoom: Int) {
      self.gap = gap
      self.tileSize = tileSize
      self.maxZoom = maxZoom
    }
  }

  package let options: Options

  package init(_ options: Options) {
    self.options = options
  }

  /// Computes the clusters of every zoom.
  ///
  /// Items of a level are in Z-order of their first points.
  ///
  /// - Parameters:
  ///   - radius: returns the radius in pixels around its position within which the symbol of a number
  ///     of points is drawn at a zoom; a single point is named by its row in the input.
  ///   - checkpoint: called before each zoom; throwing ends the work.
  /// - Complexity: O(n + pairs of symbols in neighbouring cells of a symbol's width), for each zoom
  ///   from `clusterMaxZoom` up.
  package func pyramid(
    of input: ClusterInput, zooms: ClosedRange<Int>, threads: Int = 1,
    radius: (_ zoom: Int, _ count: Int, _ row: Int) throws -> Double, checkpoint: () throws -> Void
  ) throws -> ClusterPyramid {
    let points = OrderedPoints(input, threads: threads)
    var bubbles = Bubbles(points)
    var levels: [ClusterLevel] = []
    for zoom in stride(from: options.maxZoom, through: zooms.lowerBound, by: -1) {
      try checkpoint()
      let world = Double(options.tileSize) * Double(1 << zoom)
      try bubbles.join(zoom: zoom, world: world, gap: options.gap) { total in
        try radius(zoom, Int(total.count), Int(points.indices[Int(total.start)]))
      }
      if zoom <= zooms.upperBound { levels.append(bubbles.level(zoom: zoom, of: points)) }
    }
    return ClusterPyramid(
      zooms: zooms, clusterMaxZoom: options.maxZoom, clustered: levels.reversed(),
      points: zooms.upperBound > options.maxZoom ? .points(points, zoom: zooms.upperBound) : nil,
      tables: bubbles.aggregations.map(\.table))
  }
}

/// The items of one zoom, in Z-order of their first points.
private struct Bubbles {
  /// An item: a point or a cluster.
  private struct Item {
    /// The points; ``CellTotal/start`` is the place of the first one in Z-order.
    var total: CellTotal
    var position: WorldPoint

    /// The first deeper zoom at which it is several items; 0 for a point.
    var expansionZoom: UInt8
  }

  private var items: [Item]

  /// The accumulated values of the items, a list per aggregate.
  private var aggregates: [[AggregateValue]]

  init(_ points: OrderedPoints) {
    items = points.positions.indices.map { place in
      Item(
        total: CellTotal(
          key: 0, start: UInt32(truncatingIfNeeded: place), position: points.positions[place],
          longitude: points.longitudes[place], latitude: points.latitudes[place]),
        position: points.positions[place], expansionZoom: 0)
    }
    aggregates = points.columns.indices.map { column in
      points.positions.indices.map { points.value(column, of: UInt32(truncatingIfNeeded: $0)) }
    }
    aggregations = points.columns.map { Aggregation($0) }
    members = points.columns.contains { $0.isGathered } ? points.indices.map { [$0] } : []
  }

  private(set) var aggregations: [Aggregation]

  /// The input indices of the points of each item; empty if no aggregate takes all values at once.
  private var members: [[UInt32]]

  /// Joins items until no two of them touch.
  mutating func join(
    zoom: Int, world: Double, gap: Double, radius: (CellTotal) throws -> Double
  ) throws {
    let radii = try items.map { try radius($0.total) }
    let middle = radii.reduce(0, +) / Double(max(radii.count, 1))
    var field = BubbleField(side: max(2 * middle + gap, 1), world: world, capacity: items.count)
    for (item, radius) in zip(items, radii) { field.insert(item.position, radius: radius) }
    var isLive = [Bool](repeating: true, count: items.count)
    var pending = Array(items.indices)
    while !pending.isEmpty {
      // Symbols usually grow with their counts; ties are in Z-order.
      pending.sort { left, right in
        (field.radii[right], items[left].total.start) < (
          field.radii[left], items[right].total.start
        )
      }
      var grown: [Int] = []
      for index in pending where isLive[index] {
        let touched = field.touching(index, gap: gap)
        guard !touched.isEmpty else { continue }
        let group = (touched + [index]).sorted { items[$0].total.start < items[$1].total.start }
        for member in group {
          isLive[member] = false
          field.remove(member)
        }
        let joined = add(group, zoom: zoom)
        field.insert(joined.position, radius: try radius(joined.total))
        isLive.append(true)
        grown.append(items.count - 1)
      }
      pending = grown
    }
    keep(isLive)
  }

  /// Appends the cluster of some items, which are in Z-order of their first points.
  private mutating func add(_ group: [Int], zoom: Int) -> Item {
    var joined = items[group[0]]
    for member in group.dropFirst() { joined.total.add(items[member].total) }
    joined.position = joined.total.position(joined.total.mean)
    joined.expansionZoom = UInt8(truncatingIfNeeded: zoom + 1)
    items.append(joined)
    if !members.isEmpty { members.append(group.flatMap { members[$0] }) }
    for column in aggregations.indices {
      let values = group.map { aggregates[column][$0] }
      aggregates[column].append(
        aggregations[column].value(of: values, members: members.last ?? []))
    }
    return joined
  }

  /// Drops the items that were taken in, and restores the order.
  private mutating func keep(_ isLive: [Bool]) {
    let order = items.indices.filter { isLive[$0] }.sorted {
      items[$0].total.start < items[$1].total.start
    }
    items = order.map { items[$0] }
    if !members.isEmpty { members = order.map { members[$0] } }
    for column in aggregates.indices {
      let values = aggregates[column]
      aggregates[column] = order.map { values[$0] }
    }
  }

  /// Returns the level of the zoom.
  ///
  /// The id of a cluster consists of the place of its first point, but for some units of 0.01 m, and
  /// of the zoom.
  func level(zoom: Int, of points: OrderedPoints) -> ClusterLevel {
    let scratch = points.positions.scratch
    var level = ClusterLevel(zoom: zoom, count: items.count, in: scratch) { columns in
      for (place, item) in items.enumerated() {
        let first = Int(item.total.start)
        columns.setPoint(
          index: points.indices[first], position: item.position,
          longitude: points.longitudes[first], latitude: points.latitudes[first], at: place)
        guard item.total.count > 1 else { continue }
        let mean = item.total.mean
        columns.longitudes[place] = mean.longitude
        columns.latitudes[place] = mean.latitude
        columns.counts[place] = item.total.count
        columns.boxes[place] = item.total.box
        columns.expansionZooms[place] = item.expansionZoom
        columns.ids[place] =
          MortonCode(points.positions[first]).rawValue & ~31 | UInt64(truncatingIfNeeded: zoom)
      }
    }
    level.aggregates = aggregates.map { Column($0, in: scratch) }
    return level
  }
}

/// Discs in square cells, found by a hash of the cell.
private struct BubbleField {
  /// The radius of each disc, by its number.
  private(set) var radii: [Double] = []

  private var places: [SIMD2<Double>] = []
  private let side: Double
  private let world: Double
  private var largest = 0.0

  /// The first disc of each cell and the next one of each disc; −1 for none.
  private var heads: [Int32]
  private var nexts: [Int32] = []

  /// - Parameters:
  ///   - side: the width of a cell in pixels.
  ///   - world: the width of the world in pixels.
  init(side: Double, world: Double, capacity: Int) {
    self.side = side
    self.world = world
    var size = 1024
    while size < capacity { size *= 2 }
    heads = Array(repeating: -1, count: size)
    radii.reserveCapacity(capacity)
    places.reserveCapacity(capacity)
    nexts.reserveCapacity(capacity)
  }

  private func bucket(_ column: Int, _ row: Int) -> Int {
    let hash = (UInt64(column) &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(row) &* 0xC2B2_AE3D_27D4_EB4F)
    return Int(truncatingIfNeeded: hash >> 32) & (heads.count - 1)
  }

  private func bucket(of place: SIMD2<Double>) -> Int {
    bucket(Int(place.x / side), Int(place.y / side))
  }

  /// Adds a disc under the next number.
  mutating func insert(_ position: WorldPoint, radius: Double) {
    let place = SIMD2(Double(position.x), Double(position.y)) * (world / 0x1p32)
    let bucket = bucket(of: place)
    nexts.append(heads[bucket])
    heads[bucket] = Int32(truncatingIfNeeded: places.count)
    places.append(place)
    radii.append(radius)
    largest = max(largest, radius)
  }

  mutating func remove(_ number: Int) {
    let bucket = bucket(of: places[number])
    let next = nexts[number]
    if heads[bucket] == Int32(number) {
      heads[bucket] = next
      return
    }
    var disc = Int(heads[bucket])
    while disc >= 0, nexts[disc] != Int32(number) { disc = Int(nexts[disc]) }
    if disc >= 0 { nexts[disc] = next }
  }

  /// Returns the other discs that come nearer to one than the gap.
  func touching(_ number: Int, gap: Double) -> [Int] {
    let (place, radius) = (places[number], radii[number])
    let reach = radius + largest + gap
    func cells(_ middle: Double) -> ClosedRange<Int> {
      Int(max(middle - reach, 0) / side)...Int(min(middle + reach, world) / side)
    }
    var found: [Int] = []
    for row in cells(place.y) {
      for column in cells(place.x) {
        var disc = Int(heads[bucket(column, row)])
        while disc >= 0 {
          let away = places[disc] - place
          let room = radii[disc] + radius + gap
          if (away * away).sum() < room * room, disc != number { found.append(disc) }
          disc = Int(nexts[disc])
        }
      }
    }
    // Two cells may share a bucket.
    return found.count > 1 ? Array(Set(found)) : found
  }
}
