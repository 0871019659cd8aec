import Features
import Foundation

/// The facts about an image that `gdalinfo -json` tells.
struct RasterProbe: Decodable {
  struct Band: Decodable {
    struct ColorTable: Decodable {
      let count: Int
    }

    /// The number, from 1.
    let band: Int

    /// The type of the values, such as `Byte` or `Float32`.
    let type: String

    let colorInterpretation: String?
    let colorTable: ColorTable?

    /// The unit of the values, such as `m`, and the band's name in words.
    let unit: String?
    let description: String?

    /// Texts by key, by domain.
    private let metadata: [String: Domain]?

    /// Returns the first text that the band has under one of some keys.
    func text(_ keys: [String]) -> String? {
      let texts = metadata?[""]?.texts ?? [:]
      return keys.lazy.compactMap { texts[$0] }.first { !$0.isEmpty }
    }

    /// The dimension of a NetCDF file along which the band is a step, such as `time`; `nil` without one.
    var dimension: String? {
      (metadata?[""]?.texts ?? [:]).keys.filter { $0.hasPrefix("NETCDF_DIM_") }.sorted().first
        .map { String($0.dropFirst("NETCDF_DIM_".count)) }
    }

    /// The place of the band along its dimension, as the file writes it; `nil` without one.
    var step: String? { dimension.flatMap { text(["NETCDF_DIM_\($0)"]) } }

    /// The least and the greatest value, if they were asked for.
    let computedMin: Double?
    let computedMax: Double?

    /// The mean and the standard deviation of the values, if they were asked for.
    let mean: Double?
    let stdDev: Double?
  }

  struct System: Decodable {
    let wkt: String?
  }

  let driverShortName: String

  /// Width and height in pixels.
  let size: [Int]

  let coordinateSystem: System?

  /// The affine map from pixels to coordinates, six numbers; `nil` without one.
  let geoTransform: [Double]?

  let bands: [Band]

  /// Texts by key, by domain; domains with other contents are left out.
  private let metadata: [String: Domain]?

  fileprivate struct Domain: Decodable {
    let texts: [String: String]
    init(from decoder: any Decoder) throws {
      texts = (try? decoder.singleValueContainer().decode([String: String].self)) ?? [:]
    }
  }

  private struct ControlPoints: Decodable {}
  private let gcps: ControlPoints?

  /// - Parameter text: the output of `gdalinfo -json`, in which numbers may be `NaN`.
  init(_ text: String, file: String) throws(SourceError) {
    let plain = text.replacing(/(: ?|\[ ?|, ?|\n *)-?(?:NaN|nan|Infinity|inf)\b/) {
      String($0.1) + "null"
    }
    do {
      self = try JSONDecoder().decode(RasterProbe.self, from: Data(plain.utf8))
    } catch {
      throw SourceError(
        code: .badData, file: file,
        message:
          "cannot be read: gdalinfo tells nothing about its pixels")
    }
  }

  /// The bands except for alpha bands.
  var visible: [Band] { bands.filter { $0.colorInterpretation != "Alpha" } }

  /// Whether the file says which bands are red, green and blue; only such bands are colours.
  var namesColors: Bool {
    ["Red", "Green", "Blue"].allSatisfy { color in
      visible.contains { $0.colorInterpretation == color }
    }
  }

  /// The range of the values of colour bands that are not bytes, at most two standard deviations
  /// around the mean; `nil` for other bands.
  var colorRange: ClosedRange<Double>? {
    let colors = visible.filter { ["Red", "Green", "Blue"].contains($0.colorInterpretation) }
    guard namesColors, colors.contains(where: { $0.type != "Byte" }) else { return nil }
    let ranges = colors.compactMap { band -> ClosedRange<Double>? in
      guard let least = band.computedMin, let most = band.computedMax, let mean = band.mean,
        let deviation = band.stdDev, least < most
      else { return nil }
      let (low, high) = (max(least, mean - 2 * deviation), min(most, mean + 2 * deviation))
      return low < high ? low...high : least...most
    }
    guard let low = ranges.map(\.lowerBound).min(), let high = ranges.map(\.upperBound).max()
    else { return nil }
    return low...high
  }

  /// The dimension along which the bands of a NetCDF file follow one another, in brackets; empty
  /// if there is none.
  var steps: String {
    guard let name = bands.first?.dimension else { return "" }
    return " (steps of '\(name)')"
  }

  /// The names of the subdatasets as the programs take them, in the order of the file.
  var subdatasets: [String] {
    let texts = metadata?["SUBDATASETS"]?.texts ?? [:]
    return (1...max(texts.count, 1)).compactMap { texts["SUBDATASET_\($0)_NAME"] }
  }

  /// The layers by number of pixels, the largest first, without layers that only hold the bounds
  /// of other layers' cells.
  var layersBySize: [String] {
    let texts = metadata?["SUBDATASETS"]?.texts ?? [:]
    let layers = subdatasets.enumerated().map { place, name -> (name: String, pixels: Int) in
      let words = texts["SUBDATASET_\(place + 1)_DESC"] ?? ""
      let sizes = words.prefix { $0 != "]" }.split { !$0.isNumber }.compactMap { Int($0) }
      let pixels = sizes.suffix(2).reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
      return (Self.layerName(of: name), pixels)
    }
    return layers.filter { !$0.name.hasSuffix("_bnds") && !$0.name.hasSuffix("_bounds") }
      .enumerated().sorted { ($1.element.pixels, $0.offset) < ($0.element.pixels, $1.offset) }
      .map(\.element.name)
  }

  /// Whether the image has coordinates of its pixels, in any system.
  var isPlaced: Bool {
    geoTransform != nil || gcps != nil || metadata?["GEOLOCATION"] != nil || metadata?["RPC"] != nil
  }

  /// Whether it names its coordinate reference system.
  var hasSystem: Bool {
    coordinateSystem?.wkt?.isEmpty == false || gcps != nil || metadata?["GEOLOCATION"] != nil
      || metadata?["RPC"] != nil
  }

  /// Width and height of the pixels in degrees, if the image lies in longitude and latitude, its rows
  /// along the parallels; `nil` otherwise.
  private var degrees: (width: Double, height: Double)? {
    let text = coordinateSystem?.wkt ?? ""
    guard text.hasPrefix("GEOGCRS[") || text.hasPrefix("GEOGCS["), let map = geoTransform,
      map.count == 6, map[2] == 0, map[4] == 0
    else { return nil }
    let (width, height) = (abs(map[1]), abs(map[5]))
    guard width > 0, height > 0, width.isFinite, height.isFinite else { return nil }
    return (width, height)
  }

  /// The least distance of two pixels in degrees, if the image lies in longitude and latitude.
  var degreesPerPixel: Double? { degrees.map { min($0.width, $0.height) } }

  /// The arguments of `gdal_translate` that cut an image in longitude and latitude to one turn of the
  /// world; `nil` for one that is no wider.
  ///
  /// Grids often repeat their first column as the last, 0 … 360° inclusive. GDAL takes such
  /// longitudes as they are, so that half the image would lie outside the world.
  var oneTurn: [String]? {
    guard let degrees, size.count == 2, Double(size[0]) * degrees.width > 360 * (1 + 1e-9) else {
      return nil
    }
    let columns = max(Int((360 / degrees.width * (1 + 1e-9)).rounded(.down)), 1)
    return ["-srcwin", "0", "0", "\(columns)", "\(size[1])"]
  }

  /// Returns a subdataset's name as a pipeline writes it: `t2m` for `NETCDF:"./a.nc":t2m`.
  static func layerName(of subdataset: String) -> String {
    let tail = subdataset.split(separator: ":", omittingEmptySubsequences: true).last ?? ""
    return String(tail.drop { $0 == "/" }.filter { $0 != "\"" })
  }
}
