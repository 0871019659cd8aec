import Foundation

/// A sprite of three icons and three patterns: discs with a white sail, house or mountain, and
/// dots, hatching and waves.
struct SpriteSample {
  /// Pixels per style pixel.
  let density: Int

  /// The names in the order of the sheet, each in a square of ``side`` style pixels.
  static let names = ["harbour", "inn", "peak", "forest", "farmland", "marsh"]
  static let side = 20

  private static let colors: [SIMD3<Double>] = [
    .init(29, 78, 137), .init(194, 87, 26), .init(74, 107, 58), .init(59, 110, 66),
    .init(178, 134, 44), .init(52, 120, 150),
  ]

  /// The number of steps between no and full coverage.
  private static let steps = 15

  /// The number of samples along a side of a pixel.
  private static let samples = 6

  /// Transparent; then for each name its colour from faint to opaque, and from there to white.
  static let palette: [SIMD4<UInt8>] =
    [.zero]
    + colors.flatMap { color in
      (1...steps).map { SIMD4(byte(color.x), byte(color.y), byte(color.z), UInt8($0 * 17)) }
        + (1...steps).map { step in
          let mixed = color + (SIMD3(repeating: 255) - color) * (Double(step) / Double(steps))
          return SIMD4(byte(mixed.x), byte(mixed.y), byte(mixed.z), 255)
        }
    }

  private static func byte(_ value: Double) -> UInt8 { UInt8(value.rounded()) }

  func image() -> PaletteImage {
    let side = Self.side * density
    var indices: [UInt8] = []
    for y in 0..<side {
      for number in Self.names.indices {
        for x in 0..<side { indices.append(index(number, x, y)) }
      }
    }
    return PaletteImage(
      width: side * Self.names.count, height: side, palette: Self.palette, indices: indices)
  }

  /// The index of the sheet, as MapLibre has it.
  static func index(density: Int) -> String {
    let side = side * density
    let entries = names.enumerated().map { number, name in
      "  \"\(name)\": {\"x\": \(number * side), \"y\": 0, \"width\": \(side), \"height\": \(side), "
        + "\"pixelRatio\": \(density)}"
    }
    return "{\n\(entries.joined(separator: ",\n"))\n}\n"
  }

  /// Returns the place of a pixel's colour in the palette, by the shares of the shape and of what is
  /// white in it.
  private func index(_ number: Int, _ x: Int, _ y: Int) -> UInt8 {
    var (shape, white) = (0, 0)
    for row in 0..<Self.samples {
      for column in 0..<Self.samples {
        let u = (Double(x) + (Double(column) + 0.5) / Double(Self.samples)) / Double(density)
        let v = (Double(y) + (Double(row) + 0.5) / Double(Self.samples)) / Double(density)
        guard Self.isShape(number, u, v) else { continue }
        shape += 1
        if number < 3, Self.isWhite(number, u, v) { white += 1 }
      }
    }
    let all = Self.samples * Self.samples
    let base = 2 * Self.steps * number
    if white > 0, shape == all {
      return UInt8(base + Self.steps + (white * Self.steps + all - 1) / all)
    }
    let step = (shape * Self.steps + all / 2) / all
    return step == 0 ? 0 : UInt8(base + step)
  }

  private static func isShape(_ number: Int, _ x: Double, _ y: Double) -> Bool {
    switch number {
    case 0...2: return hypot(x - 10, y - 10) < 9.2
    case 3:
      // Two dots in a square, offset like bricks, so that the pattern repeats without a seam.
      return hypot(x - 5, y - 5) < 2.1 || hypot(x - 15, y - 15) < 2.1
    case 4: return (x + y).truncatingRemainder(dividingBy: 10) < 1.6
    default:
      let wave = 1.5 * sin(x / 20 * 2 * .pi)
      let distance = (y - wave + 20).truncatingRemainder(dividingBy: 10)
      return abs(distance - 5) < 0.8
    }
  }

  private static func isWhite(_ number: Int, _ x: Double, _ y: Double) -> Bool {
    switch number {
    case 0:
      let sail = x > 9.2 && x < 14 && y > 4.5 && y < 12 && (x - 9.2) < (y - 4.5) * 0.64
      return sail || (y > 12.8 && y < 15 && abs(x - 10) < 5.5 - (y - 12.8))
        || (x > 7.8 && x < 8.8 && y > 4 && y < 13)
    case 1:
      return (y > 9.5 && y < 14.6 && abs(x - 10) < 4 && !(abs(x - 10) < 1.1 && y > 11.4))
        || (y > 5 && y <= 9.5 && abs(x - 10) < (y - 5) * 1.25)
    default: return y > 5.2 && y < 14.4 && abs(x - 10) < (y - 5.2) * 0.62
    }
  }
}
