import Features

/// A part of the grid of pixels of a zoom, in Web Mercator. It consists of whole pixels, so that
/// warped pixels are exactly those that tiles of this zoom show.
package struct RasterGrid: Hashable, Codable, Sendable {
  /// The zoom whose 256-pixel tiles have these pixels.
  package let zoom: Int

  /// The pixels, counted from the west and from the north edge of the world; columns of an image
  /// across the antimeridian lie partly beyond its other edge.
  package let columns: Range<Int>
  package let rows: Range<Int>

  /// Web Mercator in the arguments of GDAL's programs.
  static let system = "EPSG:3857"

  /// The width of the Web Mercator square in metres.
  static let worldMetres = 40_075_016.685_578_488

  /// The most pixels of an image, of four bytes in a temporary file.
  private static let pixelLimit = 4_000_000_000

  /// The most pixels of a side.
  private static let sideLimit = 1 << 20

  /// - Parameters:
  ///   - box: the box of the image, no wider than the world.
  ///   - metresPerPixel: the width of its pixels.
  ///   - finest: the zoom whose pixels are the finest that can be seen.
  /// - Throws: ``SourceError`` if no part of the image is on the map, or if it has too many
  ///   pixels.
  init(
    _ box: PositionBox, metresPerPixel: Double, finest: Int, file: String
  ) throws(SourceError) {
    func fault(_ message: String) -> SourceError {
      SourceError(code: .badData, file: file, message: message)
    }
    guard !box.isEmpty else {
      throw fault("lies beyond the map, which ends at 85.0511° north and south")
    }
    var zoom = 0
    // A millionth of a pixel is rounding.
    while zoom < finest, Self.metres(zoom) > metresPerPixel * (1 + 1e-6) { zoom += 1 }
    let metres = Self.metres(zoom)
    let half = Self.worldMetres / 2
    let last = 256 << zoom
    // A thousandth of a pixel is rounding.
    func pixels(_ low: Double, _ high: Double) -> Range<Int> {
      let first = Int((low / metres + 1e-3).rounded(.down))
      return first..<max(Int((high / metres - 1e-3).rounded(.up)), first + 1)
    }
    let across = pixels(box.low.x + half, box.high.x + half)
    self.zoom = zoom
    columns = across.count < last ? across : 0..<last
    let down = pixels(half - box.high.y, half - box.low.y)
    let top = min(max(down.lowerBound, 0), last - 1)
    rows = top..<min(max(down.upperBound, top + 1), last)
    guard columns.count <= Self.sideLimit, rows.count <= Self.sideLimit,
      columns.count * rows.count <= Self.pixelLimit
    else {
      throw fault(
        "has \(columns.count) × \(rows.count) pixels at zoom \(zoom), more than the limit of "
          + "\(Self.pixelLimit); set a lower maxzoom, or cut it with gdalwarp -te")
    }
  }

  /// The width of a pixel of a zoom in metres of EPSG:3857.
  private static func metres(_ zoom: Int) -> Double { worldMetres / Double(256 << zoom) }

  /// The edges in metres of EPSG:3857.
  package var metres: (west: Double, south: Double, east: Double, north: Double) {
    let (metres, half) = (Self.metres(zoom), Self.worldMetres / 2)
    return (
      Double(columns.lowerBound) * metres - half, half - Double(rows.upperBound) * metres,
      Double(columns.upperBound) * metres - half, half - Double(rows.lowerBound) * metres
    )
  }

  /// The arguments of `gdalwarp`.
  var arguments: [String] {
    let edges = metres
    return [
      "-t_srs", Self.system, "-te", "\(edges.west)", "\(edges.south)", "\(edges.east)",
      "\(edges.north)", "-ts",
      "\(columns.count)", "\(rows.count)",
    ]
  }
}
