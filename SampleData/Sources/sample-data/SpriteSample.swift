import Foundation

/// A sprite of three icons and three patterns: discs with a white anchor, bed or mountain in a white
/// ring, and trees, furrows and tufts of reed.
struct SpriteSample {
  /// Pixels per style pixel.
  let density: Int

  /// The names in the order of the sheet, each in a square of ``side`` style pixels.
  static let names = ["harbour", "inn", "peak", "forest", "farmland", "marsh"]
  static let side = 24
  private static let icons = 3

  private static let colors: [SIMD3<Double>] = [
    .init(31, 92, 148), .init(178, 84, 38), .init(84, 96, 82), .init(121, 164, 112),
    .init(214, 190, 136), .init(104, 160, 182),
  ]

  /// The number of steps between no and full coverage.
  private static let steps = 15

  /// The number of samples along a side of a pixel.
  private static let samples = 6

  /// Transparent, then white from faint to opaque; then for each name its colour from faint to
  /// opaque, and from there to white.
  static let palette: [SIMD4<UInt8>] = {
    var palette: [SIMD4<UInt8>] = [.zero]
    palette += (1...steps).map { SIMD4(255, 255, 255, UInt8($0 * 17)) }
    for color in colors {
      palette += (1...steps).map { SIMD4(bytes(color), UInt8($0 * 17)) }
      palette += (1...steps).map { step in
        let white = Double(step) / Double(steps)
        return SIMD4(bytes(color + (SIMD3(repeating: 255) - color) * white), 255)
      }
    }
    return palette
  }()

  private static func bytes(_ color: SIMD3<Double>) -> SIMD3<UInt8> {
    SIMD3<UInt8>(color.rounded(.toNearestOrEven))
  }

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
        if number < Self.icons, Self.isWhite(number, u, v) { white += 1 }
      }
    }
    let all = Self.samples * Self.samples
    func step(_ part: Int, of whole: Int) -> Int { (part * Self.steps + whole / 2) / whole }
    // An icon ends in its white ring.
    if shape < all, number < Self.icons { return UInt8(step(shape, of: all)) }
    let base = Self.steps * (1 + 2 * number)
    if white > 0 { return UInt8(base + Self.steps + step(white, of: all)) }
    return shape == 0 ? 0 : UInt8(base + max(1, step(shape, of: all)))
  }

  // MARK: Shapes, in style pixels

  private static func isShape(_ number: Int, _ x: Double, _ y: Double) -> Bool {
    switch number {
    case 0..<icons: return hypot(x - 12, y - 12) < 11
    case 3: return stands(isTree, at: trees, x, y)
    case 4: return (x + y).truncatingRemainder(dividingBy: 6) < 0.7
    default: return stands(isReed, at: tufts, x, y)
    }
  }

  private static let trees: [(Double, Double)] = [
    (4, 4.5), (13.5, 2.5), (20, 9.5), (9, 11.5), (3, 18.5), (15.5, 17.5),
  ]
  private static let tufts: [(Double, Double)] = [(5, 4), (17.5, 8.5), (8, 15), (20, 20)]

  /// Whether one of several equal shapes covers a place. Beyond an edge the square repeats, so that
  /// a pattern has no seam.
  private static func stands(
    _ shape: (Double, Double) -> Bool, at places: [(Double, Double)], _ x: Double, _ y: Double
  ) -> Bool {
    let side = Double(side)
    func nearest(_ distance: Double) -> Double {
      (distance + 1.5 * side).truncatingRemainder(dividingBy: side) - side / 2
    }
    return places.contains { shape(nearest(x - $0.0), nearest(y - $0.1)) }
  }

  /// A crown on a trunk.
  private static func isTree(_ x: Double, _ y: Double) -> Bool {
    hypot(x, y + 0.9) < 2.1 || (abs(x) < 0.4 && y > 0 && y < 2.9)
  }

  /// Three blades over a line of water.
  private static func isReed(_ x: Double, _ y: Double) -> Bool {
    if y > 1.3 && y < 1.95 { return abs(x) < 3.3 }
    guard y > -2.2, y <= 1.3 else { return false }
    let rise = (1.3 - y) / 3.5
    return abs(x) < 0.36 || (rise < 0.75 && abs(abs(x) - 0.9 - 1.4 * rise) < 0.36)
  }

  private static func isWhite(_ number: Int, _ x: Double, _ y: Double) -> Bool {
    if hypot(x - 12, y - 12) > 9.6 { return true }
    switch number {
    case 0: return isAnchor(x - 12, y - 12)
    case 1: return isBed(x - 12, y - 12)
    default: return isMountain(x - 12, y - 12)
    }
  }

  /// A ring, a stock, a shank, and two arms on a bow.
  private static func isAnchor(_ x: Double, _ y: Double) -> Bool {
    let ring = hypot(x, y + 4.9)
    if ring < 1.75 { return ring > 0.75 }
    if abs(x) < 0.75 && y > -3.4 && y < 5.4 { return true }
    if abs(y + 1.9) < 0.65 && abs(x) < 2.9 { return true }
    let bow = hypot(x, y - 0.2)
    if bow > 4.5 && bow < 6 && y > 0.9 { return true }
    // The flukes.
    let (u, v) = (abs(x) - 5.25, y - 0.4)
    return v > -1.3 && v < 1.3 && abs(u) < (v + 1.3) * 0.75
  }

  /// A bedstead with a pillow.
  private static func isBed(_ x: Double, _ y: Double) -> Bool {
    if abs(x + 5.4) < 0.75 && y > -4 && y < 4.4 { return true }
    if abs(x - 5.4) < 0.75 && y > 0 && y < 4.4 { return true }
    if y > 0.9 && y < 2.7 && abs(x) < 6.1 { return true }
    if hypot(x + 2.9, y + 1) < 1.5 { return true }
    return x > -0.7 && x < 6.1 && y > -2.2 && y < 0.3
      && !(x > 4.6 && y < -0.7 && hypot(x - 4.6, y + 0.7) > 1.5)
  }

  /// Two summits, the higher with its snow cut off by a dark line.
  private static func isMountain(_ x: Double, _ y: Double) -> Bool {
    guard y < 4.3 else { return false }
    let high = y > -5.4 && abs(x + 1.2) < (y + 5.4) * 0.62
    let low = y > -1.6 && abs(x - 3.4) < (y + 1.6) * 0.62
    let isNotch = abs(y + 1.7 - 0.9 * abs((x + 1.2).truncatingRemainder(dividingBy: 2) - 0)) < 0.45
    return (high && !isNotch) || (low && !high)
  }
}
