import Platform

/// The six numbers of a world file (`.pgw`, `.jgw`): an affine map from pixels to coordinates.
///
/// x = A · column + B · row + C and y = D · column + E · row + F, where column and row 0 are the
/// *centre* of the top left pixel. The lines of the file are A, D, B, E, C, F (Esri, World files).
package struct WorldFile: Hashable, Sendable {
  /// Width of the Web Mercator square in metres, 2π · 6378137.
  static let worldMetres = 40_075_016.685_578_488

  let columnStep: PlanePoint
  let rowStep: PlanePoint
  package let firstCentre: PlanePoint

  /// - Throws: ``OverlayError`` unless the text is six finite numbers, one per line.
  package init(_ text: some StringProtocol) throws {
    let lines = text.split(whereSeparator: \.isWhitespace)
    let numbers = lines.compactMap { Double(String($0)) }
    guard lines.count == 6, numbers.count == 6, numbers.allSatisfy(\.isFinite) else {
      throw OverlayError(
        .badPlacement, "a world file has six lines with a number each; this one has not.")
    }
    columnStep = PlanePoint(x: numbers[0], y: numbers[1])
    rowStep = PlanePoint(x: numbers[2], y: numbers[3])
    firstCentre = PlanePoint(x: numbers[4], y: numbers[5])
  }

  /// The reference system of a world file, guessed from its numbers, since the file does not name
  /// it.
  package enum System: Sendable {
    /// Longitudes and latitudes: in metres such an image would be a speck in the Gulf of Guinea.
    case degrees

    /// Metres of Web Mercator: its pixels are as wide as those of a zoom, or it lies where no
    /// other common system has such coordinates.
    case webMercator

    /// Metres of a system that only the user knows: coordinates of UTM zones and national grids
    /// are valid in Web Mercator, too.
    case unknown
  }

  /// Returns the reference system of an image of a size.
  package func system(width: Int, height: Int) -> System {
    let corners = corners(width: width, height: height)
    if corners.allSatisfy({ abs($0.x) <= 360 && abs($0.y) <= 90.001 }) { return .degrees }
    guard isWithinTheWorld(corners) else { return .unknown }
    // False eastings keep the numbers of other systems positive, and continents within 5,000 km.
    return hasPixelsOfAZoom || corners.allSatisfy { $0.x < -5_000_000 } ? .webMercator : .unknown
  }

  /// Whether the corners of an image lie in the square of Web Mercator, or less than a pixel
  /// outside of it.
  package func mayBeWebMercator(width: Int, height: Int) -> Bool {
    isWithinTheWorld(corners(width: width, height: height))
  }

  private func isWithinTheWorld(_ corners: [PlanePoint]) -> Bool {
    let pixel = max(abs(columnStep.x), abs(columnStep.y), abs(rowStep.x), abs(rowStep.y))
    let limit = Self.worldMetres / 2 + pixel
    return corners.allSatisfy { abs($0.x) <= limit && abs($0.y) <= limit }
  }

  /// Whether the pixels are as wide as those of a zoom of tiles.
  private var hasPixelsOfAZoom: Bool {
    guard columnStep.y == 0, rowStep.x == 0, columnStep.x > 0,
      abs(columnStep.x + rowStep.y) <= columnStep.x * 1e-6
    else { return false }
    let zoom = log2(Self.worldMetres / 256 / columnStep.x)
    return abs(zoom - zoom.rounded()) < 1e-5 && (-2...24).contains(zoom.rounded())
  }

  /// Returns the image's corners in the file's coordinates: top left, top right, bottom right,
  /// bottom left.
  func corners(width: Int, height: Int) -> [PlanePoint] {
    let left = -0.5
    let top = -0.5
    let (right, bottom) = (Double(width) - 0.5, Double(height) - 0.5)
    return [(left, top), (right, top), (right, bottom), (left, bottom)].map { column, row in
      PlanePoint(
        x: firstCentre.x + columnStep.x * column + rowStep.x * row,
        y: firstCentre.y + columnStep.y * column + rowStep.y * row)
    }
  }
}
