import Columns
import Features
import Raster
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("One symbol for each feature: symbol-parts")
struct LargestPartTests {
  private typealias Part = (part: GeometryColumn.Part, places: [LngLat])

  private static let grid = PixelGrid(zoom: 2, tileSize: 256)

  private static func label(_ more: String = "") -> String {
    #"""
    {"id": "a", "type": "symbol", "source": "s", "layout":
      {"text-field": ["get", "name"], "text-font": ["DejaVu Sans"], "text-size": 10,
       "text-allow-overlap": true, "symbol-parts": "largest"\#(more)}}
    """#
  }

  private static func places(_ places: [(Double, Double)]) -> [LngLat] {
    places.map { LngLat(x: $0.0, y: $0.1, grid: grid) }
  }

  private static func square(_ x: Double, _ y: Double, _ side: Double) -> [LngLat] {
    places([(x, y), (x + side, y), (x + side, y + side), (x, y + side)])
  }

  private func centers(
    _ parts: [Part], _ json: String = label(), points: PointSet = PointSet()
  ) throws -> [[Double]] {
    let shapes = parts.isEmpty ? [] : [SampleShape(kind: .collection, parts: parts)]
    return try PlacedSymbols([layer(json)], [.sample(shapes, points: points)], grid: Self.grid)
      .centers.map { [$0.x, $0.y] }
  }

  @Test("the polygon with the largest area bears the label, whatever its place in the record")
  func polygons() throws {
    let (small, large) = (Self.square(100, 500, 40), Self.square(600, 500, 80))
    #expect(try centers([(.outerRing, small), (.outerRing, large)]) == [[640, 540]])
    #expect(try centers([(.outerRing, large), (.outerRing, small)]) == [[640, 540]])
  }

  @Test("an area counts without its holes")
  func holes() throws {
    let holed: [Part] = [
      (.outerRing, Self.square(600, 500, 80)), (.innerRing, Self.square(605, 505, 70)),
    ]
    #expect(try centers(holed + [(.outerRing, Self.square(100, 500, 40))]) == [[120, 520]])
    #expect(try centers([(.outerRing, Self.square(100, 500, 36))] + holed).count == 1)
  }

  @Test("areas and lengths are those on the globe, not on the map")
  func globe() throws {
    // Near the map's northern end a square twice as wide has a small part of the area.
    #expect(
      try centers([
        (.outerRing, Self.square(100, 20, 80)), (.outerRing, Self.square(600, 492, 40)),
      ]) == [[620, 512]])
    #expect(
      try centers([
        (.line, Self.places([(100, 40), (180, 40)])),
        (.line, Self.places([(600, 512), (640, 512)])),
      ]) == [[600, 512]])
  }

  @Test("the first of equal parts counts")
  func ties() throws {
    let squares = [100.0, 400, 700].map { Self.square($0, 480, 64) }
    #expect(try centers(squares.map { (.outerRing, $0) }) == [[132, 512]])
    let lines = [300.0, 100].map { Self.places([($0, 512), ($0 + 64, 512)]) }
    #expect(try centers(lines.map { (.line, $0) }) == [[300, 512]])
  }

  @Test("a polygon outweighs a line, and an empty ring nothing")
  func mixed() throws {
    let line: Part = (.line, Self.places([(100, 300), (900, 300)]))
    let polygon: Part = (.outerRing, Self.square(600, 500, 8))
    let empty: Part = (.outerRing, [])
    #expect(try centers([line, polygon]) == [[604, 504]])
    #expect(try centers([empty, polygon, line]) == [[604, 504]])
    #expect(try centers([empty, line]) == [[100, 300]])
    #expect(try centers([empty]) == [])
  }

  @Test("of a collection, the largest member that the filter lets through bears the label")
  func filtered() throws {
    let members: [Part] = [
      (.line, Self.places([(100, 300), (200, 300)])),
      (.line, Self.places([(300, 300), (900, 300)])),
      (.outerRing, Self.square(600, 500, 8)),
    ]
    let lines = Self.label().dropLast() + #", "filter": ["==", ["geometry-type"], "LineString"]}"#
    #expect(try centers(members, String(lines)) == [[300, 300]])
    #expect(try centers(members) == [[604, 504]])
    let sorted = Self.label(
      #", "symbol-sort-key": ["case", ["==", ["geometry-type"], "Polygon"], 0, 1]"#)
    #expect(try centers(members, sorted) == [[604, 504]])
  }

  @Test("labels along lines follow the outer ring of the largest polygon, or the longest line")
  func alongLines() throws {
    let along = Self.label(#", "symbol-placement": "line-center""#)
    let lines: [Part] = [
      (.line, Self.places([(100, 512), (200, 512)])),
      (.line, Self.places([(100, 600), (400, 600)])),
    ]
    #expect(try centers(lines, along) == [[250, 600]])
    let polygon: [Part] = [
      (.outerRing, Self.places([(600, 400), (900, 400), (900, 700)])),
      (.innerRing, Self.places([(880, 420), (890, 420), (890, 440)])),
    ]
    #expect(try centers(polygon + lines, along).count == 1)
    #expect(try centers(polygon, along.replacing("largest", with: "all")).count >= 1)
  }

  @Test("without the property every part has its label, and circles are at every vertex")
  func all() throws {
    let parts: [Part] = [
      (.outerRing, Self.square(100, 500, 40)), (.outerRing, Self.square(600, 500, 80)),
    ]
    #expect(try centers(parts, Self.label().replacing("largest", with: "all")).count == 2)
    #expect(try centers(parts, #"{"id": "a", "type": "circle", "source": "s"}"#).count == 8)
  }

  // MARK: Points

  /// A record of three points and one of one.
  private static func multiPoint() -> PointSet {
    let positions = places([(100, 500), (300, 500), (500, 500), (700, 500)])
    var batch = FeatureBatch()
    for line in 1...2 {
      batch.lines.append(line)
      batch.ids.append(.missing)
    }
    var names = PropertyColumn(name: "name")
    for name in ["A", "B"] { Array(name.utf8).withUnsafeBytes { names.append(.string, bytes: $0) } }
    batch.columns = [names]
    var set = PointSet()
    set.append(
      batch, rows: [0, 0, 0, 1], degrees: ContiguousArray(positions),
      squares: ContiguousArray(positions.compactMap { WorldPoint($0) }))
    return set
  }

  @Test("the first point of a record bears the label; circles of the same source stay")
  func points() throws {
    let found = try centers([], Self.label(), points: Self.multiPoint())
    #expect(found.map { $0[0] } == [100, 700])
    let both = try PlacedSymbols(
      [layer(#"{"id": "b", "type": "circle", "source": "s"}"#), layer(Self.label())],
      [.sample([], points: Self.multiPoint())], grid: Self.grid)
    #expect(both.centers.map(\.x) == [100, 300, 500, 700])
    #expect(both.texts == ["A", "B"])
  }

  @Test("a record whose first point a zoom leaves out has its label at the next")
  func thinned() throws {
    let source = SymbolSource(
      id: "s", points: Self.multiPoint(), level: nil,
      keptPoints: Column([false, true, true, true]))
    let placed = try PlacedSymbols([layer(Self.label())], [source], grid: Self.grid)
    #expect(placed.centers.map(\.x) == [300, 700])
  }

  @Test("a style asks for the largest parts only where a layer may mark them alone")
  func asked() throws {
    func asks(_ value: String) throws -> Bool {
      let json = Self.label().replacing(#""largest""#, with: value)
      return Style(layers: [try layer(json)]).marksLargestParts(of: "s")
    }
    #expect(try asks(#""largest""#) && !asks(#""all""#))
    #expect(try asks(#"["step", ["zoom"], "largest", 8, "all"]"#))
  }
}
