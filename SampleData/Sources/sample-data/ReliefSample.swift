import Foundation

/// The relief of an archipelago as a picture: tints by height, shaded by light from the north-west,
/// transparent at sea.
///
/// Rows are even on the Mercator screen.
struct ReliefSample {
  let land: [Island]

  /// The courses of rivers, which lie in valleys.
  let courses: [[(Double, Double)]]

  /// The box in degrees.
  static let bounds = (west: -33.0, south: 44.0, east: -23.0, north: 49.0)
  private static let size = (width: 1_000, height: 732)

  private static let shades = 18
  private static let tints: [SIMD3<Double>] = [
    .init(170, 196, 150), .init(188, 206, 158), .init(208, 215, 168), .init(224, 219, 176),
    .init(228, 211, 170), .init(222, 198, 160), .init(212, 184, 152), .init(206, 180, 158),
    .init(212, 194, 178), .init(224, 212, 202), .init(236, 230, 224), .init(246, 244, 242),
  ]

  private static let palette: [SIMD4<UInt8>] =
    [.zero]
    + tints.flatMap { tint in
      (0..<shades).map { shade in
        let light = 0.42 + 0.75 * Double(shade) / Double(shades - 1)
        let lit = light < 1 ? tint * light : tint + (SIMD3(repeating: 255) - tint) * (light - 1) * 2
        // Shadows are a little blue.
        let cool = SIMD3<Double>(-6, 0, 14) * max(0, 1 - light)
        let bytes = SIMD3<UInt8>(
          (lit + cool).clamped(lowerBound: .zero, upperBound: .init(repeating: 255)))
        return SIMD4(bytes, 255)
      }
    }

  private let noise = RainNoise(seed: 1_865)

  func image() -> PaletteImage {
    let (width, height) = Self.size
    let latitudes = Self.latitudes
    let degree = (Self.bounds.east - Self.bounds.west) / Double(width)
    var heights = [Double](repeating: 0, count: width * height)
    for island in land { raise(island, in: &heights, latitudes, degree) }
    carve(&heights, latitudes, degree)
    var indices = [UInt8](repeating: 0, count: width * height)
    for y in 1..<(height - 1) {
      for x in 1..<(width - 1) where heights[y * width + x] > 0 {
        let at = y * width + x
        let slope = heights[at + 1] - heights[at - 1] + heights[at + width] - heights[at - width]
        let light = min(1, max(0, 0.62 - slope * 5.5))
        let tint = min(Double(Self.tints.count - 1), heights[at] * Double(Self.tints.count) * 1.02)
        let shade = Int((light * Double(Self.shades - 1)).rounded())
        indices[at] = UInt8(1 + Int(tint) * Self.shades + shade)
      }
    }
    return PaletteImage(width: width, height: height, palette: Self.palette, indices: indices)
  }

  /// The latitude of the middle of each row.
  private static let latitudes: [Double] = {
    func mercator(_ latitude: Double) -> Double { log(tan(.pi / 4 + latitude * .pi / 360)) }
    let (north, south) = (mercator(bounds.north), mercator(bounds.south))
    return (0..<size.height).map { row in
      let y = north + (south - north) * (Double(row) + 0.5) / Double(size.height)
      return (2 * atan(exp(y)) - .pi / 2) * 180 / .pi
    }
  }()

  /// Raises an island to 0 … 1, the larger the higher, with ridges.
  private func raise(
    _ island: Island, in heights: inout [Double], _ latitudes: [Double], _ degree: Double
  ) {
    let width = Self.size.width
    let peak = min(1, 0.35 + island.radius * 1.05)
    let coast = island.coast
    for (y, latitude) in latitudes.enumerated() {
      let crossings = Coast.crossings(of: coast, at: latitude)
      for x in 0..<width where !crossings.isEmpty {
        let longitude = Self.bounds.west + (Double(x) + 0.5) * degree
        guard crossings.count(where: { $0 > longitude }) % 2 == 1 else { continue }
        let share = island.origin(of: (longitude, latitude)).share
        // A strip along the coast stays free, which is finer than a pixel.
        guard share < 0.975 else { continue }
        let (u, v) = (longitude * 0.69, latitude)
        let grain = noise.value(u + 50, v, 0, scale: 2.6)
        let fine = noise.value(u + 90, v, 0, scale: 9)
        let ridge = 1 - abs(2 * grain - 1) * 1.6
        let dome = 1 - share * share
        heights[y * width + x] = max(
          0.004, peak * dome.squareRoot() * (0.14 + dome * (0.62 * max(0, ridge) + 0.3 * fine)))
      }
    }
  }

  /// Cuts valleys along the rivers, wider and shallower toward the coast.
  private func carve(_ heights: inout [Double], _ latitudes: [Double], _ degree: Double) {
    let (width, height) = Self.size
    var nearest = [Double](repeating: .infinity, count: width * height)
    let reach = 12
    var last = (column: -1, row: -1)
    for course in courses {
      for (longitude, latitude) in Coast.smooth(course, steps: 5) {
        let column = Int((longitude - Self.bounds.west) / degree)
        guard let row = latitudes.firstIndex(where: { $0 <= latitude }), (column, row) != last
        else { continue }
        last = (column, row)
        for y in max(0, row - reach)...min(height - 1, row + reach) {
          for x in max(0, column - reach)...min(width - 1, column + reach) {
            let distance = Double((x - column) * (x - column) + (y - row) * (y - row))
            if distance < nearest[y * width + x] { nearest[y * width + x] = distance }
          }
        }
      }
    }
    for at in heights.indices where nearest[at].isFinite && heights[at] > 0 {
      let depth = exp(-nearest[at].squareRoot() / 4)
      heights[at] = max(0.004, heights[at] * (1 - 0.5 * depth))
    }
  }
}
