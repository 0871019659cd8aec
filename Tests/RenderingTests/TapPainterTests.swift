import Features
import Raster
import SpatialIndex
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("Hit tests of a cell or a pixel")
struct TapPainterTests {
  static let layers = [
    #"""
    {"id": "area", "type": "fill", "source": "s", "filter": ["==", ["geometry-type"], "Polygon"],
     "paint": {"fill-color": "#8c8", "fill-outline-color": "#000", "fill-translate": [3, -5]}}
    """#,
    #"""
    {"id": "road", "type": "line", "source": "s", "filter": ["==", ["geometry-type"], "LineString"],
     "paint": {"line-width": 2, "line-offset": 6, "line-color": "#c00"}}
    """#,
    #"""
    {"id": "case", "type": "line", "source": "s", "filter": ["==", ["geometry-type"], "LineString"],
     "layout": {"line-join": "round"},
     "paint": {"line-width": 1.5, "line-gap-width": 13, "line-translate": [-20, 40]}}
    """#,
    #"""
    {"id": "corner", "type": "circle", "source": "s", "filter": ["==", ["geometry-type"], "Polygon"],
     "paint": {"circle-radius": 2, "circle-stroke-width": 1, "circle-translate": [10, 4]}}
    """#,
    #"""
    {"id": "name", "type": "symbol", "source": "s", "layout": {"symbol-placement": "line",
       "text-field": ["get", "name"], "text-font": ["DejaVu Sans"], "text-size": 13}}
    """#,
    #"""
    {"id": "label", "type": "symbol", "source": "s",
     "filter": ["==", ["geometry-type"], "Polygon"],
     "layout": {"text-field": ["get", "name"], "text-font": ["DejaVu Sans"], "text-rotate": 20}}
    """#,
    #"""
    {"id": "icon", "type": "symbol", "source": "s",
     "filter": ["==", ["geometry-type"], "Polygon"],
     "paint": {"icon-translate": [6, -3]},
     "layout": {"icon-image": "frame", "icon-size": 4, "icon-rotate": 30, "icon-anchor": "left",
       "icon-offset": [2, 5], "icon-allow-overlap": true}}
    """#,
    #"""
    {"id": "sign", "type": "symbol", "source": "s",
     "filter": ["==", ["geometry-type"], "LineString"],
     "layout": {"icon-image": "arrow", "icon-size": 3, "symbol-placement": "line",
       "symbol-spacing": 60, "icon-allow-overlap": true}}
    """#,
    #"""
    {"id": "inline", "type": "symbol", "source": "s",
     "filter": ["==", ["geometry-type"], "Polygon"],
     "layout": {"text-field": ["format", ["image", "frame"], {}, ["image", "disc"], {}, "A", {}],
       "text-font": ["DejaVu Sans"], "text-allow-overlap": true}}
    """#,
  ]

  private static func shapes(_ grid: PixelGrid, _ random: inout SplitMix64) -> [SampleShape] {
    let side = Double(grid.tileSize << grid.zoom)
    return (0..<24).map { number in
      let (x, y) = (random.number(in: -40..<side), random.number(in: 100..<(side - 100)))
      let reach = random.number(in: 1..<60)
      let places = [(0.0, 0.0), (1, 0.2), (0.7, 1.1), (-0.3, 0.8)].map {
        LngLat(x: x + $0.0 * reach, y: y + $0.1 * reach, grid: grid)
      }
      return number % 2 == 0
        ? .polygon([places + [places[0]]], name: "Area \(number)")
        : .line(places, name: "Lane \(number)")
    }
  }

  private static func scenes(
    _ layers: [StyleLayer], scale: Int, zoom: Int = 1
  ) throws -> (SampleBuild, ZoomScenes) {
    var random = SplitMix64(seed: UInt64(scale))
    let shapes = shapes(PixelGrid(zoom: zoom, scale: scale), &random)
    var build = try SampleBuild(layers, zoom: zoom, scale: scale)
    build.builder.keepsFeatures = true
    let set = ShapeSet.sample(shapes)
    let scenes = try build.builder.scenes(
      of: [.sample(shapes)],
      shapes: [ShapeSource(id: "s", shapes: set, world: WorldShapes(set))], zoom: zoom)
    return (build, scenes)
  }

  @Test(
    "a tap's hit area covers every drawn pixel, and nothing far from one",
    arguments: Array(Self.layers.indices), [1, 2])
  func ink(index: Int, scale: Int) throws {
    let (build, scenes) = try Self.scenes([try layer(Self.layers[index])], scale: scale)
    let side = 256 * scale
    let cell = side / 64
    let taps = TapPainter(layers: [0], side: side, scale: scale, fonts: try fonts.get())
    let painter = try build.painter()
    var drawn = 0
    // A label answers by its box, whose corners lie off where it is turned.
    let reach = [5, 6].contains(index) ? 7 : 3
    // An enlarged image fades beyond its edges.
    let visible = index >= 6 ? 127 : 40
    let inside = reach..<(64 - reach)
    for tile in 0..<scenes.count {
      let grid = try taps.grid(tile, of: scenes)
      let pixels = try painter.pixels(tile, of: scenes)
      var ink = [Bool](repeating: false, count: 64 * 64)
      for y in 0..<side {
        for x in 0..<side where pixels.pixels[y * side + x] >> 24 > visible {
          ink[y / cell * 64 + x / cell] = true
        }
      }
      for row in 0..<64 {
        for column in 0..<64 {
          let hit = grid?.feature(column: column, row: row)
          if ink[row * 64 + column] {
            drawn += 1
            #expect(hit != nil, "cell \(column), \(row) of \(scenes.tile(tile))")
          } else if hit != nil, inside.contains(row), inside.contains(column) {
            let isNear = (row - reach...row + reach).contains { near in
              (column - reach...column + reach).contains { ink[near * 64 + $0] }
            }
            #expect(isNear, "cell \(column), \(row) of \(scenes.tile(tile))")
          }
        }
      }
    }
    // Not every seed has a lane that is long enough for its name.
    #expect(drawn > 50 || index == 4)
  }

  @Test("an icon answers in the pixels of its image and in no others", arguments: [1, 2])
  func icon(scale: Int) throws {
    let layers = [
      #"{"id": "a", "type": "symbol", "source": "s", "layout": {"icon-image": "arrow"}}"#
    ]
    let grid = PixelGrid(zoom: 0, scale: scale)
    var build = try SampleBuild(try layers.map { try layer($0) }, zoom: 0, scale: scale)
    build.builder.keepsFeatures = true
    let source = SymbolSource(
      id: "s", points: .sample([LngLat(x: 100, y: 80, grid: grid)]), level: nil)
    let scenes = try build.builder.scenes(of: [source], zoom: 0)
    let taps = TapPainter(layers: [0], side: 256 * scale, scale: scale, fonts: try fonts.get())
    for x in stride(from: 90, to: 110, by: 1) {
      for y in stride(from: 70, to: 90, by: 1) {
        let isInside = (96..<104).contains(x) && (77..<83).contains(y)
        let hits = try taps.hits(0, of: scenes, x: x * scale, y: y * scale)
        #expect(hits.isEmpty != isInside, "\(x), \(y)")
      }
    }
  }

  @Test("a hit test at a pixel lists all, the topmost first, and the grid has the first")
  func hits() throws {
    let layers = try Self.layers.map { try layer($0) }
    let (_, scenes) = try Self.scenes(layers, scale: 1)
    let all = Set(layers.indices)
    let taps = TapPainter(layers: all, side: 256, scale: 1, fonts: try fonts.get())
    var random = SplitMix64(seed: 3)
    var several = 0
    for tile in 0..<scenes.count {
      let grid = try taps.grid(tile, of: scenes)
      for _ in 0..<400 {
        let (x, y) = (random.below(256), random.below(256))
        let hits = try taps.hits(tile, of: scenes, x: x, y: y)
        #expect(hits.map(\.layer) == hits.map(\.layer).sorted(by: >))
        #expect(Set(hits).count == hits.count)
        several += hits.count > 1 ? 1 : 0
        // What is drawn at a pixel is drawn in its cell, or covered by what lies over it.
        if !hits.isEmpty { #expect(grid?.feature(column: x / 4, row: y / 4) != nil) }
      }
    }
    #expect(several > 20)
  }

  @Test("a hit test only considers the requested layers")
  func layersAsked() throws {
    let layers = try Self.layers.map { try layer($0) }
    let (_, scenes) = try Self.scenes(layers, scale: 1)
    let taps = TapPainter(layers: [3], side: 256, scale: 1, fonts: try fonts.get())
    for tile in 0..<scenes.count {
      for x in stride(from: 0, to: 256, by: 5) {
        let hits = try taps.hits(tile, of: scenes, x: x, y: 128)
        #expect(hits.allSatisfy { $0.layer == 3 })
      }
    }
  }
}

@Suite("A straight line and a cell")
struct TapSegmentTests {
  @Test("the distance of a segment and a cell is that of their nearest points")
  func distance() {
    var random = SplitMix64(seed: 8)
    for _ in 0..<200 {
      let segment = TapSegment(
        ax: random.number(in: -10..<14), ay: random.number(in: -10..<14),
        bx: random.number(in: -10..<14), by: random.number(in: -10..<14))
      let square = TapSquare(left: 0, top: 0, side: 4)
      let nearest =
        (0...400).map { step in
          let share = Double(step) / 400
          return square.distance(
            x: segment.ax + (segment.bx - segment.ax) * share,
            y: segment.ay + (segment.by - segment.ay) * share)
        }.min() ?? 0
      #expect(abs(segment.distance(to: square) - nearest) < 0.05)
      #expect(segment.distance(to: square) <= nearest + 1e-9)
    }
  }
}
