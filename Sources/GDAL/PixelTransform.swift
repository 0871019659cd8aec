import Features

/// The conversion of positions between the pixels of an image and Web Mercator, by `gdaltransform`:
/// the one that `gdalwarp` uses.
///
/// Positions are columns and rows from the top left corner of the image, or metres of EPSG:3857.
struct PixelTransform {
  /// A run in the folder of the image.
  private var run: GDALRun

  /// The name of the image in that folder.
  private let image: String

  /// The name of the file with the positions.
  private static let input = "positions.txt"

  init(_ run: GDALRun, image: String) {
    self.run = run
    self.run.program = .gdaltransform
    self.image = image
  }

  /// Returns the metres of positions in the image; `nil` where the projection ends.
  func metres(of pixels: [SIMD2<Double>]) throws -> [SIMD2<Double>?] { try converted(pixels, []) }

  /// Returns the positions in the image's pixels, or beside the image, of positions in metres;
  /// `nil` where the image's system ends.
  func pixels(at metres: [SIMD2<Double>]) throws -> [SIMD2<Double>?] {
    try converted(metres, ["-i"])
  }

  private func converted(
    _ positions: [SIMD2<Double>], _ direction: [String]
  ) throws -> [SIMD2<Double>?] {
    try run.folder.write(
      positions.map { "\($0.x) \($0.y)\n" }.joined(), as: Self.input)
    let answer = try run.output(
      direction + ["-output_xy", "-t_srs", RasterGrid.system, image], input: Self.input)
    let lines = answer.split(separator: "\n")
    guard lines.count == positions.count else {
      throw SourceError(
        code: .badData, file: run.file,
        message: "cannot be placed: gdaltransform answered \(lines.count) of \(positions.count) "
          + "positions")
    }
    // The program answers with a sentence for a position that cannot be converted.
    return lines.map { line in
      let numbers = line.split(separator: " ").prefix(3).map { Double($0) ?? .nan }
      guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else { return nil }
      return SIMD2(numbers[0], numbers[1])
    }
  }
}
