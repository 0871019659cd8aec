/// Outlines that are written as texts of corners, and drawn out to coasts.
enum Coast {
  /// Parses positions `longitude,latitude` that are divided by spaces or line breaks.
  static func positions(_ text: String) -> [(Double, Double)] {
    text.split { $0 == " " || $0 == "\n" }.compactMap { pair in
      let numbers = pair.split(separator: ",").compactMap { Double($0) }
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
  }

  /// Breaks the sides of a ring by midpoint displacement (Fournier, Fussell and Carpenter 1982), so
  /// that it looks like a coast.
  ///
  /// - Parameters:
  ///   - levels: how often each side is halved.
  ///   - roughness: the largest displacement, as a share of a side.
  static func broken(
    _ ring: [(Double, Double)], levels: Int, roughness: Double, random: inout RandomNumbers
  ) -> [(Double, Double)] {
    var ring = ring
    for _ in 0..<levels {
      var finer: [(Double, Double)] = []
      finer.reserveCapacity(ring.count * 2)
      for (index, corner) in ring.enumerated() {
        let next = ring[(index + 1) % ring.count]
        let (east, north) = (next.0 - corner.0, next.1 - corner.1)
        let shift = (random.unit() * 2 - 1) * roughness
        finer.append(corner)
        finer.append(
          ((corner.0 + next.0) / 2 - north * shift, (corner.1 + next.1) / 2 + east * shift))
      }
      ring = finer
    }
    return ring
  }

  /// Rounds the turns of a line by a Catmull-Rom spline through its corners.
  ///
  /// - Parameter steps: how many parts each side gets.
  static func smooth(_ line: [(Double, Double)], steps: Int = 12) -> [(Double, Double)] {
    guard let first = line.first, let last = line.last, line.count > 2 else { return line }
    return spline([first] + line + [last], steps: steps) + [last]
  }

  /// Rounds the turns of a ring, whose first corner is not there again at its end.
  static func smoothRing(_ ring: [(Double, Double)], steps: Int) -> [(Double, Double)] {
    spline(ring.suffix(1) + ring + ring.prefix(2), steps: steps)
  }

  /// Moves each corner of a ring towards its neighbours.
  static func averaged(_ ring: [(Double, Double)], rounds: Int) -> [(Double, Double)] {
    var ring = ring
    for _ in 0..<rounds {
      let rough = ring
      for (index, b) in rough.enumerated() {
        let a = rough[(index + rough.count - 1) % rough.count]
        let c = rough[(index + 1) % rough.count]
        ring[index] = ((a.0 + 2 * b.0 + c.0) / 4, (a.1 + 2 * b.1 + c.1) / 4)
      }
    }
    return ring
  }

  /// The points from the second corner to the last but one.
  private static func spline(_ corners: [(Double, Double)], steps: Int) -> [(Double, Double)] {
    var points: [(Double, Double)] = []
    for index in 1..<(corners.count - 2) {
      let (a, b) = (corners[index - 1], corners[index])
      let (c, d) = (corners[index + 1], corners[index + 2])
      for step in 0..<steps {
        let t = Double(step) / Double(steps)
        func between(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
          let cubic = (3 * b - a - 3 * c + d) * t * t * t
          return (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + cubic) / 2
        }
        points.append((between(a.0, b.0, c.0, d.0), between(a.1, b.1, c.1, d.1)))
      }
    }
    return points
  }

  /// Whether a place is in a ring.
  static func contains(_ ring: [(Double, Double)], _ place: (Double, Double)) -> Bool {
    crossings(of: ring, at: place.1).count { $0 > place.0 } % 2 == 1
  }

  /// The longitudes at which a parallel crosses a ring, from west to east: it is in the ring between
  /// the first and the second, the third and the fourth, and so on.
  static func crossings(of ring: [(Double, Double)], at latitude: Double) -> [Double] {
    guard var previous = ring.last else { return [] }
    var crossings: [Double] = []
    for corner in ring {
      if (corner.1 > latitude) != (previous.1 > latitude) {
        crossings.append(
          (previous.0 - corner.0) * (latitude - corner.1) / (previous.1 - corner.1) + corner.0)
      }
      previous = corner
    }
    return crossings.sorted()
  }
}
