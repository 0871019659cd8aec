import Foundation
import PNG
import Raster
import TestSupport
import Testing

@Suite("An image on a map")
struct ImageTests {
  @Test("an image is checked, planned, built and verified by its commands, and drawn as a tile")
  func commands() throws {
    let folder = try TemporaryFolder()
    let picture = Pixmap(width: 8, height: 8)
    picture.clear(to: PremultipliedColor(Color(red: 0, green: 0.5, blue: 1)))
    try Data(PNGEncoder().encode(picture)).write(to: URL(fileURLWithPath: folder.path("sea.png")))
    let pipeline = try folder.write(
      """
      version: 1
      sources:
        sea: {type: image, url: sea.png, bounds: [-90, -45, 90, 45], resampling: nearest}
      layers: [{id: r, type: raster, source: sea}]
      tiles: {maxzoom: 3}
      output: {path: sea.mbtiles}
      """, to: "sea.yml")
    for arguments in [["check", pipeline], ["plan", pipeline], ["build", pipeline]] {
      let outcome = try Program.run(arguments[0], arguments[1])
      #expect(outcome.status == 0, "\(arguments[0]): \(outcome.errors)")
    }
    #expect(try Program.run("verify", folder.path("sea.mbtiles")).status == 0)
    let tile = folder.path("tile.png")
    #expect(try Program.run("tile", pipeline, "1/0/0", "-o", tile).status == 0)
    let drawn = try PNGDecoder().decode(folder.bytes("tile.png"))
    #expect(drawn[255, 255] == picture[0, 0])
    #expect(drawn[100, 255] == .transparent)
  }
}
