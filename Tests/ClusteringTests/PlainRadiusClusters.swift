import Clustering
import Columns
import Foundation
import Tiling

/// Clusters by radius in the plainest form of supercluster's algorithm: one tree, one search and one
/// node at a time. Every rounding and the order of everything are those of the original.
struct PlainRadiusClusters {
  struct Node: Equatable {
    var x: Double
    var y: Double
    var count: Int
    var id: UInt64
  }

  let options: RadiusOptions
  let featureCount: Int
  private(set) var nodes: [Node]

  init(_ input: ClusterInput, _ options: RadiusOptions) {
    self.options = options
    featureCount = input.featureCount
    nodes = (0..<input.count).map { index in
      let sine = sin(input.latitudes[index] * Double.pi / 180)
      let y = 0.5 - 0.25 * log((1 + sine) / (1 - sine)) / Double.pi
      return Node(
        x: Double(Float(input.longitudes[index] / 360 + 0.5)),
        y: Double(Float(y < 0 ? 0 : y > 1 ? 1 : y)), count: 1, id: UInt64(index))
    }
  }

  /// Replaces the nodes by those of a zoom, the next above.
  mutating func cluster(zoom: Int) {
    let radius = options.radius / (Double(options.tileSize) * Double(1 << zoom))
    let tree = PlainTree(nodes.map { (Float($0.x), Float($0.y)) })
    var isUsed = Array(repeating: false, count: nodes.count)
    var next: [Node] = []
    for (index, origin) in nodes.enumerated() where !isUsed[index] {
      isUsed[index] = true
      let near = tree.items(within: radius, x: origin.x, y: origin.y).filter { !isUsed[$0] }
      for other in near { isUsed[other] = true }
      let count = near.reduce(origin.count) { $0 + nodes[$1].count }
      guard !near.isEmpty, count >= options.minPoints else {
        next += [origin] + near.map { nodes[$0] }
        continue
      }
      var sum = (x: origin.x * Double(origin.count), y: origin.y * Double(origin.count))
      for other in near {
        sum.x += nodes[other].x * Double(nodes[other].count)
        sum.y += nodes[other].y * Double(nodes[other].count)
      }
      next.append(
        Node(
          x: sum.x / Double(count), y: sum.y / Double(count), count: count,
          id: UInt64(index << 5 + zoom + 1 + featureCount)))
    }
    nodes = next
  }
}

/// The k-d tree of kdbush with leaves of 64, in its plainest form.
struct PlainTree {
  private(set) var items: [(x: Float, y: Float, index: Int)]

  /// Creates items in the order given.
  init(unsorted places: [(Float, Float)]) {
    items = places.enumerated().map { ($1.0, $1.1, $0) }
  }

  init(_ places: [(Float, Float)]) {
    self.init(unsorted: places)
    sort(0, items.count - 1, axis: 0)
  }

  private func coordinate(_ place: Int, _ axis: Int) -> Float {
    axis == 0 ? items[place].x : items[place].y
  }

  private mutating func sort(_ left: Int, _ right: Int, axis: Int) {
    guard right - left > 64 else { return }
    let middle = (left + right) / 2
    select(middle, left, right, axis)
    sort(left, middle - 1, axis: 1 - axis)
    sort(middle + 1, right, axis: 1 - axis)
  }

  /// Selects by the algorithm of Floyd and Rivest with one exchange after the other.
  mutating func select(_ rank: Int, _ left: Int, _ right: Int, _ axis: Int) {
    var (left, right) = (left, right)
    while right > left {
      if right - left > 600 {
        let count = Double(right - left + 1)
        let place = Double(rank - left + 1)
        let logarithm = log(count)
        let size = 0.5 * exp(2 * logarithm / 3)
        let spread =
          0.5 * sqrt(logarithm * size * (count - size) / count) * (place - count / 2 < 0 ? -1 : 1)
        let low = floor(Double(rank) - place * size / count + spread)
        let high = floor(Double(rank) + (count - place) * size / count + spread)
        select(rank, max(left, Int(low)), min(right, Int(high)), axis)
      }
      let pivot = coordinate(rank, axis)
      var (low, high) = (left, right)
      items.swapAt(left, rank)
      if coordinate(right, axis) > pivot { items.swapAt(left, right) }
      while low < high {
        items.swapAt(low, high)
        low += 1
        high -= 1
        while coordinate(low, axis) < pivot { low += 1 }
        while coordinate(high, axis) > pivot { high -= 1 }
      }
      if coordinate(left, axis) == pivot {
        items.swapAt(left, high)
      } else {
        high += 1
        items.swapAt(high, right)
      }
      if high <= rank { left = high + 1 }
      if rank <= high { right = high - 1 }
    }
  }

  /// Returns the items in a circle, in the order in which kdbush finds them.
  func items(within radius: Double, x: Double, y: Double) -> [Int] {
    var found: [Int] = []
    func take(_ place: Int) {
      let dx = Double(items[place].x) - x
      let dy = Double(items[place].y) - y
      if dx * dx + dy * dy <= radius * radius { found.append(items[place].index) }
    }
    func search(_ left: Int, _ right: Int, axis: Int) {
      guard right - left > 64 else {
        for place in stride(from: left, through: right, by: 1) { take(place) }
        return
      }
      let middle = (left + right) / 2
      take(middle)
      let (center, split) = (axis == 0 ? x : y, Double(coordinate(middle, axis)))
      if center + radius >= split { search(middle + 1, right, axis: 1 - axis) }
      if center - radius <= split { search(left, middle - 1, axis: 1 - axis) }
    }
    search(0, items.count - 1, axis: 0)
    return found
  }
}
