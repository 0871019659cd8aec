import Foundation
import MBTiles
import PNG
import PlainPainting
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Runs

/// Stitched tiles are one picture, by the bytes of the archive: the same map as tiles of 256 px and
/// as one of 512 px, whose colours no border can divide.
@Suite("The tiles of an archive side by side")
struct ArchiveStitchTests {
  private static let ramp =
    ##"[interpolate, [linear], [get, v], 0, "#440154", 30, "#31688e", 70, "#35b779", 100, "#fde725"]"##

  /// Layers of continuous colours over the sources `areas` and `points`.
  static let layers: [(name: String, layers: String)] = [
    ("continuous fills", "{id: a, type: fill, source: areas, paint: {fill-color: \(ramp)}}"),
    (
      "translucent fills and outlines",
      """
      {id: a, type: fill, source: areas, paint: {fill-color: \(ramp), fill-opacity: 0.4}},
      {id: l, type: line, source: areas, paint: {line-color: \(ramp), line-width: 1.5}}
      """
    ),
    (
      "a disc of its own colour for each feature",
      """
      {id: d, type: circle, source: points, paint: {circle-radius: 17, circle-color: \(ramp),
       circle-opacity: 0.98, circle-stroke-width: 2, circle-stroke-color: white}}
      """
    ),
    ("a heatmap", "{id: h, type: heatmap, source: points, paint: {heatmap-radius: 60}}"),
    (
      "gradients of blurred discs",
      "{id: d, type: circle, source: points, paint: {circle-radius: 50, circle-blur: 1, circle-color: \(ramp)}}"
    ),
    (
      "discs with labels over fills that cover a part of the map",
      """
      {id: a, type: fill, source: areas, filter: ['<', [get, v], 30], paint: {fill-color: \(ramp)}},
      {id: d, type: circle, source: points, paint: {circle-radius: 9, circle-color: "#ff5f2a"}},
      {id: t, type: symbol, source: points, layout: {text-field: [to-string, [get, v]],
       text-size: 11, text-allow-overlap: true}, paint: {text-color: white}}
      """
    ),
    (
      "hexagons in the colour of their middle value",
      """
      {id: c, type: fill, source: cells, paint: {fill-color: \(ramp), fill-opacity: 0.9,
       fill-outline-color: white}}
      """
    ),
    (
      "donuts of clusters",
      """
      {id: d, type: chart, source: parts, filter: [has, point_count], layout: {chart-type: donut,
       chart-slices: [{value: [get, v], color: \(ramp)}, {value: [get, low], color: "#ff5f2a"},
         {value: 9, color: teal}]}, paint: {chart-radius: 30, chart-hole-color: white,
       chart-stroke-width: 1.5}}
      """
    ),
  ]

  @Test(
    "the tiles of an archive side by side are one picture to the last pixel",
    arguments: layers.indices)
  func stitches(index: Int) throws {
    let folder = try TemporaryFolder()
    try Self.write(to: folder)
    let tiles = try picture(Self.layers[index].layers, folder, zoom: 1, tileSize: 256)
    let giant = try picture(Self.layers[index].layers, folder, zoom: 0, tileSize: 512)
    let differing = zip(tiles.pixels, giant.pixels).count { $0 != $1 }
    #expect(differing == 0, "\(Self.layers[index].name)")
    let colors = Set(giant.pixels).count
    #expect(colors > 64, "continuous colours are drawn")
  }

  @Test(
    "the tiles of an archive have exactly the style's colours where no edge is",
    arguments: layers.indices)
  func exactColors(index: Int) throws {
    let folder = try TemporaryFolder()
    try Self.write(to: folder)
    let picture = try picture(Self.layers[index].layers, folder, zoom: 1, tileSize: 256)
    let definition = try Self.definition(Self.layers[index].layers, folder, zoom: 1, tileSize: 256)
    let view = try Self.view(definition)
    let isGradient = Self.layers[index].name.hasPrefix("gradients")
    var (flat, differing) = (0, 0)
    for y in 1..<(Self.side - 1) {
      for x in 1..<(Self.side - 1) {
        let color = view[x, y]
        guard color != .transparent, isGradient || view.isFlat(aroundX: x, y: y, radius: 1)
        else { continue }
        flat += 1
        if picture[x, y] != color { differing += 1 }
      }
    }
    #expect(differing == 0, "\(Self.layers[index].name)")
    #expect(flat > 500)
  }

  /// The whole world as one view, which is painted without any palette.
  private static func view(_ definition: PipelineDefinition) throws -> Pixmap {
    try PNGDecoder().decode(
      PipelineRunner.render(
        definition,
        view: MapView(
          center: LngLat(longitude: 0, latitude: 0), zoom: 1, width: side, height: side),
        options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }))
  }

  /// Layers whose edges cross one another, and the largest difference of a premultiplied channel, in
  /// steps of 255, that pipelines/README.md promises.
  static let crossing: [(layers: String, limit: Int)] = [
    (
      """
      {id: a, type: fill, source: areas, paint: {fill-color: \(ramp)}},
      {id: b, type: fill, source: areas, paint: {fill-color: red, fill-translate: [9, 5]}},
      {id: l, type: line, source: areas, paint: {line-color: white, line-width: 1.3}}
      """, 12
    ),
    (
      """
      {id: a, type: fill, source: areas, paint: {fill-color: \(ramp), fill-opacity: 0.4}},
      {id: b, type: line, source: areas, paint: {line-color: \(ramp), line-width: 1.5,
       line-translate: [5, 9]}},
      {id: d, type: circle, source: points, paint: {circle-radius: 9, circle-opacity: 0.3}}
      """, 12
    ),
    (
      """
      {id: d, type: circle, source: points, paint: {circle-radius: 14, circle-color: \(ramp),
       circle-opacity: 0.2}},
      {id: t, type: symbol, source: points, layout: {text-field: [to-string, [get, v]],
       text-allow-overlap: true}}
      """, 7
    ),
  ]

  @Test(
    "edges in tiles are off one render of the whole by no more than they are rounded",
    arguments: crossing.indices)
  func edges(index: Int) throws {
    let (layers, limit) = Self.crossing[index]
    let folder = try TemporaryFolder()
    try Self.write(to: folder)
    let tiles = try picture(layers, folder, zoom: 1, tileSize: 256)
    let view = try Self.view(Self.definition(layers, folder, zoom: 1, tileSize: 256))
    var (onBlack, onWhite, straight) = (0, 0, 0)
    for (tile, exact) in zip(tiles.pixels, view.pixels) where tile != exact {
      func channels(_ color: UInt32) -> [Int] { [0, 8, 16, 24].map { Int(color >> $0 & 0xFF) } }
      let (a, b) = (channels(tile), channels(exact))
      for channel in 0..<4 {
        onBlack = max(onBlack, abs(a[channel] - b[channel]))
        onWhite = max(onWhite, abs(a[channel] - a[3] - b[channel] + b[3]))
      }
      let (c, d) = (
        channels(PremultipliedColor(bits: tile).straightBits),
        channels(PremultipliedColor(bits: exact).straightBits)
      )
      let alpha = min(a[3], b[3])
      for channel in 0..<3 {
        // Divided by the opacity, and rounded once more.
        let part = abs(c[channel] - d[channel]) - 1
        straight = max(straight, part * alpha / 255)
      }
    }
    #expect(onBlack <= limit && onBlack > 4, "\(onBlack)")
    #expect(onWhite <= 2 * limit, "\(onWhite)")
    #expect(straight <= 2 * limit, "\(straight)")
  }

  /// Side of the world in px.
  private static let side = 512

  private static func definition(
    _ layers: String, _ folder: TemporaryFolder, zoom: Int, tileSize: Int
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      name: map
      sources:
        areas: {type: geojson, data: areas.geojson}
        points: {type: csv, data: points.csv}
        cells: {type: csv, data: points.csv, cluster: true, clusterMethod: hexagon,
          clusterCellSize: 37, clusterProperties: {v: [median, [get, v]]}}
        parts: {type: csv, data: points.csv, cluster: true, clusterProperties:
          {v: [median, [get, v]], low: ["+", [case, [<, [get, v], 30], 9, 0]]}}
      layers: [\(layers)]
      tiles: {minzoom: \(zoom), maxzoom: \(zoom), tileSize: \(tileSize)}
      output: {path: \(tileSize).mbtiles}
      """, to: "\(tileSize).yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// The world as an archive's tiles show it.
  private func picture(
    _ layers: String, _ folder: TemporaryFolder, zoom: Int, tileSize: Int
  ) throws -> Pixmap {
    let definition = try Self.definition(layers, folder, zoom: zoom, tileSize: tileSize)
    _ = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let archive = try ArchiveReader(FilePath(folder.path("\(tileSize).mbtiles")))
    let picture = Pixmap(width: Self.side, height: Self.side)
    for x in 0..<(1 << zoom) {
      for y in 0..<(1 << zoom) {
        guard let png = try archive.tile(TileCoord(z: zoom, x: x, y: y)) else { continue }
        picture.replace(with: try PNGDecoder().decode(png), x: x * tileSize, y: y * tileSize)
      }
    }
    return picture
  }

  /// A slanted grid of quadrilaterals and some hundred points, each with a value of its own.
  private static func write(to folder: TemporaryFolder) throws {
    func corner(_ column: Int, _ row: Int) -> String {
      "[\(-150 + column * 25 + row * 3),\(-60 + row * 12 - column)]"
    }
    var features: [String] = []
    for column in 0..<11 {
      for row in 0..<9 {
        let ring = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)].map {
          corner(column + $0.0, row + $0.1)
        }.joined(separator: ",")
        features.append(
          #"{"type":"Feature","properties":{"v":\#(Double((column * 37 + row * 61) % 101) + 0.37)},"#
            + #""geometry":{"type":"Polygon","coordinates":[[\#(ring)]]}}"#)
      }
    }
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
      to: "areas.geojson")
    var random = SplitMix64(seed: 21)
    let rows = (0..<300).map { row in
      "\(random.number(in: -179..<179)),\(random.number(in: -75..<75)),\(Double(row) / 3)"
    }
    try folder.write("lng,lat,v\n" + rows.joined(separator: "\n"), to: "points.csv")
  }
}
