import Features
import TestSupport
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Symbols on shapes of tiles")
struct TileBorderTests {
  /// Tiles of zoom 2 are 512 px wide.
  private static let grid = PixelGrid(zoom: 2, tileSize: 512)

  private func line(_ places: [(Double, Double)]) -> SampleShape {
    .line(places.map { LngLat(x: $0.0, y: $0.1, grid: Self.grid) }, name: "Road")
  }

  private func shapes(_ places: [(Double, Double)]) -> SymbolShapes {
    SymbolShapes(
      .sample([line(places)]), findsPoles: false, borders: TileBorders(zoom: Self.grid.zoom))
  }

  private func centers(of places: [(Double, Double)], tileZoom: Int) throws -> [Double] {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"symbol-placement": "line", "text-field": ["get", "name"], "text-font": ["DejaVu Sans"],
         "text-size": 20}}
      """#)
    let source = SymbolSource.sample([line(places)], borders: TileBorders(zoom: tileZoom))
    return try PlacedSymbols([layer], [source], grid: Self.grid).centers.map(\.x)
  }

  @Test("a line that a tile has cut at its start has no symbol there")
  func startsOfLines() {
    #expect(shapes([(512, 100), (700, 100)]).labelPlaces(of: 0).isEmpty)
    #expect(shapes([(600, 1024), (700, 1100)]).labelPlaces(of: 0).isEmpty)
    #expect(shapes([(513, 100), (1024, 100)]).labelPlaces(of: 0).count == 1)
  }

  @Test("circles are at the vertices of a shape, and not where a tile has cut it")
  func vertices() {
    #expect(shapes([(512, 100), (600, 200), (1024, 200)]).vertices(of: 0).count == 1)
  }

  @Test(
    "on a line that a tile has cut at its start, the first label is half the spacing from there")
  func continuedLine() throws {
    let found = try centers(of: [(512, 1000), (1000, 1000)], tileZoom: 2)
    #expect(found.count == 2)
    #expect(abs((found.first ?? 0) - 637) < 0.1 && abs((found.last ?? 0) - 887) < 0.1)
    // Too short for that, it has none in its middle, as a whole line has.
    #expect(try centers(of: [(512, 1000), (590, 1000)], tileZoom: 2).isEmpty)
    #expect(try centers(of: [(520, 1000), (598, 1000)], tileZoom: 2).count == 1)
  }

  @Test("beyond the zoom of the tiles, the offset of the first label is magnified with them")
  func magnified() throws {
    let places = [(100.0, 900.0), (500, 900)]
    let (whole, coarse) = (
      try centers(of: places, tileZoom: 2), try centers(of: places, tileZoom: 0)
    )
    let offset = ((whole.first ?? 0) - 100) * 4
    // What is beyond the spacing is taken off, and a label that would begin before the line is left out.
    #expect(!coarse.isEmpty)
    for center in coarse {
      #expect(abs((center - 100 - offset).remainder(dividingBy: 250)) < 0.5)
    }
  }

  @Test("anchors on lines are rounded to units of their tile, those at poles rounded down")
  func units() {
    // A tile of zoom 2 has 8,192 units: 16 in a pixel.
    let unit = 0.25 / 8192
    let borders = TileBorders(zoom: 2)
    let place = WorldPlace(x: 0.25 + 100.4 * unit, y: 0.5 + 7.6 * unit)
    #expect(borders.anchor(onLine: place) == WorldPlace(x: 0.25 + 100 * unit, y: 0.5 + 8 * unit))
    #expect(borders.anchor(atPole: place) == WorldPlace(x: 0.25 + 100 * unit, y: 0.5 + 7 * unit))
  }

  @Test("labels on lines and in polygons stand on the units of their tile")
  func anchors() throws {
    // Units of zoom 0 are a quarter of a pixel of zoom 2.
    let found = try centers(of: [(100.1, 900.1), (190.2, 900.1)], tileZoom: 0)
    #expect(found.count == 1 && found.allSatisfy { ($0 * 4).rounded() == $0 * 4 })
    let ring = [(100.0, 100.0), (137, 104), (141, 131), (103, 129)].map {
      LngLat(x: $0.0, y: $0.1, grid: Self.grid)
    }
    let shapes = SymbolShapes(
      .sample([.polygon([ring])]), findsPoles: true, borders: TileBorders(zoom: 0))
    let pole = try #require(shapes.labelPlaces(of: 0).first)
    #expect((pole.x * 8192).rounded() == pole.x * 8192)
    #expect((pole.y * 8192).rounded() == pole.y * 8192)
  }

  @Test("the pole of a tile's polygon is found as precisely as in MapLibre")
  func pole() throws {
    let ring = [(0.0, 0.0), (9, 1), (10, 6), (4, 9), (1, 5)].map {
      WorldPlace(x: 0.5 + $0.0 / 1e5, y: 0.5 + $0.1 / 1e5)
    }
    let exact = try #require(PoleOfInaccessibility(rings: [ring[...]]).pole)
    // A pixel of the tile is larger than the polygon: its centroid suffices.
    let coarse = try #require(PoleOfInaccessibility(rings: [ring[...]], tileSide: 0.5).pole)
    #expect(exact != coarse)
    #expect(abs(exact.x - coarse.x) < 2e-5 && abs(exact.y - coarse.y) < 2e-5)
  }
}
