import Features
import Tiling

/// A geometry without member geometries, as every output format writes it.
enum SimpleGeometry {
  case point(LngLat)
  case line(Range<Int>)
  /// Rings as ranges of positions, the outer one first.
  case polygon([Range<Int>])
}

extension GeometryColumn {
  /// Returns the points, lines and polygons of a record, in order; positions are ranges of
  /// ``positions``.
  ///
  /// - Complexity: O(parts).
  func members(of record: Int) -> [SimpleGeometry] {
    var members: [SimpleGeometry] = []
    var rings: [Range<Int>] = []
    for part in partRange(record) {
      let range = positionRange(part)
      if parts[part] != .innerRing, !rings.isEmpty {
        members.append(.polygon(rings))
        rings.removeAll()
      }
      switch parts[part] {
      case .point: members.append(.point(positions[range.lowerBound]))
      case .line: members.append(.line(range))
      case .outerRing, .innerRing: rings.append(range)
      }
    }
    if !rings.isEmpty { members.append(.polygon(rings)) }
    return members
  }

  /// Calls `body` with the positions of a ring, the first one again at the end, outer rings
  /// counterclockwise and holes clockwise (RFC 7946, 3.1.6).
  ///
  /// - Complexity: O(positions).
  func forEachPosition(ofRing range: Range<Int>, isOuter: Bool, _ body: (LngLat) -> Void) {
    let ring = positions[range]
    guard let first = ring.first, let last = ring.last else { return }
    let isClosed = ring.count > 1 && first == last
    let area = ring.doubledArea
    if (area < 0) == isOuter, area != 0 {
      if !isClosed { body(first) }
      for position in ring.reversed() { body(position) }
    } else {
      for position in ring { body(position) }
      if !isClosed { body(first) }
    }
  }

  /// Returns the number of positions that ``forEachPosition(ofRing:isOuter:_:)`` passes.
  func closedCount(ofRing range: Range<Int>) -> Int {
    let isClosed = range.count > 1 && positions[range.lowerBound] == positions[range.upperBound - 1]
    return range.count + (isClosed ? 0 : 1)
  }
}

extension RandomAccessCollection where Element == LngLat, Index == Int {
  /// The doubled area of the ring in square degrees, positive if it runs counterclockwise.
  ///
  /// The shoelace formula, about the first position so that far rings lose no digits.
  fileprivate var doubledArea: Double {
    guard let origin = first else { return 0 }
    var sum = 0.0
    var before = origin
    for position in self {
      sum +=
        (before.longitude - origin.longitude) * (position.latitude - origin.latitude)
        - (position.longitude - origin.longitude) * (before.latitude - origin.latitude)
      before = position
    }
    return sum
  }
}
