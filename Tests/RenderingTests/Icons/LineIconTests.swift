import Features
import Raster
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Icons along lines")
struct LineIconTests {
  private static let grid = PixelGrid(zoom: 2, tileSize: 512)

  /// The centres of the symbols on a line, in style px of the world.
  private func centers(
    _ places: [(Double, Double)], _ layout: String, placement: String
  ) throws -> [[Double]] {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"symbol-placement": "\#(placement)", "icon-image": "arrow", "icon-allow-overlap": true,
         "text-font": ["DejaVu Sans"], "text-allow-overlap": true \#(layout)}}
      """#)
    let line = SampleShape.line(places.map { LngLat(x: $0.0, y: $0.1, grid: Self.grid) })
    var looks = LookTable()
    let symbols = try SymbolResolver(
      style: Style(layers: [layer], images: SampleImages.images), fonts: try fonts.get()
    ).symbols(of: [.sample([line])], grid: Self.grid, looks: &looks)
    return (0..<symbols.count).map {
      [Double(symbols.xs[$0]) / 16, Double(symbols.ys[$0]) / 16]
    }
  }

  @Test(
    "text-max-angle keeps texts from sharp bends, and no icon without a text",
    arguments: [
      ("line-center", "", 1), ("line", "", 1),
      ("line-center", #", "text-max-angle": 1"#, 1), ("line", #", "text-max-angle": 1"#, 1),
      ("line-center", #", "text-field": "II""#, 0), ("line", #", "text-field": "II""#, 0),
      ("line-center", #", "text-field": "II", "text-max-angle": 91"#, 1),
    ])
  func sharpBend(placement: String, layout: String, count: Int) throws {
    let found = try centers(
      [(1000, 986), (1000, 1000), (1014, 1000)], layout, placement: placement)
    #expect(found == Array(repeating: [1000, 1000], count: count))
  }

  @Test("an icon stands in the middle of a line that is shorter, but not along it")
  func shortLine() throws {
    let line = [(1000.0, 1000.0), (1002, 1000)]
    #expect(try centers(line, "", placement: "line-center") == [[1001, 1000]])
    #expect(try centers(line, "", placement: "line") == [])
  }

  @Test("an icon takes up its unturned box, whatever the direction of its line")
  func unturnedRoom() throws {
    // Icons of 8 × 6 px and 2 px around them, in the middles of lines that run southward.
    func count(dx: Double, dy: Double) throws -> Int {
      let lines = [0.0, 1].map { step in
        SampleShape.line(
          [(1000 + step * dx, 980 + step * dy), (1000 + step * dx, 1020 + step * dy)].map {
            LngLat(x: $0.0, y: $0.1, grid: Self.grid)
          })
      }
      let layer = try layer(
        #"""
        {"id": "a", "type": "symbol", "source": "s", "layout":
          {"symbol-placement": "line-center", "icon-image": "arrow"}}
        """#)
      var looks = LookTable()
      return try SymbolResolver(
        style: Style(layers: [layer], images: SampleImages.images), fonts: try fonts.get()
      ).symbols(of: [.sample(lines)], grid: Self.grid, looks: &looks).count
    }
    #expect(try count(dx: 11, dy: 0) == 1 && count(dx: 12, dy: 0) == 2)
    #expect(try count(dx: 0, dy: 9) == 1 && count(dx: 0, dy: 10) == 2)
  }
}
