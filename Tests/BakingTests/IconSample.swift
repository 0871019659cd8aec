import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// A small map of icons and patterns in a folder of its own.
struct IconSample {
  let folder: TemporaryFolder

  /// Icons with and without labels over patterns and gradients, across the borders of tiles.
  static let layers = """
      - {id: ground, type: background, paint: {background-pattern: "s:dots", background-opacity: 0.5}}
      - {id: area, type: fill, source: areas, paint: {fill-pattern: weave, fill-opacity: 0.9}}
      - {id: road, type: line, source: roads, paint: {line-pattern: weave, line-width: 9}}
      - {id: river, type: line, source: roads, layout: {line-cap: round, line-join: round},
         paint: {line-width: 7, line-translate: [0, 30], line-opacity: 0.8, line-gradient:
          [interpolate, [linear], [line-progress], 0, blue, 0.5, yellow, 1, red]}}
      - {id: signs, type: symbol, source: roads, layout: {icon-image: pin, symbol-placement: line,
         symbol-spacing: 40, icon-size: 0.6, icon-allow-overlap: true}}
      - {id: pins, type: symbol, source: places, filter: ['!=', [get, n], 1], layout:
         {icon-image: [case, ['==', [get, n], 2], "s:disc", pin], icon-anchor: bottom,
          icon-rotate: ['*', [get, n], 9], icon-allow-overlap: true},
         paint: {icon-color: green, icon-halo-color: white, icon-halo-width: 1.5}}
      - {id: fitted, type: symbol, source: places, filter: ['==', [get, n], 1], layout:
         {icon-image: "s:frame", icon-text-fit: both, text-field: [get, name], text-size: 12,
          text-font: [DejaVu Sans]}}
      - {id: labelled, type: symbol, source: places, filter: ['==', [get, n], 3], layout:
         {text-field: [format, [image, pin], {vertical-align: center}, [get, name], {},
          [image, "s:disc"], {}], text-size: 13, text-font: [DejaVu Sans], text-rotate: 20,
          text-allow-overlap: true},
         paint: {text-color: navy, text-halo-color: white, text-halo-width: 1}}
      - {id: lettered, type: symbol, source: roads, layout: {symbol-placement: line,
         symbol-spacing: 90, text-field: [format, "A", {}, [image, weave], {}, "B", {}],
         text-size: 12, text-font: [DejaVu Sans], text-allow-overlap: true}}
    """

  init(rows: Int = 60) throws {
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 5)
    let lines = (0..<rows).map { row in
      "\(random.number(in: -179..<179)),\(random.number(in: -75..<75)),Place \(row),\(row % 4),\(row % 2 == 0 ? "pin" : "weave")"
    }
    try folder.write("lng,lat,name,n,icon\n" + lines.joined(separator: "\n"), to: "places.csv")
    try folder.write(
      #"{"type":"Polygon","coordinates":[[[-150,-50],[140,-60],[120,55],[-100,65],[-150,-50]]]}"#,
      to: "areas.geojson")
    try folder.write(
      #"{"type":"LineString","coordinates":[[-170,40],[-3,-20],[5,61],[160,-55],[170,30]]}"#,
      to: "roads.geojson")
    for density in 1...2 {
      let mark = density == 2 ? "@2x" : ""
      try write(Self.pin(density), to: "pin\(mark).png")
      try write(Self.weave(density), to: "weave\(mark).png")
      try writeSprite(density, mark)
    }
  }

  /// Writes the pipeline.
  func write(
    zoom: Int = 1, tileSize: Int = 256, scale: Int = 1, layers: String = layers,
    more: String = "", to name: String
  ) throws -> String {
    try folder.write(
      """
      version: 1
      name: map
      sprite: [{id: s, url: sheet}]
      images: {pin: pin.png, weave: weave.png}
      sources:
        areas: {type: geojson, data: areas.geojson}
        roads: {type: geojson, data: roads.geojson}
        places: {type: csv, data: places.csv}
      layers:
      \(layers)
      tiles: {minzoom: \(zoom), maxzoom: \(zoom), tileSize: \(tileSize), scale: \(scale)}
      output: {path: \(name).mbtiles}
      \(more)
      """, to: "\(name).yml")
  }

  func definition(_ file: String) throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  func build(_ file: String, output: String? = nil, noCache: Bool = false) throws -> BuildReport {
    var options = BuildOptions()
    options.noCache = noCache
    options.output = output.map { folder.path($0) }
    return try PipelineRunner.build(
      definition(file), options: options, cancellation: Cancellation(), progress: { _ in })[0]
  }

  /// Returns the whole world as an archive's tiles show it.
  func picture(_ archive: String, zoom: Int, side: Int) throws -> Pixmap {
    let archive = try ArchiveReader(FilePath(folder.path(archive)))
    let picture = Pixmap(width: side << zoom, height: side << zoom)
    for x in 0..<(1 << zoom) {
      for y in 0..<(1 << zoom) {
        guard let png = try archive.tile(TileCoord(z: zoom, x: x, y: y)) else { continue }
        picture.replace(with: try PNGDecoder().decode(png), x: x * side, y: y * side)
      }
    }
    return picture
  }

  func write(_ pixmap: Pixmap, to name: String) throws {
    try Data(PNGEncoder().encode(pixmap)).write(to: URL(fileURLWithPath: folder.path(name)))
  }

  // MARK: Images

  /// A pin: a disc that narrows to a point below.
  static func pin(_ density: Int, color: Color = Color(red: 0.8, green: 0.1, blue: 0.2)) -> Pixmap {
    picture(20 * density, 26 * density) { x, y in
      let (dx, dy) = (x / Double(density) - 10, y / Double(density) - 10)
      let radius = dy > 0 ? 9.5 * (1 - dy / 16) : 9.5
      let distance = dy > 0 ? abs(dx) : (dx * dx + dy * dy).squareRoot()
      return color.faded(min(max(radius - distance + 0.5, 0), 1))
    }
  }

  /// A pattern of 24 × 20 style pixels, whose size divides no tile's.
  static func weave(_ density: Int) -> Pixmap {
    picture(24 * density, 20 * density) { x, y in
      Color(
        red: x / Double(24 * density), green: y / Double(20 * density),
        blue: (Int(x) / 3 + Int(y) / 4) % 2 == 0 ? 0.9 : 0.2)
    }
  }

  private static func picture(
    _ width: Int, _ height: Int, _ color: (Double, Double) -> Color
  ) -> Pixmap {
    let picture = Pixmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        picture[x, y] = PremultipliedColor(color(Double(x) + 0.5, Double(y) + 0.5))
      }
    }
    return picture
  }

  /// Writes a sprite of dots, a frame that stretches and a distance field.
  private func writeSprite(_ density: Int, _ mark: String) throws {
    let side = 16 * density
    let unit = Double(density)
    let sheet = Self.picture(side * 3, side) { x, y in
      let (column, u, v) = (
        Int(x) / side, x.truncatingRemainder(dividingBy: Double(side)) / unit - 8, y / unit - 8
      )
      switch column {
      case 0: return Color(red: 0.3, green: 0.5, blue: 0.6).faded(u * u + v * v < 9 ? 1 : 0.2)
      case 1: return max(abs(u), abs(v)) > 6 ? .black : Color(red: 1, green: 0.95, blue: 0.7)
      default:
        let outside = (u * u + v * v).squareRoot() - 5
        return Color.black.faded(min(max(0.75 - outside / 8, 0), 1))
      }
    }
    try write(sheet, to: "sheet\(mark).png")
    func entry(_ column: Int, _ more: String) -> String {
      "{\"x\": \(column * side), \"y\": 0, \"width\": \(side), \"height\": \(side), "
        + "\"pixelRatio\": \(density)\(more)}"
    }
    let zone = "[[\(5 * density), \(11 * density)]]"
    let frame =
      ", \"stretchX\": \(zone), \"stretchY\": \(zone), "
      + "\"content\": [\(3 * density), \(3 * density), \(13 * density), \(13 * density)]"
    try folder.write(
      "{\"dots\": \(entry(0, "")), \"frame\": \(entry(1, frame)), "
        + "\"disc\": \(entry(2, ", \"sdf\": true"))}",
      to: "sheet\(mark).json")
  }
}
