import Raster
import Testing

@Suite("Lines thinner than a pixel")
struct ThinLineTests {
  @Test(
    "thin lines cover as much as MapLibre's shader colours, and wider ones as much as their width",
    arguments: [(0.1, 0.3025), (0.5, 0.5625), (0.9, 0.9025), (1.0, 1.0), (1.5, 1.5), (0.0, 0.0)])
  func coverage(width: Double, expected: Double) throws {
    for scale in [1, 2] {
      let picture = try ShapePicture(
        layers: [
          ##"{"id": "l", "type": "line", "source": "s", "paint": {"line-width": \##(width / Double(scale))}}"##
        ], geoJSON: #"{"type":"LineString","coordinates":[[-100,20],[100,20]]}"#, zoom: 0,
        scale: scale
      ).stitched()
      let middle = picture.width / 2
      let alphas = (0..<picture.height).map { Double(picture[middle, $0].alpha) / 255 }
      #expect(abs(alphas.reduce(0, +) - expected) < 0.01)
    }
  }

  @Test("thin lines keep the dashes of their own width")
  func dashes() throws {
    let picture = try ShapePicture(
      layers: [
        ##"{"id": "l", "type": "line", "source": "s", "paint": {"line-width": 0.5, "line-dasharray": [16, 16]}}"##
      ], geoJSON: #"{"type":"LineString","coordinates":[[-180,20],[180,20]]}"#, zoom: 0
    ).stitched()
    let row = try #require((0..<256).first { picture[3, $0].alpha > 0 })
    let drawn = (0..<256).count { picture[$0, row].alpha > 0 }
    // 8 px of each 16.
    #expect((126...130).contains(drawn))
  }
}
