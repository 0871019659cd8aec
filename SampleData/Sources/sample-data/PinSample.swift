import Foundation

/// A map pin as a picture: a red drop with a white hole, whose tip is the middle of the lower edge.
struct PinSample {
  /// Pixels per style pixel.
  let density: Int

  /// The size in style pixels.
  static let width = 22
  static let height = 30

  /// The number of steps between no and full coverage.
  private static let steps = 15

  /// The number of samples along a side of a pixel.
  private static let samples = 8

  /// Transparent, then red from faint to opaque, then from red to white.
  static let palette: [SIMD4<UInt8>] =
    [.zero] + (1...steps).map { .init(200, 38, 52, UInt8($0 * 17)) }
    + (1...steps).map { step in
      func mixed(_ red: Int) -> UInt8 { UInt8(red + (255 - red) * step / steps) }
      return .init(mixed(200), mixed(38), mixed(52), 255)
    }

  func image() -> PaletteImage {
    let (width, height) = (Self.width * density, Self.height * density)
    var indices: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { indices.append(index(x, y)) }
    }
    return PaletteImage(width: width, height: height, palette: Self.palette, indices: indices)
  }

  /// Writes `pin.png` and `pin@2x.png` into the folder of a file.
  static func write(to file: URL) throws {
    let stem = file.deletingPathExtension().lastPathComponent
    for density in [2, 1] {
      let name = "\(stem)\(density == 2 ? "@2x" : "").png"
      try Data(PinSample(density: density).image().png()).write(
        to: file.deletingLastPathComponent().appendingPathComponent(name), options: .atomic)
    }
  }

  /// Returns the place of a pixel's colour in the palette, by the shares of the pin and of its hole.
  private func index(_ x: Int, _ y: Int) -> UInt8 {
    var (pin, hole) = (0, 0)
    for row in 0..<Self.samples {
      for column in 0..<Self.samples {
        let u = (Double(x) + (Double(column) + 0.5) / Double(Self.samples)) / Double(density)
        let v = (Double(y) + (Double(row) + 0.5) / Double(Self.samples)) / Double(density)
        guard Self.isPin(u, v) else { continue }
        pin += 1
        if Self.distance(u, v) < 4 { hole += 1 }
      }
    }
    let all = Self.samples * Self.samples
    if hole > 0 { return UInt8(Self.steps + (hole * Self.steps + all - 1) / all) }
    return UInt8((pin * Self.steps + all / 2) / all)
  }

  /// The distance from the middle of the head, in style pixels.
  private static func distance(_ x: Double, _ y: Double) -> Double {
    let (dx, dy) = (x - 11, y - 11)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Whether a place lies in the head, or in the triangle that narrows to the tip.
  private static func isPin(_ x: Double, _ y: Double) -> Bool {
    if distance(x, y) < 10.5 { return true }
    return y > 15 && y < 30 && abs(x - 11) < 9.2 * (30 - y) / 15
  }
}
