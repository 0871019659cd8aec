/// The relief of a terrain as a picture: tints by height, shaded by light from the north-west,
/// transparent at sea.
struct ReliefSample {
  let terrain: Terrain

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
        let lit =
          light < 1 ? tint * light : tint + (SIMD3(repeating: 255) - tint) * (light - 1) * 2
        // Shadows are a little blue.
        let cool = lit + SIMD3<Double>(-6, 0, 14) * max(0, 1 - light)
        return SIMD4(
          SIMD3<UInt8>(cool.clamped(lowerBound: .zero, upperBound: .init(repeating: 255))), 255)
      }
    }

  func image() -> PaletteImage {
    let (width, height) = (Terrain.width, Terrain.height)
    let heights = terrain.heights
    var indices = [UInt8](repeating: 0, count: width * height)
    for y in 2..<(height - 2) {
      for x in 2..<(width - 2) {
        let at = y * width + x
        // A strip along the coast stays free, which is finer than a pixel.
        guard heights[at] > 0, heights[at - 2] > 0, heights[at + 2] > 0,
          heights[at - 2 * width] > 0, heights[at + 2 * width] > 0
        else { continue }
        let slope =
          heights[at + 1] - heights[at - 1] + heights[at + width] - heights[at - width]
        let light = min(1, max(0, 0.62 - slope * 5.5))
        let tint = min(Self.tints.count - 1, Int(heights[at] * Double(Self.tints.count) * 1.02))
        indices[at] = UInt8(
          1 + tint * Self.shades + Int((light * Double(Self.shades - 1)).rounded()))
      }
    }
    return PaletteImage(width: width, height: height, palette: Self.palette, indices: indices)
  }
}
