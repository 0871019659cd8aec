#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Classes of intensity of rain, and the colours that show them.
struct RainScale {
  /// The least mm/h of each class from 1 up.
  let thresholds: [Double]

  /// Dry and transparent, then from light to heavy rain.
  let palette: [SIMD4<UInt8>]

  /// Seven classes as on a radar picture.
  static let classes = RainScale(
    thresholds: [0.25, 0.75, 1.5, 3, 6, 12, 24],
    palette: [
      .init(0, 0, 0, 0), .init(166, 206, 240, 255), .init(92, 156, 220, 255),
      .init(38, 98, 186, 255), .init(56, 168, 92, 255), .init(244, 214, 70, 255),
      .init(238, 130, 40, 255), .init(204, 36, 58, 255),
    ])

  /// Sixty steps without a visible edge, each 9 % more than the one before: pale blue that fades in,
  /// then blue, violet and orange. Readers without red or green cones tell its colours apart.
  static let fine: RainScale = {
    let steps = 60
    let thresholds = (0..<steps).map { 0.12 * exp2(Double($0) / 8) }
    let palette = (0..<steps).map { color(at: Double($0) / Double(steps - 1)) }
    return RainScale(thresholds: thresholds, palette: [.zero] + palette)
  }()

  /// Red, green, blue and alpha at shares of the fine scale.
  private static let stops: [(share: Double, color: SIMD4<Double>)] = [
    (0, .init(178, 214, 236, 0)), (0.12, .init(160, 205, 234, 130)),
    (0.3, .init(92, 160, 214, 215)),
    (0.47, .init(42, 104, 180, 240)), (0.6, .init(54, 58, 142, 250)),
    (0.72, .init(126, 40, 130, 255)),
    (0.84, .init(214, 66, 92, 255)), (0.93, .init(248, 152, 58, 255)),
    (1, .init(255, 226, 120, 255)),
  ]

  private static func color(at share: Double) -> SIMD4<UInt8> {
    let upper = stops.firstIndex { $0.share >= share } ?? stops.count - 1
    let (from, to) = (stops[max(0, upper - 1)], stops[upper])
    let way = to.share > from.share ? (share - from.share) / (to.share - from.share) : 0
    let color = from.color + (to.color - from.color) * way
    return SIMD4<UInt8>(color.rounded(.toNearestOrEven))
  }
}
