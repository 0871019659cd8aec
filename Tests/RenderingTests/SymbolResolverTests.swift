import Clustering
import Features
import OrderedCollections
import Raster
import TestSupport
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("The symbols of a zoom")
struct SymbolResolverTests {
  private let places = [
    LngLat(longitude: 0, latitude: 0), LngLat(longitude: 10, latitude: 5),
    LngLat(longitude: -20, latitude: 30),
  ]

  private func symbols(
    _ layers: [String], _ source: SymbolSource, zoom: Int = 3, looks: inout LookTable
  ) throws -> ZoomSymbols {
    let style = Style(layers: try layers.map { try layer($0) })
    return try SymbolResolver(style: style, fonts: try fonts.get()).symbols(
      of: [source], grid: PixelGrid(zoom: zoom), looks: &looks)
  }

  /// The radius of the first look of each symbol, in drawing order.
  private func radii(_ symbols: ZoomSymbols, _ looks: LookTable) -> [Double] {
    symbols.stacks.compactMap { number in
      guard case .circle(let circle)? = looks.stacks[Int(number)].first?.look else { return nil }
      return circle.radius
    }
  }

  @Test("symbols come in the order of the points, or by ascending sort key")
  func order() throws {
    let source = SymbolSource(
      id: "s", points: .sample(places, columns: [("r", [.number(3), .number(1), .number(2)])]),
      level: nil)
    let paint = #""paint": {"circle-radius": ["get", "r"]}"#
    var looks = LookTable()
    let plain = try symbols(
      [#"{"id": "a", "type": "circle", "source": "s", \#(paint)}"#], source, looks: &looks)
    #expect(radii(plain, looks) == [3, 1, 2])
    let sorted = try symbols(
      [
        #"""
        {"id": "a", "type": "circle", "source": "s", \#(paint),
         "layout": {"circle-sort-key": ["get", "r"]}}
        """#
      ], source, looks: &looks)
    #expect(radii(sorted, looks) == [1, 2, 3])
    let descending = try symbols(
      [
        #"""
        {"id": "a", "type": "circle", "source": "s", \#(paint),
         "layout": {"circle-sort-key": ["-", 0, ["get", "r"]]}}
        """#
      ], source, looks: &looks)
    #expect(radii(descending, looks) == [3, 2, 1])
  }

  @Test(
    "every feature has its own look, where many have the same values and where all differ",
    arguments: [7, 5000])
  func values(kinds: Int) throws {
    let count = 5000
    let rows = (0..<count).map { row -> (kind: PropertyValue, number: Double) in
      let kind: PropertyValue = [.string("a"), .string("b"), .null, .bool(true)][row / 3 % 4]
      return (kind, Double(row % kinds) + 1)
    }
    let source = SymbolSource(
      id: "s",
      points: .sample(
        (0..<count).map { LngLat(longitude: Double($0) / 100, latitude: 1) },
        columns: [("kind", rows.map(\.kind)), ("n", rows.map { .number($0.number) })]),
      level: nil)
    var looks = LookTable()
    let symbols = try symbols(
      [
        #"""
        {"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius":
        ["/", ["+", ["get", "n"], ["match", ["get", "kind"], "a", 0.5, "b", 0.25,
          ["case", ["has", "kind"], 0.125, 0]]], 100]}}
        """#
      ], source, looks: &looks)
    let expected = rows.map { kind, number in
      let more: Double =
        switch kind {
        case .string(let text): text == "a" ? 0.5 : 0.25
        // A null is there, too.
        default: 0.125
        }
      return (number + more) / 100
    }
    #expect(radii(symbols, looks) == expected)
  }

  @Test("symbols have the look at each position, even if nothing else differs")
  func place() throws {
    let source = SymbolSource(id: "s", points: .sample(places, columns: []), level: nil)
    let square =
      #"{"type": "Polygon", "coordinates": [[[5, 0], [15, 0], [15, 9], [5, 9], [5, 0]]]}"#
    let radius = #"["case", ["within", \#(square)], 9, 4]"#
    var looks = LookTable()
    let symbols = try symbols(
      [
        #"{"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius": \#(radius)}}"#
      ], source, looks: &looks)
    #expect(radii(symbols, looks) == [4, 9, 4])
  }

  @Test("symbols combine the looks of several layers in one stack, with one number for equal ones")
  func stacks() throws {
    let source = SymbolSource(id: "s", points: .sample(places), level: nil)
    var looks = LookTable()
    let symbols = try symbols(
      [
        #"{"id": "a", "type": "circle", "source": "s"}"#,
        #"{"id": "b", "type": "circle", "source": "s", "paint": {"circle-radius": 2}}"#,
        #"{"id": "c", "type": "circle", "source": "s", "maxzoom": 3}"#,
      ], source, looks: &looks)
    #expect(symbols.count == 3)
    #expect(Set(symbols.stacks) == [1])
    #expect(looks.stacks[1].map(\.layer) == [0, 1])
  }

  @Test("symbols of clusters have their count and aggregates, but no property of a member")
  func clusters() throws {
    let close = [places[0], places[0], places[2]]
    let input = ClusterInput(
      longitudes: Column(close.map(\.longitude)),
      latitudes: Column(close.map(\.latitude)),
      positions: Column(close.compactMap { WorldPoint($0) }),
      aggregates: [
        AggregateColumn(
          name: "sum", values: [.number(2), .number(5), .number(11)], operation: .sum)
      ])
    let level = GridClusterer(try GridOptions(cellSizes: [0: 64])).pyramid(
      of: input, zooms: 3...3, threads: 1, checkpoint: {}
    ).level(3)
    let source = SymbolSource(
      id: "s", points: .sample(close, columns: [("r", [.number(1), .number(1), .number(1)])]),
      level: level, aggregateNames: ["sum"])
    var looks = LookTable()
    let symbols = try symbols(
      [
        #"""
        {"id": "a", "type": "circle", "source": "s", "paint": {"circle-radius":
          ["+", ["*", 100, ["coalesce", ["get", "point_count"], 1]],
            ["coalesce", ["get", "sum"], 0], ["coalesce", ["get", "r"], 0]]}}
        """#
      ], source, looks: &looks)
    #expect(radii(symbols, looks).sorted() == [101, 207])
  }

  @Test("symbols of clusters abbreviate their count like supercluster")
  func abbreviated() {
    #expect(PropertyValue(abbreviatedCount: 999) == .number(999))
    #expect(PropertyValue(abbreviatedCount: 1000) == .string("1k"))
    #expect(PropertyValue(abbreviatedCount: 1250) == .string("1.3k"))
    #expect(PropertyValue(abbreviatedCount: 87_000) == .string("87k"))
  }

  @Test("symbols have the positions in their file")
  func geometry() throws {
    let view = FeatureView(points: PointSet.sample(places, columns: []), level: nil)
    for row in places.indices {
      view.row = row
      guard case .points(let positions) = view.geometry else {
        Issue.record("row \(row) lies nowhere")
        continue
      }
      #expect(positions == [places[row]])
    }
  }

  @Test("symbols read a feature's own id and all of its properties")
  func properties() throws {
    var points = PointSet.sample(
      places,
      columns: [("k", [.string("a"), .string("b"), .null]), ("n", [1, 2, 3].map { .number($0) })])
    points.idColumn = 0
    let view = FeatureView(points: points, level: nil)
    #expect(view.count == 3)
    view.row = 1
    #expect(view.id == .string("b"))
    #expect(view.allProperties == .object(["k": .string("b"), "n": .number(2)]))
    view.bind(["n", "point_count", "nothing"], list: 0)
    #expect(view.property(0) == .number(2))
    #expect(view.property(1) == nil && view.property(2) == nil)
  }
}
