import Baking
import Platform
import Tiling

/// A bar whose length is a round number of metres or kilometres on the ground.
struct ScaleBar: Hashable {
  /// The length in style pixels.
  let length: Double

  /// The length on the ground, such as `500 m`.
  let label: String

  /// The earth's circumference at the equator in metres, on the sphere of Web Mercator (EPSG:3857).
  private static let circumference = 2 * Double.pi * 6_378_137

  /// The longest bar in style pixels.
  private static let longest = 150.0

  /// Creates the longest bar of 1, 2 or 5 times a power of ten that fits into 150 px and a third of
  /// the map.
  ///
  /// Web Mercator stretches lengths by 1 / cos(latitude): the bar holds at the view's middle.
  init(_ view: MapView, tileSize: Int) {
    let equator = Self.circumference / (Double(tileSize) * exp2(view.zoom))
    let metresPerPixel = equator * cos(view.center.latitude * .pi / 180)
    let most = metresPerPixel * min(Self.longest, Double(view.width) / 3)
    let power = pow(10, log10(most).rounded(.down))
    let metres = ([5, 2].first { $0 * power <= most } ?? 1) * power
    length = metres / metresPerPixel
    label = metres >= 1000 ? "\(Self.number(metres / 1000)) km" : "\(Self.number(metres)) m"
  }

  private static func number(_ value: Double) -> String {
    Int(exactly: value.rounded()).flatMap { abs(Double($0) - value) < 1e-9 ? "\($0)" : nil }
      ?? "\((value * 1000).rounded() / 1000)"
  }

  /// Returns the sentence about a view where the bar is more than a tenth wrong at an edge.
  static func note(_ view: MapView, tileSize: Int) -> String? {
    let world = Double(tileSize) * exp2(view.zoom)
    let middle = asinh(tan(view.center.latitude * .pi / 180))
    let reach = Double(view.height) / world * .pi
    // Along a meridian of Web Mercator 1 / cos(latitude) is cosh(y).
    let edge = min(max(abs(middle + reach), abs(middle - reach)), .pi)
    let share = cosh(edge) / cosh(middle)
    guard share > 1.1 else { return nil }
    return "the scale bar holds at the middle of the view; at its edge lengths are drawn up to "
      + "\(Int(((share - 1) * 100).rounded())) % longer."
  }
}
