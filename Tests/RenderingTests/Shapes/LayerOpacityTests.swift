import Columns
import PNG
import Raster
import Testing

@testable import Painting
@testable import Scenes

@Suite("The opacity of a layer as a whole")
struct LayerOpacityTests {
  private static let squares = """
    {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon",
        "coordinates": [[[-120,-50],[20,-50],[20,50],[-120,50],[-120,-50]]]}},
      {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon",
        "coordinates": [[[-20,-60],[120,-60],[120,60],[-20,60],[-20,-60]]]}}]}
    """

  private static let crossing = """
    {"type": "MultiLineString", "coordinates": [[[-150,-50],[150,55]],[[-150,55],[150,-50]]]}
    """

  private func picture(_ layers: String..., data: String, zoom: Int = 1, scale: Int = 1) throws
    -> Pixmap
  {
    try ShapePicture(layers: layers, geoJSON: data, zoom: zoom, scale: scale).stitched()
  }

  private func fill(_ paint: String) -> String {
    #"{"id": "a", "type": "fill", "source": "s", "paint": {"fill-color": "red", \#(paint)}}"#
  }

  @Test("areas of a layer do not shine through one another, as those of translucent areas do")
  func areas() throws {
    let together = try picture(fill(#""fill-layer-opacity": 0.5"#), data: Self.squares)
    let alone = together[110, 256]
    #expect(alone == PremultipliedColor(Color(red: 1, green: 0, blue: 0).faded(0.5)))
    #expect(together[256, 256] == alone && together[400, 256] == alone)
    let each = try picture(
      #"""
      {"id": "a", "type": "fill", "source": "s", "paint": {"fill-opacity": 0.5,
       "fill-color": ["case", ["has", "none"], "blue", "red"]}}
      """#, data: Self.squares)
    #expect(each[110, 256] == alone && each[256, 256] != alone)
  }

  @Test("the layer's opacity multiplies that of its areas; a layer without any is not drawn")
  func product() throws {
    let both = try picture(
      fill(#""fill-layer-opacity": 0.5, "fill-opacity": 0.5"#), data: Self.squares)
    #expect(both[110, 256].alpha == 64)
    let none = try ShapePicture(
      layers: [fill(#""fill-layer-opacity": 0"#)], geoJSON: Self.squares, zoom: 1)
    #expect(none.scenes.count == 0)
  }

  @Test("lines of a layer that cross have one colour, over what lies below")
  func lines() throws {
    let line = #"""
      {"id": "a", "type": "line", "source": "s", "paint": {"line-width": 12, "line-color": "blue",
       "line-opacity": ["number", ["get", "none"], 1], "line-layer-opacity": 0.5}}
      """#
    let picture = try picture(line, data: Self.crossing)
    #expect(picture.pixels.map { $0 >> 24 }.max() == 128)
    #expect(Set(picture.pixels.filter { $0 >> 24 == 128 }).count == 1)
    let over = try self.picture(
      #"{"id": "b", "type": "fill", "source": "s", "paint": {"fill-color": "lime"}}"#,
      fill(#""fill-layer-opacity": 0.5"#), data: Self.squares)
    #expect(over[256, 256] == PremultipliedColor(bits: 0xFF00_7F80))
  }

  @Test("tiles side by side are one picture to the last pixel", arguments: [1, 2])
  func stitches(scale: Int) throws {
    let layers = [
      fill(#""fill-layer-opacity": 0.7, "fill-outline-color": "black""#),
      #"""
      {"id": "b", "type": "line", "source": "s", "paint": {"line-width": 7, "line-blur": 1,
       "line-layer-opacity": 0.4}}
      """#,
    ]
    let tiles = try picture(layers[0], layers[1], data: Self.squares, zoom: 1, scale: scale)
    let one = try ShapePicture(
      layers: layers, geoJSON: Self.squares, zoom: 0, tileSize: 512, scale: scale
    ).stitched()
    #expect(zip(tiles.pixels, one.pixels).count { $0 != $1 } == 0)
  }

  @Test("the opacity of a layer changes the hash of its tiles, so that none is reused")
  func hashes() throws {
    let hashes = try [0.5, 0.6, 1].map { opacity in
      try ShapePicture(
        layers: [fill(#""fill-layer-opacity": \#(opacity)"#)], geoJSON: Self.squares, zoom: 0
      ).scenes.hashes[0]
    }
    #expect(Set(hashes).count == 3)
  }
}
