/// The tables of ``StrokeProfile``, created on demand.
struct StrokeProfileCache: ~Copyable {
  /// The number of tables beyond which all are recreated: styles with a width per feature have
  /// many, about 7 kB each.
  private static let capacity = 256

  /// Maximum number of steps of a table; very wide fades have fewer than 256 per pixel.
  private static let maxSteps = 4096.0

  private struct Table {
    let bytes: UnsafeMutablePointer<UInt8>
    let scale: Double
    let count: Int
    let stride: Int
  }

  private var tables: [StrokeProfile.Shape: Table] = [:]

  init() {}

  deinit {
    for table in tables.values { table.bytes.deallocate() }
  }

  /// Drops all tables if there are too many, which invalidates profiles created before.
  mutating func trim() {
    guard tables.count > StrokeProfileCache.capacity else { return }
    for table in tables.values { table.bytes.deallocate() }
    tables.removeAll(keepingCapacity: true)
  }

  /// Returns the profile of a shape.
  ///
  /// - Complexity: O(steps of the table) the first time, 0.03 ms for a line.
  mutating func profile(_ shape: StrokeProfile.Shape) -> StrokeProfile {
    // A pixel's half diagonal is 0.71 px.
    switch shape {
    case .strip(let from, let to) where from <= -0.75 && to >= 0.75:
      // Only the outer side is visible: one table for all widths.
      let table = table(.strip(from: -4, to: 0.75), reach: 1.5)
      return profile(of: table, base: to - 0.75, reach: to + 0.75)
    case .strip(let from, let to) where from >= 0.75:
      // Nothing is covered up to the near side.
      let near = from - 0.75
      let table = table(.strip(from: 0.75, to: to - near), reach: to + 0.75 - near)
      return profile(of: table, base: near, reach: to + 0.75)
    case .strip(_, let to):
      let reach = max(to + 0.75, 0)
      return profile(of: table(shape, reach: reach), base: 0, reach: reach)
    case .fade(let center, let outset, let width):
      let reach = max(center + outset, 0)
      let plateau = center == 0 ? max(outset - width, 0) : 0
      let moved = StrokeProfile.Shape.fade(
        center: center, outset: outset - plateau, width: width)
      return profile(of: table(moved, reach: reach - plateau), base: plateau, reach: reach)
    case .disk(let radius) where radius >= 4:
      // The circle's curvature is not visible within a pixel.
      return profile(.strip(from: -4, to: radius))
    case .disk(let radius):
      return profile(of: table(shape, reach: radius + 0.75), base: 0, reach: radius + 0.75)
    }
  }

  private func profile(of table: Table, base: Double, reach: Double) -> StrokeProfile {
    StrokeProfile(
      reach: reach, base: base * 256, scale: table.scale, count: table.count,
      stride: table.stride, table: UnsafePointer(table.bytes))
  }

  private mutating func table(_ shape: StrokeProfile.Shape, reach: Double) -> Table {
    if let known = tables[shape] { return known }
    var steps = min((reach * 256).rounded(.up) + 1, StrokeProfileCache.maxSteps)
    if case .disk = shape { steps = min(steps, (reach * 64).rounded(.up) + 1) }
    steps = max(steps, 2)
    let count = Int(steps) + 1
    let isSloped = if case .fade = shape { false } else { true }
    let classes = isSloped ? Int(StrokeProfile.slopeSteps) + 1 : 1
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: count * classes)
    for slopeClass in 0..<classes {
      for step in 0..<count {
        // The last entry stands for everything beyond the reach.
        let distance = reach * Double(step) / (steps - 1)
        let covered =
          step == count - 1 ? 0 : StrokeProfileCache.coverage(shape, slopeClass, distance)
        (bytes + slopeClass * count + step).initialize(
          to: UInt8((min(max(covered, 0), 1) * 255).rounded()))
      }
    }
    let made = Table(
      bytes: bytes, scale: reach > 0 ? (steps - 1) / (reach * 256) : 0, count: count,
      stride: isSloped ? count : 0)
    tables[shape] = made
    return made
  }

  /// Returns the share of a pixel that is covered, 0 … 1.
  private static func coverage(
    _ shape: StrokeProfile.Shape, _ slopeClass: Int, _ distance: Double
  ) -> Double {
    let (a, b) = StrokeProfile.normal(slopeClass: slopeClass)
    switch shape {
    case .strip(let from, let to):
      return StrokeProfile.halfPlaneArea(to - distance, a, b)
        - StrokeProfile.halfPlaneArea(from - distance, a, b)
    case .fade(let center, let outset, let width):
      return (outset - (distance - center).magnitude) / width
    case .disk(let radius):
      return diskArea(radius: radius, x: distance * a, y: distance * b)
    }
  }

  /// Returns the area of the unit square about (`x`, `y`) within a circle about 0, by 32 slices.
  private static func diskArea(radius: Double, x: Double, y: Double) -> Double {
    var sum = 0.0
    for slice in 0..<32 {
      let height = y - 0.5 + (Double(slice) + 0.5) / 32
      let square = radius * radius - height * height
      guard square > 0 else { continue }
      let half = square.squareRoot()
      sum += max(min(x + 0.5, half) - max(x - 0.5, -half), 0)
    }
    return sum / 32
  }
}
