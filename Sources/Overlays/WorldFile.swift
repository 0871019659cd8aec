/// The six numbers of a world file (`.pgw`, `.jgw`): an affine map from pixels to coordinates.
///
/// x = A · column + B · row + C and y = D · column + E · row + F, where column and row 0 are the
/// *centre* of the top left pixel. The lines of the file are A, D, B, E, C, F (Esri, World files).
package struct WorldFile: Hashable, Sendable {
  /// Width of the Web Mercator square in metres, 2π · 6378137.
  static let worldMetres = 40_075_016.685_578_488

  let columnStep: PlanePoint
  let rowStep: PlanePoint
  let firstCentre: PlanePoint

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

  /// Whether the corners of an image are longitudes and latitudes rather than metres, judging by
  /// their range: in metres of Web Mercator such an image would be a speck in the Gulf of Guinea.
  package func isInDegrees(width: Int, height: Int) -> Bool {
    corners(width: width, height: height).allSatisfy { abs($0.x) <= 360 && abs($0.y) <= 90.001 }
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
