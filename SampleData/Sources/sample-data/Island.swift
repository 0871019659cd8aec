import Foundation

/// An island whose coast is a few waves around its middle, bent by noise, so that each place of it has
/// an angle and a share of the way to the coast.
struct Island {
  let longitude: Double
  let latitude: Double

  /// The mean radius, in degrees of latitude.
  let radius: Double

  /// The amplitude and phase of each harmonic of the coast, the first first.
  private let waves: [(amplitude: Double, phase: Double)]

  private let noise: RainNoise

  /// A degree of latitude, in degrees of longitude at 46.5° N.
  private static let stretch = 1.45

  init(longitude: Double, latitude: Double, radius: Double, random: inout RandomNumbers) {
    self.longitude = longitude
    self.latitude = latitude
    self.radius = radius
    waves = (1...7).map { number in
      (0.3 * random.unit() / Double(number).squareRoot(), random.unit() * 2 * .pi)
    }
    noise = RainNoise(seed: random.next())
  }

  /// The coast, without the first corner again.
  var coast: [(Double, Double)] {
    let corners = radius > 0.3 ? 540 : 240
    let ring = (0..<corners).map { place(Double($0) / Double(corners) * 2 * .pi) }
    // Where the noise folds the coast, spikes of some corners would stand out.
    return Coast.averaged(ring, rounds: 40)
  }

  /// Returns the place at a share of the way from the middle to the coast.
  func place(_ angle: Double, _ share: Double = 1) -> (Double, Double) {
    let reach = self.reach(angle) * share
    let (x, y) = (reach * cos(angle), reach * sin(angle))
    let bend = bend(x, y)
    return (longitude + (x + bend.x) * radius * Self.stretch, latitude + (y + bend.y) * radius)
  }

  /// Returns an angle and a share of the way from the middle to the coast that ``place(_:_:)`` leads
  /// from to a place; the share is above 1 at sea.
  func origin(of place: (Double, Double)) -> (angle: Double, share: Double) {
    let east = (place.0 - longitude) / Self.stretch / radius
    let north = (place.1 - latitude) / radius
    var (x, y) = (east, north)
    // The bend is so smooth that its inverse is a fixed point, which damped steps reach.
    for _ in 0..<16 {
      let bend = bend(x, y)
      let (right, up) = (east - bend.x - x, north - bend.y - y)
      if abs(right) < 0.004, abs(up) < 0.004 { break }
      (x, y) = (x + 0.7 * right, y + 0.7 * up)
    }
    let angle = atan2(y, x)
    return (angle, (x * x + y * y).squareRoot() / reach(angle))
  }

  /// In mean radii.
  private func reach(_ angle: Double) -> Double {
    var swell = 1.0
    for (number, wave) in waves.enumerated() {
      swell += wave.amplitude * cos(Double(number + 1) * angle + wave.phase)
    }
    return max(0.3, swell)
  }

  /// The way that noise moves a place, in mean radii as the place.
  private func bend(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    func moved(_ plane: Double) -> Double {
      0.62 * (noise.value(x + 20, y + 20, plane, scale: 1.9) - 0.5)
        + 0.07 * (noise.value(x + 40, y + 20, plane, scale: 9) - 0.5)
    }
    return (moved(0), moved(60))
  }
}
