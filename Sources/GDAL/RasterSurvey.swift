/// A survey of the place of an image in Web Mercator: of its outline, of its inside, and of the world
/// around it.
///
/// GDAL's own suggestion of an extent is not enough: it examines 21 positions of each side, does
/// not see a pole within the image or a whole turn of longitudes, and its pixels, all of one size,
/// need not end where the image does.
struct RasterSurvey {
  private let transform: PixelTransform

  /// Width and height of the image in pixels.
  private let size: SIMD2<Double>

  /// The metres of positions on the four sides, clockwise.
  private let sides: [[SIMD2<Double>?]]

  /// The metres of a lattice over the image, row by row.
  private let inside: [SIMD2<Double>?]

  /// The positions of a lattice over the world at which the image shows something.
  private let shown: [SIMD2<Double>]

  private static let sideSteps = 1024
  private static let insideSteps = 32

  /// The steps of a lattice over the world, or a box: 2.8° eastward, half a sector of a ``WorldSeam``.
  private static let worldSteps = 128

  init(_ transform: PixelTransform, width: Int, height: Int) throws {
    self.transform = transform
    let size = SIMD2(Double(width), Double(height))
    self.size = size
    let corners = [SIMD2(0, 0), SIMD2(size.x, 0), size, SIMD2(0, size.y), SIMD2(0, 0)]
    let outline = zip(corners, corners.dropFirst()).flatMap { first, last in
      (0...Self.sideSteps).map { step in
        first + (last - first) * (Double(step) / Double(Self.sideSteps))
      }
    }
    let answers = try transform.metres(
      of: outline + PositionBox(low: SIMD2(0, 0), high: size).lattice(steps: Self.insideSteps))
    let count = Self.sideSteps + 1
    sides = (0..<4).map { Array(answers[$0 * count..<($0 + 1) * count]) }
    inside = Array(answers[(4 * count)...])
    shown = try Self.shown(in: .world, transform, size)
  }

  /// Returns the positions of a lattice over a box at which the image shows something.
  private static func shown(
    in box: PositionBox, _ transform: PixelTransform, _ size: SIMD2<Double>
  ) throws -> [SIMD2<Double>] {
    let lattice = box.lattice(steps: worldSteps)
    // A millionth of a pixel is rounding.
    let image = PositionBox(low: SIMD2(0, 0), high: size).padded(by: SIMD2(repeating: 1e-6))
    return zip(lattice, try transform.pixels(at: lattice)).compactMap { place, pixel in
      guard let pixel, image.contains(pixel) else { return nil }
      return place
    }
  }

  /// Returns the box of everything that the image shows on the map, rounded outward; empty if it
  /// shows nothing.
  func box() throws -> PositionBox {
    let known = visible + shown
    guard !known.isEmpty else { return .empty }
    let seam = WorldSeam(of: known)
    var box = outlineBox(seam)
    for position in known { box.add(seam.counted(position)) }
    if sides.joined().contains(where: { $0 == nil }) { box = try refined(box, seam) }
    switch seam {
    case .none: box = box.widenedToTheWorld()
    case .at: box = box.inFirstTurn()
    case .continuous: break
    }
    return box.onTheMap()
  }

  /// The positions of the sides and the inside that lie on the map.
  private var visible: [SIMD2<Double>] {
    (sides.joined() + inside).compactMap { $0.flatMap { Self.isOnTheMap($0) ? $0 : nil } }
  }

  private static func isOnTheMap(_ position: SIMD2<Double>) -> Bool {
    abs(position.y) <= PositionBox.world.high.y * (1 + 1e-9)
  }

  /// Returns the box of the sides as far as they lie on the map, including the curve between the
  /// known positions.
  private func outlineBox(_ seam: WorldSeam) -> PositionBox {
    var box = PositionBox.empty
    for side in sides {
      for (index, position) in side.enumerated() {
        guard let position, Self.isOnTheMap(position) else { continue }
        let middle = seam.counted(position)
        box.add(middle)
        let first = index > 0 ? side[index - 1].map(seam.counted) : nil
        let last = index + 1 < side.count ? side[index + 1].map(seam.counted) : nil
        // A side leaves the map somewhere between two positions.
        for neighbor in [first, last] { if let neighbor { box.add(neighbor) } }
        if let first, let last { box.add(curve: first, middle, last) }
      }
    }
    return box
  }

  /// Returns the box of an image whose sides lie partly where its projection is undefined, such as
  /// the corners of a picture of the whole Earth disc. It is found by lattices, each over the box
  /// of the one before, and is too wide by at most one step of the last lattice, less than a
  /// hundredth of its size.
  private func refined(_ known: PositionBox, _ seam: WorldSeam) throws -> PositionBox {
    let steps = Double(Self.worldSteps)
    var box = known.padded(by: PositionBox.world.size / steps).onTheMap()
    for _ in 0..<6 {
      var next = known
      for position in try Self.shown(in: box, transform, size) { next.add(position) }
      let step = box.size / steps
      next = next.padded(by: step)
      let isSettled = all(step .<= next.size / (steps / 2))
      box = next.onTheMap()
      if isSettled { break }
    }
    return box
  }

  /// The width in metres of the image's pixels on the map: the 10th percentile; `nil` if none is
  /// known.
  ///
  /// The smallest pixel will not do: toward the antipode of an azimuthal projection pixels shrink
  /// without limit.
  var metresPerPixel: Double? {
    let count = Self.insideSteps + 1
    let step = size / Double(Self.insideSteps)
    let width = PositionBox.world.size.x
    var widths: [Double] = []
    for row in 0..<Self.insideSteps {
      for column in 0..<Self.insideSteps {
        let index = row * count + column
        guard let corner = inside[index], let right = inside[index + 1],
          let below = inside[index + count],
          [corner, right, below].allSatisfy(Self.isOnTheMap)
        else { continue }
        func edge(to other: SIMD2<Double>) -> SIMD2<Double> {
          SIMD2((other.x - corner.x).remainder(dividingBy: width), other.y - corner.y)
        }
        let (across, down) = (edge(to: right) / step.x, edge(to: below) / step.y)
        let area = abs(across.x * down.y - across.y * down.x)
        if area > 0, area.isFinite { widths.append(area.squareRoot()) }
      }
    }
    guard !widths.isEmpty else { return nil }
    return widths.sorted()[widths.count / 10]
  }
}
