import Features
import PNG
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("Symbols larger than a tile")
struct VastSymbolTests {
  private static let circles = """
    {"id": "a", "type": "circle", "source": "s", "paint": {
      "circle-radius": ["get", "r"], "circle-blur": ["get", "b"],
      "circle-color": ["rgba", ["get", "c"], 90, 40, ["get", "o"]],
      "circle-stroke-width": ["get", "w"], "circle-stroke-color": ["rgba", 0, 0, ["get", "c"], ["get", "o"]],
      "circle-translate": [13, -7]}}
    """
  private static let labels = """
    {"id": "b", "type": "symbol", "source": "s",
     "layout": {"text-field": ["get", "t"], "text-font": ["DejaVu Sans Bold"], "text-size": 190,
       "text-allow-overlap": true, "symbol-z-order": "source", "text-rotate": 30},
     "paint": {"text-color": "rgba(0, 80, 0, 0.6)", "text-halo-color": "yellow", "text-halo-width": 9}}
    """

  private func source(_ random: inout SplitMix64, count: Int, opacity: [Double]) -> SymbolSource {
    let places = (0..<count).map { _ in
      LngLat(
        longitude: random.number(in: -180..<180), latitude: random.number(in: -80..<80))
    }
    func column(_ name: String, _ value: () -> Double) -> (name: String, values: [PropertyValue]) {
      (name, places.map { _ in .number(value()) })
    }
    let columns = [
      column("r") { random.pick([3, 150, 400, 400]) },
      column("b") { random.pick([0, 0, 0, 0.3]) },
      column("c") { Double(random.below(256)) },
      column("w") { random.pick([0, 2, 60]) },
      column("o") { random.pick(opacity) },
    ]
    let texts: [PropertyValue] = places.indices.map { .string($0 % 5 == 0 ? "Wide gap" : "") }
    return SymbolSource(
      id: "s", points: .sample(places, columns: columns + [("t", texts)]), level: nil)
  }

  /// The whole world as one picture, of sprites that are drawn whole.
  private func world(
    _ layers: [StyleLayer], _ source: SymbolSource, grid: PixelGrid
  ) throws -> Pixmap {
    var looks = LookTable()
    let symbols = try SymbolResolver(style: Style(layers: layers), fonts: fonts.get())
      .symbols(of: [source], grid: grid, looks: &looks)
    let factory = SpriteFactory(scale: grid.scale, fonts: try fonts.get())
    let picture = Pixmap(
      width: grid.worldPixels, height: grid.worldPixels, tracksEdges: true)
    for layer in layers.indices {
      for row in 0..<symbols.count {
        for entry in looks.stacks[Int(symbols.stacks[row])] where entry.layer == layer {
          let sprite = try factory.sprite(
            of: entry.look, phaseX: symbols.xs[row] & 15, phaseY: symbols.ys[row] & 15)
          for copy in -1...1 {
            picture.blend(
              sprite, x: symbols.xs[row] >> 4 - copy * grid.worldPixels, y: symbols.ys[row] >> 4)
          }
        }
      }
    }
    return picture
  }

  @Test(
    "symbols larger than a tile are drawn in parts, and the tiles are one picture to the pixel",
    arguments: [(1, [0.4, 1]), (2, [0.7]), (1, [1.0])])
  func stitched(scale: Int, opacity: [Double]) throws {
    var random = SplitMix64(seed: UInt64(scale) + UInt64(opacity.count))
    let layers = try [Self.circles, Self.labels].map { try layer($0) }
    let source = source(&random, count: 10, opacity: opacity)
    let grid = PixelGrid(zoom: 1, tileSize: 256, scale: scale)
    var build = try SampleBuild(layers, zoom: 1, scale: scale)
    let scenes = try build.builder.scenes(of: [source], zoom: 1)
    #expect(scenes.sprites.contains { $0.isVast } && scenes.sprites.contains { !$0.isVast })
    let expected = try world(layers, source, grid: grid)
    let painter = try build.painter()
    let side = grid.tilePixels
    #expect(scenes.count == 4)
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      let part = expected.part(left: tile.x * side, top: tile.y * side, side: side)
      #expect(try painter.pixels(index, of: scenes).largestDifference(to: part) == 0, "\(tile)")
      var png: [UInt8] = []
      try painter.paint(index, of: scenes, into: &png)
      let difference = part.largestDifferences(to: try PNGDecoder().decode(png))
      #expect(difference.edge <= StylePalette.tolerance && difference.elsewhere == 0, "\(tile)")
    }
  }

  @Test("symbols larger than a tile show exactly in the tiles with one of their pixels")
  func tiles() throws {
    let layers = [try layer(Self.circles)]
    let zoom = 2
    for seed in 0..<3 {
      var random = SplitMix64(seed: UInt64(seed))
      let source = source(&random, count: 1, opacity: [0, 0.004, 1])
      let grid = PixelGrid(zoom: zoom, tileSize: 256)
      var build = try SampleBuild(layers, zoom: zoom)
      let scenes = try build.builder.scenes(of: [source], zoom: zoom)
      let expected = try world(layers, source, grid: grid)
      let shown = Set((0..<scenes.count).map { scenes.tile($0) })
      for x in 0..<4 {
        for y in 0..<4 {
          let part = expected.part(left: x * 256, top: y * 256, side: 256)
          let isSeen = part.pixels.contains { $0 >> 24 != 0 }
          #expect(isSeen == shown.contains(TileCoord(z: zoom, x: x, y: y)), "\(seed) \(x) \(y)")
        }
      }
    }
  }

  @Test(
    "symbols of 10^18 px are not kept as sprites, and one opaque circle hides all below it",
    arguments: ["circle-radius", "circle-stroke-width"], [1e18, 1e300])
  func boundless(property: String, size: Double) throws {
    let layers = [
      try layer(
        """
        {"id": "a", "type": "circle", "source": "s", "paint": {"\(property)": ["get", "v"],
          "circle-opacity": \(property == "circle-radius" ? 1 : 0)}}
        """)
    ]
    var random = SplitMix64(seed: 3)
    let places = (0..<20).map { _ in
      LngLat(longitude: random.number(in: -180..<180), latitude: random.number(in: -80..<80))
    }
    let source = SymbolSource(
      id: "s", points: .sample(places, columns: [("v", places.map { _ in .number(size) })]),
      level: nil)
    var build = try SampleBuild(layers, zoom: 2)
    let scenes = try build.builder.scenes(of: [source], zoom: 2)
    #expect(scenes.count == 16)
    #expect(scenes.sprites.allSatisfy { $0.isVast })
    // All discs but the uppermost ones are hidden; the rings of strokes leave tiles open.
    #expect(scenes.entries.count < (property == "circle-radius" ? 16 * 4 : 16 * 40))
    let painter = try build.painter()
    for index in 0..<scenes.count {
      #expect(try painter.pixels(index, of: scenes).pixels.allSatisfy { $0 >> 24 == 255 })
    }
  }

  @Test("symbols are refused if they reach more tiles than fit into memory")
  func excess() throws {
    #expect(throws: TileExcess.self) {
      try TileExcess.check(.symbols, zoom: 9, tiles: TileExcess.symbolLimit + 1)
    }
    try TileExcess.check(.symbols, zoom: 9, tiles: TileExcess.symbolLimit)
  }
}
