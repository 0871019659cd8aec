import Features
import Raster
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Symbols of lines and polygons")
struct ShapeSymbolTests {
  private static let grid = PixelGrid(zoom: 2, tileSize: 256)

  private func places(_ places: [(Double, Double)]) -> [LngLat] {
    places.map { LngLat(x: $0.0, y: $0.1, grid: Self.grid) }
  }

  private func centers(
    _ shapes: [SampleShape], _ json: String, points: PointSet = PointSet()
  ) throws -> [[Double]] {
    let placed = try PlacedSymbols(
      [layer(json)], [.sample(shapes, points: points)], grid: Self.grid)
    return placed.centers.map { [$0.x, $0.y] }
  }

  private static let circle = #"{"id": "a", "type": "circle", "source": "s"}"#
  private static let label =
    #"""
    {"id": "a", "type": "symbol", "source": "s", "layout":
      {"text-field": ["get", "name"], "text-font": ["DejaVu Sans"], "text-size": 10}}
    """#

  @Test("circles of lines and polygons are at every vertex, once where a ring closes")
  func vertices() throws {
    let corners = places([(100, 100), (200, 100), (200, 200)])
    let expected = [[100.0, 100.0], [200, 100], [200, 200]]
    #expect(try centers([.line(corners)], Self.circle) == expected)
    #expect(try centers([.polygon([corners])], Self.circle) == expected)
    #expect(try centers([.polygon([corners + [corners[0]]])], Self.circle) == expected)
    // A line may well end where it begins.
    #expect(try centers([.line(corners + [corners[0]])], Self.circle).count == 4)
  }

  @Test("labels of lines are at the first vertex of each")
  func lines() throws {
    let shape = SampleShape(
      kind: .multiLineString,
      parts: [
        (.line, places([(100, 100), (500, 100)])), (.line, places([(300, 300), (500, 300)])),
      ])
    #expect(try centers([shape], Self.label) == [[100, 100], [300, 300]])
  }

  @Test("labels of polygons are at the pole of inaccessibility of each")
  func polygons() throws {
    let square = { (x: Double, y: Double) in
      places([(x, y), (x + 80, y), (x + 80, y + 80), (x, y + 80)])
    }
    let shape = SampleShape(
      kind: .multiPolygon,
      parts: [(.outerRing, square(100, 100)), (.outerRing, square(600, 300))])
    #expect(try centers([shape], Self.label) == [[140, 140], [640, 340]])
  }

  @Test("symbols of shapes on both sides of the antimeridian are on the globe")
  func antimeridian() throws {
    let east = places([(1020, 300), (1040, 300)])
    #expect(try centers([.line(east)], Self.circle) == [[1020, 300], [16, 300]])
    let west = places([(-24, 300), (20, 300)])
    #expect(try centers([.line(west)], Self.label) == [[1000, 300]])
  }

  @Test("symbols of shapes are clamped to the latitude where the map ends")
  func poles() throws {
    let shape = SampleShape.line([
      LngLat(longitude: 0, latitude: 90), LngLat(longitude: 0, latitude: -90),
    ])
    #expect(try centers([shape], Self.circle) == [[512, 0], [512, 1024]])
  }

  @Test("symbols of shapes are selected by type, properties and position")
  func expressions() throws {
    let view = FeatureView(
      shapes: .sample([
        .line(places([(1, 1), (2, 2)]), name: "L", rank: 3),
        .polygon([places([(1, 1), (2, 1), (2, 2)])]),
      ]))
    #expect(view.count == 2 && view.pointCount == 1)
    view.bind(["rank", "name", "none"], list: 0)
    #expect(view.property(0) == .number(3) && view.property(1) == .string("L"))
    #expect(view.property(2) == nil)
    #expect(view.geometryType == "LineString")
    guard case .shape(let column, record: 0) = view.geometry else {
      Issue.record("a shape lies where its column says")
      return
    }
    #expect(column.positions.count == 5)
    view.row = 1
    #expect(view.geometryType == "Polygon")
    let kinds = [GeometryColumn.Kind.multiLineString, .multiPolygon].map { kind in
      var shape = SampleShape.line(places([(1, 1), (2, 2)]))
      shape.kind = kind
      return FeatureView(shapes: .sample([shape])).geometryType
    }
    #expect(kinds == ["LineString", "Polygon"])
    let collection = SampleShape(
      kind: .collection,
      parts: [
        (.line, places([(1, 1), (2, 2)])), (.outerRing, places([(1, 1), (2, 1), (2, 2)])),
      ])
    let members = FeatureView(shapes: .sample([collection]))
    let types = (0..<members.count).map { row in
      members.row = row
      return members.geometryType
    }
    #expect(types == ["LineString", "Polygon"])
  }

  @Test("symbols of points have their given positions, also for expressions")
  func pointGeometry() throws {
    let place = LngLat(longitude: 12.345678901, latitude: -9.87654321)
    let view = FeatureView(points: .sample([LngLat(longitude: 0, latitude: 0), place]), level: nil)
    view.row = 1
    guard case .points(let places) = view.geometry else {
      Issue.record("a point lies at its place")
      return
    }
    #expect(places == [place])
  }

  @Test("symbols of shapes are sorted together with the points of their source")
  func sortKeys() throws {
    let points = PointSet.sample(
      places([(700, 700), (800, 800)]), columns: [("rank", [.number(2), .number(4)])])
    let shapes = [
      SampleShape.line(places([(100, 100), (200, 100)]), rank: 3),
      .line(places([(300, 300), (200, 100)]), rank: 1),
    ]
    let centers = try centers(
      shapes,
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"text-field": "x", "text-font": ["DejaVu Sans"], "symbol-sort-key": ["get", "rank"]}}
      """#, points: points)
    #expect(centers.map { $0[0] } == [300, 700, 100, 800])
  }

  @Test("poles are computed only for styles that put labels there")
  func wanted() throws {
    let ask = { (json: String) in Style(layers: [try layer(json)]) }
    #expect(try ask(Self.label).labelsPolygons(of: "s") && ask(Self.label).marksShapes(of: "s"))
    #expect(try !ask(Self.circle).labelsPolygons(of: "s") && ask(Self.circle).marksShapes(of: "s"))
    #expect(try !ask(Self.label).labelsPolygons(of: "t"))
    let along = Self.label.replacing(
      #""layout":"#, with: #""layout": "#
    ).replacing(
      #""text-size": 10"#, with: #""symbol-placement": "line""#)
    #expect(try !ask(along).labelsPolygons(of: "s") && ask(along).marksShapes(of: "s"))
  }
}
