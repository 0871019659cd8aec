/// Showers and a band of rain that move, grow and die: intensity as a function of place and time.
///
/// Only sums, products, quotients and floors are used, which IEEE 754 rounds alike everywhere, so
/// that the pictures are the same on every machine.
struct RainField {
  /// A shower: a bump that drifts with the wind.
  private struct Cell {
    /// Centre at time 0, in widths of the picture; y downward.
    var x: Double
    var y: Double

    /// Half of its extent along the wind, in widths of the picture.
    var radius: Double

    /// Highest intensity, mm/h.
    var peak: Double

    /// When it is strongest and for how long before and after it is there, in frames.
    var prime: Double
    var life: Double
  }

  /// Widths of the picture per frame: 17° of longitude wide, some 60 km/h to the east-north-east.
  private static let wind = (x: 0.0125, y: -0.0045)

  private let cells: [Cell]
  private let noise: RainNoise

  /// - Parameter seed: another one makes other weather.
  init(seed: UInt64) {
    var random = RandomNumbers(seed: seed)
    var cells: [Cell] = []
    // A front from the south-west to the north: a core of heavy rain and a wide light one.
    for index in 0..<34 {
      let along = Double(index) / 33
      let bend = 0.10 * along * (1 - along)
      let x = 0.06 + 0.40 * along - bend + 0.05 * random.unit()
      let isCore = index % 2 == 0
      cells.append(
        Cell(
          x: isCore ? x : x + 0.05, y: 1.27 - 1.25 * along + 0.03 * random.unit(),
          radius: (isCore ? 0.03 : 0.085) + 0.04 * random.unit(),
          peak: isCore ? 5 + 12 * random.unit() : 1 + 2.5 * random.unit(),
          prime: 14 * random.unit() - 1, life: 16))
    }
    // Showers in swarms: over the western sea, and here and there ahead of the front.
    for _ in 0..<16 {
      let (x, y) = (-0.2 + 1.2 * random.unit(), -0.05 + 1.45 * random.unit())
      let prime = 14 * random.unit() - 1
      for _ in 0..<(4 + random.below(8)) {
        cells.append(
          Cell(
            x: x + 0.16 * (random.unit() - 0.5), y: y + 0.12 * (random.unit() - 0.5),
            radius: 0.012 + 0.03 * random.unit() * random.unit(),
            peak: 2 + 55 * random.unit() * random.unit() * random.unit(),
            prime: prime + 3 * random.unit(), life: 3 + 4 * random.unit()))
      }
    }
    self.cells = cells
    noise = RainNoise(seed: random.next())
  }

  /// Rows of intensities in mm/h at a time in frames.
  ///
  /// - Complexity: O(pixels + pixels of all cells).
  func intensities(width: Int, height: Int, frame: Double) -> [Double] {
    var field = [Double](repeating: 0, count: width * height)
    for cell in cells { add(cell, to: &field, width, height, frame) }
    for y in 0..<height {
      for x in 0..<width where field[y * width + x] > 0 {
        let (u, v) = air(x, y, width, frame)
        let grain = noise.value(u, v, frame, scale: 26)
        field[y * width + x] *= max(0, 3.2 * grain - 0.8)
      }
    }
    return field
  }

  /// A pixel's place in the air, which moves with the wind, so that grain and bends belong to the
  /// rain and not to the ground.
  private func air(_ x: Int, _ y: Int, _ width: Int, _ frame: Double) -> (Double, Double) {
    let pixel = 1 / Double(width)
    return (Double(x) * pixel - Self.wind.x * frame, Double(y) * pixel - Self.wind.y * frame)
  }

  private func add(
    _ cell: Cell, to field: inout [Double], _ width: Int, _ height: Int, _ frame: Double
  ) {
    let age = (frame - cell.prime) / cell.life
    let strength = 1 - age * age
    guard strength > 0 else { return }
    let scale = Double(width)
    let radius = cell.radius * (0.6 + 0.4 * strength) * scale
    let centerX = (cell.x + Self.wind.x * frame) * scale
    let centerY = (cell.y + Self.wind.y * frame) * scale
    func held(_ position: Double, _ size: Int) -> Int { min(max(Int(position), 0), size) }
    // Bends reach half of `bend` at most.
    let bend = 0.7
    let reach = radius * (1 + bend / 2)
    let rows = held(centerY - reach, height)..<held(centerY + reach + 2, height)
    let columns = held(centerX - reach, width)..<held(centerX + reach + 2, width)
    for y in rows {
      for x in columns {
        var (dx, dy) = ((Double(x) + 0.5 - centerX) / radius, (Double(y) + 0.5 - centerY) / radius)
        guard dx * dx + dy * dy < (1 + bend) * (1 + bend) else { continue }
        // Bent by noise, a bump is no disc any more.
        let (u, v) = air(x, y, width, frame)
        let size = 0.6 / cell.radius
        dx += bend * (noise.value(u, v, frame, scale: size) - 0.5)
        dy += bend * (noise.value(v + 7, u - 3, frame, scale: size) - 0.5)
        let inside = 1 - dx * dx - dy * dy
        if inside > 0 { field[y * width + x] += cell.peak * strength * inside * inside }
      }
    }
  }
}

/// Smooth noise on three lattices, each twice as fine and half as strong (Perlin's fractal sum).
struct RainNoise {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// 0 … 1 at a place in widths of the picture; it changes wholly in six frames.
  ///
  /// - Parameter scale: how many points the widest lattice has in a width.
  func value(_ x: Double, _ y: Double, _ frame: Double, scale: Double) -> Double {
    var (sum, scale, weight) = (0.0, scale, 0.5)
    for _ in 0..<3 {
      sum += weight * smooth(x * scale, y * scale, frame / 6)
      (scale, weight) = (scale * 2, weight / 2)
    }
    return sum / 0.875
  }

  /// Between the eight corners around a place, by Hermite's 3t² − 2t³.
  private func smooth(_ x: Double, _ y: Double, _ z: Double) -> Double {
    let (left, top, front) = (x.rounded(.down), y.rounded(.down), z.rounded(.down))
    func eased(_ t: Double) -> Double { t * t * (3 - 2 * t) }
    let (u, v, w) = (eased(x - left), eased(y - top), eased(z - front))
    func corner(_ i: Int, _ j: Int, _ k: Int) -> Double {
      lattice(Int(left) + i, Int(top) + j, Int(front) + k)
    }
    func between(_ one: Double, _ other: Double, _ share: Double) -> Double {
      one + (other - one) * share
    }
    func plane(_ k: Int) -> Double {
      between(
        between(corner(0, 0, k), corner(1, 0, k), u), between(corner(0, 1, k), corner(1, 1, k), u),
        v)
    }
    return between(plane(0), plane(1), w)
  }

  /// A number of 0 ..< 1 that belongs to a point of the lattice.
  private func lattice(_ x: Int, _ y: Int, _ z: Int) -> Double {
    // No array of the three: this runs some ten million times a frame.
    var state = mixed(seed, x)
    state = mixed(mixed(state, y), z)
    state = (state ^ (state >> 32)) &* 0xBF58_476D_1CE4_E5B9
    return Double((state ^ (state >> 31)) >> 11) * 0x1p-53
  }

  private func mixed(_ state: UInt64, _ part: Int) -> UInt64 {
    let next = (state ^ UInt64(bitPattern: Int64(part))) &* 0x9E37_79B9_7F4A_7C15
    return next ^ next >> 29
  }
}
