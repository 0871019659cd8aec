import Platform
package import Raster
package import Tiling

/// Meridians and parallels behind a picture of a box of the world, for orientation without a map.
package struct Graticule: Hashable, Sendable {
  /// The box of the picture in degrees; west > east where it crosses the antimeridian.
  package let bounds: GeoBounds

  /// Whether the picture's rows are evenly spaced in Mercator rather than in latitude.
  package let isMercator: Bool

  /// The possible spacings in degrees, from wide to narrow.
  private static let steps = [
    45, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001,
  ]

  /// Maximum number of lines in one direction.
  private static let maxLines = 10.0

  package init(bounds: GeoBounds, isMercator: Bool = true) {
    self.bounds = bounds
    self.isMercator = isMercator
  }

  /// The degrees from west to east, 0 … 360; 0 for an invalid box.
  private var longitudes: Double {
    let span =
      bounds.crossesAntimeridian ? bounds.east - bounds.west + 360 : bounds.east - bounds.west
    return span > 0 && span <= 720 ? span : 0
  }

  /// The degrees between the lines of both directions; `nil` where the box has no extent.
  package var step: Double? {
    let latitudes = bounds.north - bounds.south
    let widest = max(longitudes, latitudes)
    guard longitudes > 0, latitudes > 0, abs(bounds.west) <= 720, latitudes <= 180 else {
      return nil
    }
    return Self.steps.last { widest / $0 <= Self.maxLines }
  }

  /// Returns the pixel columns of the meridians in a picture `width` pixels wide, ascending.
  package func columns(width: Int) -> [Int] {
    guard let step else { return [] }
    return Self.multiples(of: step, from: bounds.west, to: bounds.west + longitudes).map {
      degrees in
      Self.pixel((degrees - bounds.west) / longitudes, of: width)
    }
  }

  /// Returns the pixel rows of the parallels in a picture `height` pixels high, from the top.
  package func rows(height: Int) -> [Int] {
    guard let step else { return [] }
    let (top, bottom) = (position(bounds.north), position(bounds.south))
    guard bottom > top else { return [] }
    return Self.multiples(of: step, from: bounds.south, to: bounds.north).reversed().map {
      degrees in
      Self.pixel((position(degrees) - top) / (bottom - top), of: height)
    }
  }

  private static func multiples(of step: Double, from: Double, to: Double) -> [Double] {
    let (first, last) = (Int((from / step).rounded(.up)), Int((to / step).rounded(.down)))
    guard first <= last else { return [] }
    return (first...last).map { Double($0) * step }
  }

  private static func pixel(_ fraction: Double, of size: Int) -> Int {
    min(max(Int((fraction * Double(size)).rounded(.down)), 0), size - 1)
  }

  /// Returns the vertical position of a latitude; in Mercator y = −asinh(tan φ).
  private func position(_ latitude: Double) -> Double {
    guard isMercator else { return -latitude }
    let held = min(max(latitude, -WorldPoint.maxLatitude), WorldPoint.maxLatitude)
    return -asinh(tan(held * .pi / 180))
  }

  /// Returns a picture of background and lines alone.
  package func picture(width: Int, height: Int) -> Pixmap {
    let picture = Pixmap(width: width, height: height)
    draw(into: picture, x: 0, y: 0, width: width, height: height, SheetColors())
    return picture
  }

  /// Draws the background and lines of 1 pixel over a part of a picture, which must lie inside it.
  ///
  /// - Complexity: O(pixels of the part).
  func draw(into sheet: Pixmap, x: Int, y: Int, width: Int, height: Int, _ colors: SheetColors) {
    for row in y..<(y + height) {
      for column in x..<(x + width) { sheet[column, row] = colors.paper }
    }
    for column in columns(width: width) {
      for row in 0..<height { sheet[x + column, y + row] = colors.line }
    }
    for row in rows(height: height) {
      for column in 0..<width { sheet[x + column, y + row] = colors.line }
    }
  }
}
