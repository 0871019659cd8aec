import Columns
import PNG
import Platform
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("Tiles with labels of every kind, side by side")
struct SymbolStitchTests {
  /// Winding roads with one name or two, some over the antimeridian.
  private static func roads(_ random: inout SplitMix64, count: Int, grid: PixelGrid)
    -> [SampleShape]
  {
    (0..<count).map { number in
      let side = Double(grid.tileSize << grid.zoom)
      var (x, y) = (random.number(in: -100..<side), random.number(in: 50..<(side - 50)))
      var heading = random.number(in: 0..<6.28)
      var places: [LngLat] = []
      for _ in 0..<(20 + random.below(60)) {
        places.append(LngLat(x: x, y: min(max(y, 5), side - 5), grid: grid))
        heading += random.number(in: -0.4..<0.4)
        x += 12 * cos(heading)
        y += 12 * sin(heading)
      }
      return .line(places, name: random.below(2) == 0 ? "Winding Road" : "Lane \(number)")
    }
  }

  private static func areas(_ random: inout SplitMix64, count: Int, grid: PixelGrid)
    -> [SampleShape]
  {
    (0..<count).map { number in
      let side = Double(grid.tileSize << grid.zoom)
      let (x, y) = (random.number(in: 0..<side), random.number(in: 150..<(side - 250)))
      let ring = (0..<12).map { corner in
        let reach = random.number(in: 20..<90)
        let angle = Double(corner) / 12 * 2 * .pi
        return LngLat(x: x + reach * cos(angle), y: y + reach * sin(angle), grid: grid)
      }
      return .polygon([ring], name: "Area \(number)")
    }
  }

  static let layers = [
    #"""
    {"id": "corners", "type": "circle", "source": "s", "filter": ["==", ["geometry-type"], "Polygon"],
     "paint": {"circle-radius": 2, "circle-color": "#888"}}
    """#,
    #"""
    {"id": "roads", "type": "symbol", "source": "s",
     "filter": ["==", ["geometry-type"], "LineString"],
     "layout": {"symbol-placement": "line", "symbol-spacing": 120, "text-field": ["get", "name"],
       "text-font": ["DejaVu Sans"], "text-size": 13, "text-letter-spacing": 0.05},
     "paint": {"text-halo-color": "rgba(255,200,0,0.7)", "text-halo-width": 1.5}}
    """#,
    #"""
    {"id": "areas", "type": "symbol", "source": "s",
     "filter": ["==", ["geometry-type"], "Polygon"],
     "layout": {"text-variable-anchor": ["center", "top", "bottom-left", "right"],
       "text-radial-offset": 0.5, "text-justify": "auto", "text-font": ["DejaVu Sans"],
       "text-size": 12, "text-field": ["format", ["get", "name"], {},
         "\nname", {"font-scale": 0.7, "text-color": "#00f", "text-font": ["literal", ["DejaVu Sans Bold"]]}]},
     "paint": {"text-halo-color": "white", "text-halo-width": 1}}
    """#,
  ]

  @Test(
    "tiles with labels of every kind are one large picture, pixel for pixel",
    arguments: [(0.0, 1), (1, 2)])
  func stitch(snap: Double, scale: Int) throws {
    var random = SplitMix64(seed: UInt64(scale))
    let grid = PixelGrid(zoom: 1, tileSize: 256, scale: scale, snap: snap)
    let source = SymbolSource.sample(
      Self.roads(&random, count: 12, grid: grid) + Self.areas(&random, count: 20, grid: grid))
    let layers = try Self.layers.map { try layer($0) }
    let placed = try PlacedSymbols(layers, [source], grid: grid)
    #expect(placed.labels.contains { !$0.poses.isEmpty })
    #expect(Set(placed.labels.map(\.style.anchor)).count > 2)
    let world = try placed.world()
    var build = try SampleBuild(layers, zoom: 1, scale: scale, snap: snap)
    let scenes = try build.builder.scenes(of: [source], zoom: 1)
    #expect(scenes.count == 4)
    let side = grid.tilePixels
    let painter = TilePainter(side: side, scale: scale, sparse: nil, fonts: try fonts.get())
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      var png: [UInt8] = []
      try painter.paint(index, of: scenes, into: &png)
      let expected = world.part(left: tile.x * side, top: tile.y * side, side: side)
      let drawn = try PNGDecoder().decode(png)
      #expect(drawn.largestDifference(to: expected.withRoundedEdges()) == 0, "\(tile)")
    }
  }

  @Test("labels are the same whatever part of the world is drawn: they are placed once")
  func everywhere() throws {
    var random = SplitMix64(seed: 4)
    let grid = PixelGrid(zoom: 3, tileSize: 256)
    let source = SymbolSource.sample(
      Self.roads(&random, count: 60, grid: grid) + Self.areas(&random, count: 80, grid: grid))
    let layers = try Self.layers.map { try layer($0) }
    let hashes = try [GeoBounds.world, GeoBounds(west: -100, south: -20, east: -30, north: 50)].map
    {
      bounds in
      var build = try SampleBuild(layers, zoom: 3, bounds: WorldBox(bounds))
      let scenes = try build.builder.scenes(of: [source], zoom: 3)
      return Dictionary(
        uniqueKeysWithValues: (0..<scenes.count).map { (scenes.tile($0), scenes.hashes[$0]) })
    }
    #expect(!hashes[1].isEmpty && hashes[1].count < hashes[0].count)
    for (tile, hash) in hashes[1] { #expect(hashes[0][tile] == hash) }
  }
}
