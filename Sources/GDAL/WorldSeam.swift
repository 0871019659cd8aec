/// The meridian from which the longitudes of an image are counted eastward, so that an image
/// across the antimeridian has its own width instead of the world's.
enum WorldSeam {
  /// x in metres of a meridian that the image does not touch.
  case at(Double)
  /// The image touches every meridian.
  case none
  /// The image's own longitudes continue beyond the antimeridian.
  case continuous

  /// The number of sectors of the world that are searched for positions, each 5.6° wide; a power
  /// of two.
  private static let sectors = 64

  /// - Parameter positions: the positions of an image, at least one in each sector that it touches.
  init(of positions: [SIMD2<Double>]) {
    let world = PositionBox.world
    // A metre is a rounding error.
    if positions.contains(where: { $0.x < world.low.x - 1 || $0.x > world.high.x + 1 }) {
      self = .continuous
      return
    }
    var isTouched = [Bool](repeating: false, count: Self.sectors)
    for position in positions {
      let share = (position.x - world.low.x) / world.size.x
      isTouched[Int((share * Double(Self.sectors)).rounded(.down)) & (Self.sectors - 1)] = true
    }
    var (longest, run) = (0..<0, 0)
    for index in 0..<2 * Self.sectors {
      run = isTouched[index % Self.sectors] ? 0 : run + 1
      if run > longest.count { longest = index + 1 - run..<index + 1 }
    }
    guard !longest.isEmpty, longest.count < Self.sectors else {
      self = .none
      return
    }
    let middle = Double(longest.lowerBound + longest.upperBound) / 2
    self = .at(world.low.x + middle / Double(Self.sectors) * world.size.x)
  }

  /// Returns a position counted from the seam.
  func counted(_ position: SIMD2<Double>) -> SIMD2<Double> {
    guard case .at(let start) = self else { return position }
    let width = PositionBox.world.size.x
    let turns = ((position.x - start) / width).rounded(.down)
    return SIMD2(position.x - turns * width, position.y)
  }
}
