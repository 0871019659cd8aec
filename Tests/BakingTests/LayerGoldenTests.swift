import Foundation
import PNG
import PipelineSamples
import Raster
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Reuse

/// One fact of each kind of layer that is no symbol, as a picture in text: alpha, red, green and blue in
/// sixteenths side by side, `.` where nothing shows.
///
/// `make bless` records them.
@Suite("Golden pictures of layers")
struct LayerGoldenTests {
  /// A picture's name, and the source and layer that draw it around 0° N 0° E at zoom 0, where a pixel
  /// is about 1.4° wide.
  struct Picture: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String
    var layer: String
    var ratio = 1

    var testDescription: String { name }
  }

  private static func shape(_ type: String, _ coordinates: String) -> String {
    "{type: geojson, data: {type: \(type), coordinates: \(coordinates)}}"
  }

  /// A triangle with a square hole.
  private static let triangle = shape(
    "Polygon",
    "[[[-13, -10], [14, -8], [0, 14], [-13, -10]], [[-3, -4], [3, -4], [3, 2], [-3, 2], [-3, -4]]]")

  private static let bend = shape("LineString", "[[-13, -9], [0, 9], [13, -9]]")
  private static let image = "{type: image, url: checks.png, bounds: [-8.4375, -5, 8.4375, 8]}"
  private static let crowd = shape("MultiPoint", "[[-5, 0], [-4, 1], [6, -3]]")

  static let pictures = [
    Picture(name: "fill-with-a-hole", source: triangle, layer: "type: fill"),
    Picture(
      name: "fill-translucent-with-outline", source: triangle,
      layer: """
        type: fill, paint: {fill-color: "rgba(255, 0, 0, 0.5)", fill-outline-color: blue}
        """),
    Picture(
      name: "fill-at-density-two", source: triangle,
      layer: "type: fill, paint: {fill-color: green}", ratio: 2),
    Picture(
      name: "line-with-mitre", source: bend, layer: "type: line, paint: {line-width: 3}"),
    Picture(
      name: "line-with-round-ends", source: bend,
      layer: """
        type: line, layout: {line-cap: round, line-join: round},
         paint: {line-width: 4, line-color: "rgba(0, 0, 255, 0.5)"}
        """),
    Picture(
      name: "line-dashed", source: bend,
      layer: "type: line, paint: {line-width: 2, line-dasharray: [2, 1]}"),
    Picture(
      name: "line-thinner-than-a-pixel", source: bend,
      layer: "type: line, paint: {line-width: 0.5}"),
    Picture(
      name: "fill-with-a-pattern", source: triangle,
      layer: "type: fill, paint: {fill-pattern: checks}"),
    Picture(
      name: "fill-with-a-pattern-at-density-two", source: triangle,
      layer: "type: fill, paint: {fill-pattern: checks, fill-opacity: 0.5}", ratio: 2),
    Picture(
      name: "line-with-a-pattern", source: bend,
      layer: "type: line, paint: {line-pattern: checks, line-width: 4}"),
    Picture(
      name: "line-with-a-gradient", source: bend,
      layer: """
        type: line, layout: {line-cap: round, line-join: round}, paint: {line-width: 3,
         line-gradient: [interpolate, [linear], [line-progress], 0, red, 0.5, lime, 1, blue]}
        """),
    Picture(
      name: "icon-over-its-point", source: shape("Point", "[3, -4]"),
      layer: """
        type: symbol, layout: {icon-image: checks, icon-size: 3, icon-anchor: bottom}
        """),
    Picture(name: "raster-interpolated", source: image, layer: "type: raster"),
    Picture(
      name: "raster-nearest-and-faded", source: image,
      layer: "type: raster, paint: {raster-resampling: nearest, raster-opacity: 0.5}"),
    Picture(
      name: "heatmap-of-three-points", source: crowd,
      layer: "type: heatmap, paint: {heatmap-radius: 8, heatmap-intensity: 2}"),
  ]

  @Test("a layer equals its recorded picture", arguments: pictures)
  func golden(picture: Picture) throws {
    let pixmap = try Self.paint(picture)
    let text = Self.text(of: pixmap)
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Goldens/\(picture.name).txt")
    if blessesGoldens { try text.write(to: file, atomically: true, encoding: .utf8) }
    #expect(text == (try String(contentsOf: file, encoding: .utf8)))
  }

  private static func paint(_ picture: Picture) throws -> Pixmap {
    let folder = try TemporaryFolder()
    let checks = Pixmap(width: 3, height: 2)
    for (index, color) in [Color.black, .white, .transparent, .white, .transparent, .black]
      .enumerated()
    {
      checks[index % 3, index / 3] = PremultipliedColor(color)
    }
    try Data(PNGEncoder().encode(checks)).write(
      to: URL(fileURLWithPath: folder.path("checks.png")))
    let file = try folder.write(
      """
      version: 1
      images: {checks: checks.png}
      sources:
        data: \(picture.source)
      layers:
        - {id: layer, source: data, \(picture.layer)}
      tiles: {maxzoom: 0, tileSize: 256}
      output: {path: out.mbtiles}
      """, to: "picture.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let view = MapView(
      center: LngLat(longitude: 0, latitude: 0), zoom: 0, width: 24, height: 24,
      ratio: picture.ratio)
    return try PNGDecoder().decode(
      definition.build().render(view))
  }

  /// A row of text for each row of pixels: four blocks, of alpha and of premultiplied red, green and
  /// blue, each pixel as one hexadecimal digit.
  private static func text(of pixmap: Pixmap) -> String {
    (0..<pixmap.height).map { y in
      let row = (0..<pixmap.width).map { pixmap[$0, y] }
      let blocks = [\PremultipliedColor.alpha, \.red, \.green, \.blue].map { channel in
        row.map { $0.alpha == 0 ? "." : String($0[keyPath: channel] >> 4, radix: 16) }.joined()
      }
      return blocks.joined(separator: " ") + "\n"
    }.joined()
  }
}
