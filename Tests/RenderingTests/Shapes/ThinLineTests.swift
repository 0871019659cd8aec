import Foundation
import Raster
import Testing

@Suite("Lines thinner than a pixel")
struct ThinLineTests {
  @Test(
    "lines have the opacity of MapLibre's shader at the distance of a pixel's centre, thin ones too",
    arguments: [0.1, 0.5, 0.9, 1.0, 1.5, 0.0], [1, 2])
  func coverage(width: Double, scale: Int) throws {
    let picture = try ShapePicture(
      layers: [
        ##"{"id": "l", "type": "line", "source": "s", "paint": {"line-width": \##(width / Double(scale))}}"##
      ], geoJSON: #"{"type":"LineString","coordinates":[[-100,20],[100,20]]}"#, zoom: 0,
      scale: scale
    ).stitched()
    let north = asinh(tan(20 * Double.pi / 180)) / .pi
    let line = (1 - north) / 2 * Double(picture.height)
    for row in 0..<picture.height {
      let distance = abs(Double(row) + 0.5 - line)
      let alpha = width > 0 ? min(max(width / 2 + 0.5 - distance, 0), 1) : 0
      #expect(abs(Double(picture[picture.width / 2, row].alpha) / 255 - alpha) < 0.02)
    }
  }

  @Test("thin lines keep the dashes of their own width")
  func dashes() throws {
    let picture = try ShapePicture(
      layers: [
        ##"{"id": "l", "type": "line", "source": "s", "paint": {"line-width": 0.5, "line-dasharray": [16, 16]}}"##
      ], geoJSON: #"{"type":"LineString","coordinates":[[-180,20],[180,20]]}"#, zoom: 0
    ).stitched()
    let row = try #require((0..<256).max { picture[3, $0].alpha < picture[3, $1].alpha })
    let drawn = (0..<256).count { picture[$0, row].alpha > picture[3, row].alpha / 2 }
    // 8 px of each 16.
    #expect((124...132).contains(drawn))
  }
}
