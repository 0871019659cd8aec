import Raster
import TestSupport
import Testing

@Suite("Lines and polygons over tile borders")
struct ShapeStitchTests {
  /// Layers that reach over borders in every way there is.
  static let styles: [[String]] = [
    [
      ##"{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "rgba(64,0,0,0.25)"}}"##
    ],
    [
      ##"{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": ["match", ["get", "n"], 0, "red", 1, "#0a04", "blue"], "fill-opacity": 0.7, "fill-outline-color": "black", "fill-translate": [13.4, -7.8]}}"##
    ],
    [##"{"id": "f", "type": "fill", "source": "s", "paint": {"fill-antialias": false}}"##],
    [
      ##"{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": ["match", ["get", "n"], 0, "red", "blue"], "fill-translate": [3.4, -7.8]}}"##,
      ##"{"id": "g", "type": "fill", "source": "s", "paint": {"fill-color": "green", "fill-opacity": ["match", ["get", "n"], 0, 1, 0.4]}}"##,
    ],
    [
      ##"{"id": "l", "type": "line", "source": "s", "layout": {"line-cap": "round", "line-join": "round"}, "paint": {"line-width": 23.5, "line-color": "rgba(0,90,200,0.5)", "line-dasharray": [2, 1.5]}}"##,
      ##"{"id": "m", "type": "line", "source": "s", "paint": {"line-width": 1, "line-color": "red"}}"##,
    ],
    [
      ##"{"id": "l", "type": "line", "source": "s", "layout": {"line-join": "bevel", "line-cap": "square"}, "paint": {"line-width": ["+", 3, ["get", "n"]], "line-gap-width": 9, "line-offset": -6, "line-blur": 2.5, "line-color": "#333"}}"##
    ],
    [
      ##"{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "#cce"}}"##,
      ##"{"id": "h", "type": "heatmap", "source": "s"}"##,
      ##"{"id": "l", "type": "line", "source": "s", "layout": {"line-join": "miter", "line-miter-limit": 5}, "paint": {"line-width": 8.25, "line-opacity": 0.5}}"##,
      ##"{"id": "c", "type": "circle", "source": "s", "paint": {"circle-radius": 30, "circle-opacity": 0.4}}"##,
    ],
  ]

  @Test(
    "the shape tiles of a zoom are one large picture, pixel for pixel", arguments: styles.indices,
    [1, 2])
  func stitches(style: Int, scale: Int) throws {
    for seed in 0..<(runsSlowTests ? 12 : 2) {
      var random = SplitMix64(seed: UInt64(seed) << 8 | UInt64(style))
      let data = Self.geoJSON(&random)
      let layers = Self.styles[style]
      // The giant tile is 1,024 px wide: as much as a tile may have.
      let zoom = scale == 1 ? 2 : 1
      let tiles = try ShapePicture(
        layers: layers, geoJSON: data, zoom: zoom, tileSize: 256, scale: scale
      ).stitched()
      let giant = try ShapePicture(
        layers: layers, geoJSON: data, zoom: 0, tileSize: 256 << zoom, scale: scale
      ).stitched()
      #expect(tiles.largestDifference(to: giant) == 0, "\(layers), seed \(seed)")
      #expect(giant.showsAnything(left: 0, top: 0, side: giant.width))
    }
  }

  @Test("outlines do not follow the borders of tiles")
  func noOutlineAlongBorders() throws {
    // A square over all four tiles of zoom 1, its edges far from their borders.
    let square =
      #"{"type": "Polygon", "coordinates": [[[-90,-60],[90,-60],[90,60],[-90,60],[-90,-60]]]}"#
    let picture = try ShapePicture(
      layers: [
        ##"{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "rgba(0,0,255,0.5)", "fill-outline-color": "red"}}"##
      ], geoJSON: square, zoom: 1
    ).stitched()
    let middle = picture[300, 300]
    #expect(middle.alpha == 128)
    for offset in -60...60 {
      for across in [254, 255, 256, 257] {
        #expect(picture[across, 256 + offset] == middle)
        #expect(picture[256 + offset, across] == middle)
      }
    }
  }

  /// Polygons with holes, lines and points, many of them over the borders of zoom 2.
  private static func geoJSON(_ random: inout SplitMix64) -> String {
    var features: [String] = []
    func position(_ x: Double, _ y: Double) -> String { "[\(x),\(y)]" }
    func near(_ center: Double, _ reach: Double) -> Double {
      center + (Double(random.below(2001)) / 1000 - 1) * reach
    }
    for index in 0..<14 {
      let x = near(0, 170)
      let y = near(0, 60)
      let reach = Double([3, 20, 70][index % 3])
      let geometry: String
      switch index % 4 {
      case 0, 1:
        let count = 3 + random.below(6)
        let ring = (0..<count).map { _ in position(near(x, reach), near(y, reach / 3.5)) }
        geometry =
          #"{"type":"Polygon","coordinates":[[\#((ring + [ring[0]]).joined(separator: ","))]]}"#
      case 2:
        let line = (0..<(2 + random.below(8))).map { _ in
          position(near(x, reach), near(y, reach / 3.5))
        }
        geometry = #"{"type":"LineString","coordinates":[\#(line.joined(separator: ","))]}"#
      default:
        geometry = #"{"type":"Point","coordinates":\#(position(x, y))}"#
      }
      features.append(
        #"{"type":"Feature","properties":{"n":\#(random.below(4))},"geometry":\#(geometry)}"#)
    }
    return #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }
}
