import Features

/// A part of the grid of pixels of a zoom, in Web Mercator: whole pixels, so that what is warped to
/// it is what the tiles of this zoom show.
package struct RasterGrid: Hashable, Sendable {
  /// The zoom whose 256-pixel tiles have these pixels.
  package let zoom: Int

  /// The pixels, counted from the west and from the north edge of the world.
  package let columns: Range<Int>
  package let rows: Range<Int>

  /// The width of the Web Mercator square in metres.
  private static let worldMetres = 40_075_016.685_578_488

  /// The most pixels of an image, of four bytes in a temporary file.
  private static let pixelLimit = 4_000_000_000

  /// The most pixels of a side.
  private static let sideLimit = 1 << 20

  /// - Parameters:
  ///   - transform: the affine map of the image in EPSG:3857, six numbers.
  ///   - size: its width and height in pixels.
  ///   - degreesPerPixel: the distance of pixels of an image in longitude and latitude. GDAL's own
  ///     pixels for one that reaches towards the poles, which Mercator stretches without end, are
  ///     several times as large.
  ///   - finest: the zoom beyond which nothing can be seen.
  /// - Throws: ``SourceError`` where nothing of it is on the map, or too much.
  init(
    transform: [Double], size: [Int], degreesPerPixel: Double?, finest: Int, file: String
  ) throws(SourceError) {
    func fault(_ message: String) -> SourceError {
      SourceError(code: .badData, file: file, message: message)
    }
    guard transform.count == 6, size.count == 2, transform.allSatisfy(\.isFinite),
      transform[1] > 0, transform[5] < 0
    else { throw fault("cannot be placed in Web Mercator") }
    let half = Self.worldMetres / 2
    let west = max(transform[0], -half)
    let east = min(transform[0] + transform[1] * Double(size[0]), half)
    let north = min(transform[3], half)
    let south = max(transform[3] + transform[5] * Double(size[1]), -half)
    guard west < east, south < north else {
      throw fault("lies beyond the map, which ends at 85.0511° north and south")
    }
    let native = min(
      transform[1], -transform[5],
      degreesPerPixel.map { $0 / 360 * Self.worldMetres } ?? .infinity)
    var zoom = 0
    while zoom < finest, Self.metres(zoom) > native * (1 + 1e-9) { zoom += 1 }
    let metres = Self.metres(zoom)
    let last = 256 << zoom
    // A thousandth of a pixel is rounding.
    func pixels(_ low: Double, _ high: Double) -> Range<Int> {
      let first = min(max(Int((low / metres + 1e-3).rounded(.down)), 0), last - 1)
      return first..<min(max(Int((high / metres - 1e-3).rounded(.up)), first + 1), last)
    }
    self.zoom = zoom
    columns = pixels(west + half, east + half)
    rows = pixels(half - north, half - south)
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
      "-te", "\(edges.west)", "\(edges.south)", "\(edges.east)", "\(edges.north)", "-ts",
      "\(columns.count)", "\(rows.count)",
    ]
  }
}
