import DefinitionSamples
import Testing
import Tiling

@testable import Definition

@Suite("The view of a MapLibre style")
struct StyleViewTests {
  private func view(_ members: String) throws -> StartView {
    try definition(
      #"{"version": 8, "name": "a", "sources": {}, "layers": [], \#(members)}"#, file: "a.json"
    ).view
  }

  @Test("center and zoom are where maps first look, unless there is a view")
  func view() throws {
    let plain = try view(#""center": [370.5, 45], "zoom": 3.6"#)
    #expect(plain.center?.longitude == 10.5 && plain.center?.latitude == 45 && plain.zoom == 4)
    let own = try view(#""center": [1, 2], "zoom": 3, "view": {"zoom": 5}"#)
    #expect(own.center == nil && own.zoom == 5)
  }

  @Test("zooms are those of tiles of 512 px, within those that are made; nonsense is no view")
  func limits() throws {
    #expect(try view(#""zoom": 3, "tiles": {"tileSize": 256}"#).zoom == 4)
    #expect(try view(#""zoom": 23"#).zoom == 14)
    #expect(try view(#""zoom": -2.4"#).zoom == 0)
    let none = try view(#""center": [1, 95], "zoom": "far""#)
    #expect(none.center == nil && none.zoom == nil)
  }

  @Test("a projection that viewers draw round has a note, Mercator has none")
  func projection() throws {
    for (type, count) in [("globe", 1), ("mercator", 0)] {
      let style = try definition(
        #"{"version": 8, "name": "a", "sources": {}, "layers": [], "projection": {"type": "\#(type)"}}"#,
        file: "a.json")
      #expect(style.notes.count == count, "\(type)")
    }
  }
}
