import Foundation
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes

@Suite("Small features from zoom to zoom")
struct VisibilityTests {
  /// A type of geometry, made of small figures, and the layer that draws it.
  struct Sample: Sendable, CustomTestStringConvertible {
    let type: String
    let layer: String
    /// Whether the smallest of them are visible at every zoom.
    var isAlwaysVisible = false

    /// The length in px from which the figures are visible at every zoom. As in MapLibre, the straight
    /// ends of a line show the pixels whose middles they have: one shorter than a pixel's diagonal may
    /// lie between them.
    var leastLength = 0.0

    var testDescription: String { "\(type), \(layer)" }
  }

  private static let samples = [
    Sample(
      type: "Point", layer: #""type": "circle", "paint": {"circle-radius": 2}"#,
      isAlwaysVisible: true),
    Sample(
      type: "MultiPoint", layer: #""type": "circle", "paint": {"circle-radius": 2}"#,
      isAlwaysVisible: true),
    Sample(
      type: "LineString", layer: #""type": "line", "paint": {"line-width": 3}"#, leastLength: 1.5),
    Sample(
      type: "LineString", layer: #""type": "line", "layout": {"line-cap": "round"}"#,
      isAlwaysVisible: true),
    Sample(
      type: "LineString",
      layer: #""type": "line", "layout": {"line-cap": "square"}, "paint": {"line-width": 3}"#,
      isAlwaysVisible: true),
    Sample(
      type: "MultiLineString",
      layer: #""type": "line", "layout": {"line-cap": "round"}, "paint": {"line-width": 3}"#,
      isAlwaysVisible: true),
    Sample(
      type: "Loop",
      layer: #""type": "line", "layout": {"line-cap": "round"}, "paint": {"line-width": 3}"#,
      isAlwaysVisible: true),
    Sample(
      type: "GeometryCollection",
      layer: #""type": "line", "layout": {"line-cap": "round"}, "paint": {"line-width": 3}"#,
      isAlwaysVisible: true),
    Sample(type: "Polygon", layer: #""type": "fill""#),
    Sample(type: "MultiPolygon", layer: #""type": "fill""#),
    Sample(type: "Polygon", layer: #""type": "line", "paint": {"line-width": 3}"#),
  ]

  /// The features stand in the middles of this many cells along each side of the world.
  private static let cells = 8

  /// Returns the coordinates of a figure: `size` px of zoom 0 wide, near the middle of a cell.
  private static func figure(
    _ type: String, cell: Int, size: Double, _ random: inout SplitMix64
  ) -> String {
    let grid = PixelGrid(zoom: 0)
    let side = Double(grid.worldPixels) / Double(cells)
    let middle = (
      x: (Double(cell % cells) + random.number(in: 0.45..<0.55)) * side,
      y: (Double(cell / cells) + random.number(in: 0.45..<0.55)) * side
    )
    func ring(_ count: Int, dx: Double = 0) -> [String] {
      let turn = random.number(in: 0..<6)
      return (0..<count).map { index in
        let angle = turn + Double(index) / Double(count) * 2 * .pi
        let radius = size / 2 * random.number(in: 0.4..<1)
        let place = LngLat(
          x: middle.x + dx + cos(angle) * radius, y: middle.y + sin(angle) * radius, grid: grid)
        return "[\(place.longitude),\(place.latitude)]"
      }
    }
    func closed(_ ring: [String]) -> String { "[\((ring + [ring[0]]).joined(separator: ","))]" }
    func line(dx: Double = 0) -> String { "[\(ring(2, dx: dx).joined(separator: ","))]" }
    switch type {
    case "Point": return #""coordinates": \#(ring(1)[0])"#
    case "LineString": return #""coordinates": \#(line())"#
    case "Loop": return #""coordinates": \#(closed(ring(3)))"#
    case "MultiLineString": return #""coordinates": [\#(line()), \#(line(dx: size))]"#
    case "Polygon": return #""coordinates": [\#(closed(ring(4)))]"#
    case "MultiPolygon":
      return #""coordinates": [[\#(closed(ring(4)))], [\#(closed(ring(5, dx: 2 * size)))]]"#
    case "GeometryCollection":
      return #""geometries": [{"type": "LineString", "coordinates": \#(line())}]"#
    default: return #""coordinates": [\#(ring(2).joined(separator: ","))]"#
    }
  }

  /// Returns the cells in which something can be seen at a zoom.
  private static func visibleCells(_ sample: Sample, geoJSON: String, zoom: Int) throws -> Set<Int>
  {
    let picture = try ShapePicture(
      layers: [#"{"id": "l", "source": "s", \#(sample.layer)}"#], geoJSON: geoJSON, zoom: zoom)
    let painter = try picture.painter()
    let side = picture.scenes.grid.tilePixels
    let cell = picture.scenes.grid.worldPixels / cells
    var visible = Set<Int>()
    for index in 0..<picture.scenes.count {
      let tile = picture.scenes.tile(index)
      let pixels = try painter.pixels(index, of: picture.scenes)
      // One or two steps of 255 are rounding.
      for pixel in pixels.pixels.indices where pixels.pixels[pixel] >> 24 > 2 {
        let (x, y) = (tile.x * side + pixel % side, tile.y * side + pixel / side)
        visible.insert(y / cell * cells + x / cell)
      }
    }
    return visible
  }

  @Test("what is visible at a zoom is visible at all deeper ones", arguments: samples)
  func monotone(sample: Sample) throws {
    var random = SplitMix64(seed: 32)
    let type = sample.type == "Loop" ? "LineString" : sample.type
    let all = 0..<Self.cells * Self.cells
    var sizes: [Double] = []
    let features = all.map { cell in
      // From far below a unit of 1/256 px to some pixels.
      let size = exp2(random.number(in: -14..<1))
      sizes.append(size)
      return
        #"{"type": "Feature", "geometry": {"type": "\#(type)", \#(Self.figure(sample.type, cell: cell, size: size, &random))}}"#
    }
    let geoJSON =
      #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#
    var before = Set<Int>()
    for zoom in 0...5 {
      let visible = try Self.visibleCells(sample, geoJSON: geoJSON, zoom: zoom)
      // A line of this size is 0.4 times as long at least.
      let lost = before.subtracting(visible).sorted().filter { cell in
        0.4 * sizes[cell] * exp2(Double(zoom)) >= sample.leastLength
      }
      #expect(lost.isEmpty, "zoom \(zoom) lacks \(lost.prefix(5).map { features[$0] })")
      if sample.isAlwaysVisible { #expect(visible.count == all.count, "zoom \(zoom)") }
      before = visible
    }
    #expect(before.count > all.count / 3)
  }
}
