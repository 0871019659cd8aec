import Foundation

/// The rivers of an island: from near its middle to the coast, with brooks that flow into them.
struct IslandRivers {
  /// A part of a river with the water that it carries.
  struct Reach {
    let flow: Int
    let line: [(Double, Double)]
  }

  /// A course: an angle for each share of the way to the coast.
  private struct Course {
    let start: Double
    let end: Double
    /// From the source to the mouth, at equal shares.
    let angles: [Double]

    func angle(at share: Double) -> Double {
      let position = (share - start) / (end - start) * Double(angles.count - 1)
      let index = min(max(Int(position), 0), angles.count - 2)
      return angles[index] + (angles[index + 1] - angles[index]) * (position - Double(index))
    }
  }

  private let island: Island

  private(set) var reaches: [Reach] = []

  /// The rivers from their sources to the sea, without the brooks.
  private(set) var courses: [[(Double, Double)]] = []

  init(of island: Island, random: inout RandomNumbers) {
    self.island = island
    let count = island.radius > 0.5 ? 5 : 4
    let first = random.unit() * 2 * .pi
    for number in 0..<count {
      let angle = first + (Double(number) + 0.35 * random.unit()) / Double(count) * 2 * .pi
      add(from: angle, room: .pi / Double(count), random: &random)
    }
  }

  private mutating func add(from angle: Double, room: Double, random: inout RandomNumbers) {
    let source = 0.14 + 0.16 * random.unit()
    let river = course(
      from: source, angle, to: 1, angle + (random.unit() - 0.5) * room, bends: 0.07, &random)
    courses.append(line(of: river, source...1))
    let brooks = 3 + Int(island.radius * 8)
    for number in 0..<brooks {
      let join = 0.4 + 0.5 * (Double(number) + 0.7 * random.unit()) / Double(brooks)
      let side = number % 2 == 0 ? 1.0 : -1.0
      let spring = max(0.12, join - 0.26 - 0.24 * random.unit())
      let mouth = river.angle(at: join)
      let way = side * room * (0.3 + 0.4 * random.unit())
      append(
        course(from: spring, mouth + way, to: join, mouth, bends: 0.04, &random), flow: 2, to: 3)
    }
    append(river, flow: 3, to: 12 + 4 * brooks)
  }

  /// A course that turns evenly and meanders, not at its end.
  ///
  /// - Parameter bends: how far it meanders, in radians.
  private func course(
    from start: Double, _ source: Double, to end: Double, _ mouth: Double, bends: Double,
    _ random: inout RandomNumbers
  ) -> Course {
    let steps = 60
    let waves = (0..<4).map { number in
      (
        amplitude: bends * (0.4 + 0.6 * random.unit()) / Double(number + 1),
        phase: random.unit() * 2 * .pi
      )
    }
    return Course(
      start: start, end: end,
      angles: (0...steps).map { step in
        let way = Double(step) / Double(steps)
        let meander = waves.enumerated().reduce(0.0) { sum, wave in
          let length = (end - start) * 9 * Double(wave.offset + 1)
          return sum + wave.element.amplitude * sin(way * length + wave.element.phase)
        }
        return source + (mouth - source) * way * way.squareRoot() + meander * min(1, 4 * (1 - way))
      })
  }

  private func line(of course: Course, _ shares: ClosedRange<Double>) -> [(Double, Double)] {
    let length = shares.upperBound - shares.lowerBound
    let steps = max(5, Int(length * island.radius * 200))
    return (0...steps).map { step in
      let share = shares.lowerBound + length * Double(step) / Double(steps)
      return island.place(course.angle(at: share), share)
    }
  }

  /// Appends a course in parts that carry more and more water.
  private mutating func append(_ course: Course, flow: Int, to mouth: Int) {
    let parts = max(1, min(10, (mouth - flow) / 3))
    let length = (course.end - course.start) / Double(parts)
    for part in 0..<parts {
      let start = course.start + Double(part) * length
      reaches.append(
        Reach(
          flow: flow + (mouth - flow) * part / max(1, parts - 1),
          line: line(of: course, start...(start + length))))
    }
  }
}
