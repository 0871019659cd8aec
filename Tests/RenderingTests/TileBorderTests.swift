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

  /// The second tile of the first row.
  private static let tile = TileCoord(z: 2, x: 1, y: 0)

  private func line(_ places: [(Double, Double)], of tile: TileCoord = tile) -> SampleShape {
    .line(places.map { LngLat(x: $0.0, y: $0.1, grid: Self.grid) }, name: "Road").of(tile)
  }

  private func shapes(_ places: [(Double, Double)]) -> SymbolShapes {
    SymbolShapes(
      .sample([line(places)]), findsPoles: false, borders: TileBorders(zoom: Self.grid.zoom))
  }

  /// The columns of the symbols of a layer on a line, in px of the world.
  private func centers(
    of places: [(Double, Double)], in tile: TileCoord, layout: String = "", size: String = "20"
  ) throws -> [Double] {
    let placement = layout.contains("symbol-placement") ? "" : #""symbol-placement": "line","#
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {\#(placement) "text-field": ["get", "name"], "text-font": ["DejaVu Sans"],
         "text-size": \#(size)\#(layout)}}
      """#)
    let source = SymbolSource.sample(
      [line(places, of: tile)], borders: TileBorders(zoom: tile.z))
    return try PlacedSymbols([layer], [source], grid: Self.grid).centers.map(\.x)
  }

  @Test("labels stand along a line where those of zoom 18 do")
  func farSize() throws {
    let places = [(520.0, 1000.0), (1000, 1000)]
    let tile = TileCoord(z: 2, x: 1, y: 1)
    let small = try #require(try centers(of: places, in: tile).first)
    let far = try #require(
      try centers(of: places, in: tile, size: #"["step", ["zoom"], 20, 18, 40]"#).first)
    #expect(abs((far - 520) - 2 * (small - 520)) < 0.2)
  }

  @Test("a line has its symbol at its first vertex, if that is in the square of its tile")
  func startsOfLines() {
    #expect(shapes([(511, 100), (700, 100)]).labelPlaces(of: 0).isEmpty)
    #expect(shapes([(1024, 100), (700, 100)]).labelPlaces(of: 0).isEmpty)
    #expect(shapes([(512, 100), (1024, 100)]).labelPlaces(of: 0).count == 1)
  }

  @Test("circles are at the vertices of a shape in the square of its tile")
  func vertices() {
    // The north and the west border belong to it.
    let vertices = shapes([(500, 0), (512, 0), (600, 200), (1024, 200), (1030, 210)]).vertices(
      of: 0)
    #expect(vertices == [WorldPlace(x: 0.25, y: 0), WorldPlace(x: 600 / 2048, y: 200 / 2048)])
  }

  @Test("a polygon has its symbol where its pole is in the square of its tile")
  func poles() {
    let ring = [(500.0, 100.0), (800, 100), (800, 300), (500, 300)].map {
      LngLat(x: $0.0, y: $0.1, grid: Self.grid)
    }
    func count(_ tile: TileCoord) -> Int {
      SymbolShapes(
        .sample([SampleShape.polygon([ring]).of(tile)]), findsPoles: true,
        borders: TileBorders(zoom: 2)
      ).labelPlaces(of: 0).count
    }
    #expect(count(Self.tile) == 1)
    // The tile to the west has it in its buffer, too.
    #expect(count(TileCoord(z: 2, x: 0, y: 0)) == 0)
  }

  @Test("the middle of a line is that of all that its tile has, and shows in one of two tiles")
  func middles() throws {
    let places = [(480.0, 100.0), (680, 100)]
    let layout = #", "symbol-placement": "line-center", "text-rotation-alignment": "viewport""#
    #expect(try centers(of: places, in: Self.tile, layout: layout) == [580])
    #expect(try centers(of: places, in: TileCoord(z: 2, x: 0, y: 0), layout: layout).isEmpty)
  }

  @Test(
    "a line is cut to the square of its tile at whole units, and what lies on its end is not in it")
  func parts() {
    let tile = SourceTile(TileKey(Self.tile), TileBorders(zoom: 2))
    let unit = 0.25 / 8192
    func place(_ x: Double, _ y: Double) -> WorldPlace {
      WorldPlace(x: 0.25 + x * unit, y: y * unit)
    }
    func parts(_ places: [(Double, Double)]) -> [[WorldPlace]] {
      tile.parts(of: places.map { place($0.0, $0.1) })
    }
    #expect(parts([(10, 10), (20, 30)]) == [[place(10, 10), place(20, 30)]])
    #expect(
      parts([(-3, 0), (3, 7), (8200, 7)]) == [[place(0, 4), place(3, 7), place(8192, 7)]])
    // It leaves the square and comes back.
    #expect(
      parts([(5, 5), (-5, 5), (-5, 9), (5, 9)])
        == [[place(5, 5), place(0, 5)], [place(0, 9), place(5, 9)]])
    #expect(parts([(0, 5), (0, 9)]) == [[place(0, 5), place(0, 9)]])
    #expect(parts([(8192, 5), (8192, 9)]).isEmpty)
    #expect(parts([(-5, 5), (-1, 9000)]).isEmpty)
  }

  @Test(
    "on a line that a tile has cut at its start, the first label is half the spacing from there")
  func continuedLine() throws {
    let tile = TileCoord(z: 2, x: 1, y: 1)
    let found = try centers(of: [(500, 1000), (1000, 1000)], in: tile)
    #expect(found.count == 2)
    #expect(abs((found.first ?? 0) - 637) < 0.1 && abs((found.last ?? 0) - 887) < 0.1)
    // Too short for that, it has none in its middle, as a whole line has.
    #expect(try centers(of: [(500, 1000), (590, 1000)], in: tile).isEmpty)
    #expect(try centers(of: [(520, 1000), (598, 1000)], in: tile).count == 1)
  }

  @Test("beyond the zoom of the tiles, the offset of the first label is magnified with them")
  func magnified() throws {
    let places = [(100.0, 900.0), (500, 900)]
    let (whole, coarse) = (
      try centers(of: places, in: TileCoord(z: 2, x: 0, y: 1)),
      try centers(of: places, in: TileCoord(z: 0, x: 0, y: 0))
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
    let tile = SourceTile(TileKey(TileCoord(z: 2, x: 1, y: 2)), TileBorders(zoom: 2))
    let place = WorldPlace(x: 0.25 + 100.4 * unit, y: 0.5 + 7.6 * unit)
    #expect(tile.anchor(at: place) == WorldPlace(x: 0.25 + 100 * unit, y: 0.5 + 8 * unit))
    #expect(tile.anchor(atPole: place) == WorldPlace(x: 0.25 + 100 * unit, y: 0.5 + 7 * unit))
    #expect(tile.anchor(at: WorldPlace(x: 0.5 - 0.3 * unit, y: 0.6)) == nil)
    #expect(tile.anchor(atPole: WorldPlace(x: 0.5 - 0.3 * unit, y: 0.6)) != nil)
    #expect(
      tile.isOnSide(WorldPlace(x: 0.3, y: 0.75)) && tile.isOnSide(WorldPlace(x: 0.25, y: 0.6)))
    #expect(!tile.isOnSide(WorldPlace(x: 0.25 + unit, y: 0.6)))
  }

  @Test("labels on lines and in polygons stand on the units of their tile")
  func anchors() throws {
    // Units of zoom 0 are a quarter of a pixel of zoom 2.
    let tile = TileCoord(z: 0, x: 0, y: 0)
    let found = try centers(of: [(100.1, 900.1), (190.2, 900.1)], in: tile)
    #expect(found.count == 1 && found.allSatisfy { ($0 * 4).rounded() == $0 * 4 })
    let ring = [(100.0, 100.0), (137, 104), (141, 131), (103, 129)].map {
      LngLat(x: $0.0, y: $0.1, grid: Self.grid)
    }
    let shapes = SymbolShapes(
      .sample([SampleShape.polygon([ring]).of(tile)]), findsPoles: true,
      borders: TileBorders(zoom: 0))
    let pole = try #require(shapes.labelPlaces(of: 0).first)
    #expect((pole.x * 8192).rounded() == pole.x * 8192)
    #expect((pole.y * 8192).rounded() == pole.y * 8192)
  }

  @Test("an icon is turned by the vertex before its anchor, as that is rounded")
  func directions() throws {
    let places = [(512.0, 0.0), (520, 0), (520, 8), (528, 8)].map {
      WorldPlace(x: $0.0 / 2048, y: $0.1 / 2048)
    }
    let line = LabelLine(places, worldSide: 2048, keepsVertices: true)
    // An anchor that is a vertex has the direction of the segment before it.
    let corner = try #require(line.direction(toX: 520, y: 0, on: 1, tolerance: 1e-4))
    #expect(corner == (1, 0))
    let below = try #require(line.direction(toX: 520, y: 3, on: 1, tolerance: 1e-4))
    #expect(below == (0, 1))
    #expect(line.direction(toX: 512, y: 0, on: 0, tolerance: 1e-4) == nil)
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
