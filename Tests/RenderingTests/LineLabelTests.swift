import Features
import Raster
import TestSupport
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Labels along lines")
struct LineLabelTests {
  private static let grid = PixelGrid(zoom: 2, tileSize: 512)

  /// A line in style px of the world.
  private func line(_ places: [(Double, Double)], name: String = "Road") -> SampleShape {
    .line(places.map { LngLat(x: $0.0, y: $0.1, grid: Self.grid) }, name: name)
  }

  private func placed(
    _ shapes: [SampleShape], _ layout: String = "", placement: String = "line", scale: Int = 1
  ) throws -> PlacedSymbols {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"symbol-placement": "\#(placement)", "text-field": ["get", "name"],
         "text-font": ["DejaVu Sans"], "text-size": 20 \#(layout.isEmpty ? "" : ", " + layout)}}
      """#)
    return try PlacedSymbols(
      [layer], [.sample(shapes)], grid: PixelGrid(zoom: 2, tileSize: 512, scale: scale))
  }

  private func layout(_ text: String = "Road") throws -> TextLayout {
    try TextShaper(fonts: fonts.get()).layout(
      [TextSection(text)], style: TextStyle(fontStack: ["DejaVu Sans"], size: 20))
  }

  private func isNear(_ value: some BinaryFloatingPoint, _ other: some BinaryFloatingPoint) -> Bool
  {
    abs(Double(value) - Double(other)) < 0.01
  }

  @Test(
    "labels along lines start two ems from the start, then repeat at every spacing",
    arguments: [1, 2])
  func anchors(scale: Int) throws {
    let placed = try placed([line([(100, 1000), (800, 1000)])], scale: scale)
    let width = try layout().width
    let first = 100 + width / 2 + 40
    #expect(placed.centers.count == 3)
    for (number, center) in placed.centers.enumerated() {
      #expect(abs(center.x - first - 250 * Double(number)) < 0.1 && center.y == 1000)
    }
  }

  @Test("labels along a line that runs eastward lie flat")
  func flat() throws {
    let look = try #require(placed([line([(100, 1000), (800, 1000)])]).labels.first)
    let middles = try layout().middles
    #expect(look.poses.count == 4)
    for (pose, middle) in zip(look.poses, middles) {
      #expect(isNear(pose.x, middle) && isNear(pose.y, 0))
      #expect(isNear(pose.cosine, 1) && isNear(pose.sine, 0))
    }
  }

  @Test("labels along a line that runs westward are turned around, unless they need not be upright")
  func upright() throws {
    let west = line([(800, 1000), (100, 1000)])
    let turned = try #require(placed([west]).labels.first)
    #expect(turned.poses.allSatisfy { isNear($0.cosine, 1) })
    #expect((turned.poses.first?.x ?? 0) < (turned.poses.last?.x ?? 0))
    let hanging = try #require(placed([west], #""text-keep-upright": false"#).labels.first)
    #expect(hanging.poses.allSatisfy { isNear($0.cosine, -1) })
    #expect((hanging.poses.first?.x ?? 0) > (hanging.poses.last?.x ?? 0))
  }

  @Test(
    "labels of ideographs run downward on a steep line, others are turned with it",
    arguments: [("東京", true), ("Road", false)])
  func downward(name: String, isDownward: Bool) throws {
    for places in [[(1000.0, 1000.0), (1010, 1600)], [(1000, 1600), (990, 1000)]] {
      let look = try #require(placed([line(places, name: name)]).labels.first)
      #expect(look.style.writingMode == (isDownward ? .vertical : .horizontal))
      if isDownward { #expect(look.poses.allSatisfy { $0.sine > 0.9 }) }
      let hanging = try #require(
        placed([line(places, name: name)], #""text-keep-upright": false"#).labels.first)
      #expect(hanging.style.writingMode == .horizontal)
    }
    let flat = try #require(placed([line([(100, 1000), (800, 1010)], name: name)]).labels.first)
    #expect(flat.style.writingMode == .horizontal)
  }

  @Test("labels along lines are offset to the right-hand side, also if they are turned around")
  func offset() throws {
    for (places, y) in [
      ([(100.0, 1000.0), (800, 1000)], 30.0), ([(800, 1000), (100, 1000)], -30),
    ] {
      let look = try #require(placed([line(places)], #""text-offset": [0, 1.5]"#).labels.first)
      #expect(look.poses.allSatisfy { isNear($0.y, y) })
    }
    let plain = try #require(placed([line([(100, 1000), (800, 1000)])]).labels.first)
    let along = try #require(
      placed([line([(100, 1000), (800, 1000)])], #""text-offset": [1, 0]"#).labels.first)
    for (pose, other) in zip(along.poses, plain.poses) { #expect(isNear(pose.x, other.x + 20)) }
  }

  @Test("labels along lines bend with the line, every glyph on it")
  func onTheLine() throws {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20 {
      var places = [(random.number(in: 300..<1700), random.number(in: 300..<1700))]
      var slope = (random.number(in: -1..<1), random.number(in: -1..<1))
      for _ in 0..<40 {
        places.append(
          (places[places.count - 1].0 + slope.0 * 9, places[places.count - 1].1 + slope.1 * 9))
        slope = (slope.0 + random.number(in: -0.1..<0.1), slope.1 + random.number(in: -0.1..<0.1))
      }
      let placed = try placed([line(places, name: "Winding")])
      for (center, look) in zip(placed.centers, placed.labels) {
        for pose in look.poses {
          let x = center.x + Double(pose.x)
          let y = center.y + Double(pose.y)
          // Vertices less than half a px apart are left out, and centres are rounded to 1/16 px.
          #expect(distance(x, y, to: places) < 0.6)
          #expect(isNear(pose.cosine * pose.cosine + pose.sine * pose.sine, 1))
        }
        #expect((look.poses.first?.x ?? 0) <= (look.poses.last?.x ?? 0))
      }
    }
  }

  private func distance(_ x: Double, _ y: Double, to places: [(Double, Double)]) -> Double {
    zip(places, places.dropFirst()).map { a, b in
      let (dx, dy) = (b.0 - a.0, b.1 - a.1)
      let length = max(dx * dx + dy * dy, 1e-12)
      let share = min(max(((x - a.0) * dx + (y - a.1) * dy) / length, 0), 1)
      let (right, down) = (a.0 + share * dx - x, a.1 + share * dy - y)
      return (right * right + down * down).squareRoot()
    }.min() ?? .infinity
  }

  @Test("labels along lines do not bend more than text-max-angle", arguments: [(45, 0), (91, 1)])
  func maxAngle(degrees: Int, count: Int) throws {
    // Room for one label in the middle only, where the corner is.
    let corner = line([(1000, 960), (1000, 1000), (1040, 1000)])
    let placed = try placed([corner], #""text-max-angle": \#(degrees)"#)
    #expect(placed.labels.count == count)
  }

  @Test("labels along lines need a line as long as they are")
  func room() throws {
    let width = try layout().width
    for (length, count) in [(width - 1, 0), (width + 1, 1)] {
      let shape = line([(1000, 1000), (1000 + length, 1000)])
      #expect(try placed([shape]).labels.count == count)
      let center = try placed([shape], placement: "line-center")
      #expect(center.labels.count == count)
    }
  }

  @Test("line-center places one label in the middle of a line")
  func center() throws {
    let placed = try placed(
      [line([(100, 1000), (800, 1000)])], placement: "line-center")
    #expect(placed.centers.map(\.x) == [450])
  }

  @Test("text-rotation-alignment: viewport keeps labels along lines flat")
  func viewport() throws {
    let south = line([(1000, 100), (1000, 500)])
    let flat = try placed([south], #""text-rotation-alignment": "viewport""#)
    #expect(flat.labels.first?.poses == [])
    #expect(flat.centers.map(\.x) == [1000, 1000])
    let glyphs = try #require(
      placed([south], #""text-rotation-alignment": "viewport-glyph""#).labels.first)
    #expect(glyphs.poses.allSatisfy { isNear($0.cosine, 1) && isNear($0.x, 0) })
    #expect((glyphs.poses.last?.y ?? 0) > 10)
  }

  @Test("text-rotate rotates each glyph of a label along a line")
  func rotate() throws {
    let look = try #require(
      placed([line([(100, 1000), (800, 1000)])], #""text-rotate": 90"#).labels.first)
    #expect(look.poses.allSatisfy { isNear($0.cosine, 0) && isNear($0.sine, 1) && isNear($0.y, 0) })
  }

  @Test("a text is not repeated on lines nearer than half of the spacing")
  func repeats() throws {
    let roads = [1000.0, 1100, 1200].map { y in line([(100, y), (300, y)]) }
    #expect(try placed(roads).labels.count == 2)
    #expect(try placed(roads, #""symbol-spacing": 150"#).labels.count == 3)
    let named = roads.indices.map {
      line([(100, 1000 + 100 * Double($0)), (300, 1000 + 100 * Double($0))], name: "R\($0)")
    }
    #expect(try placed(named).labels.count == 3)
  }

  @Test("a bend in the middle of a line does not keep labels from the rest of it")
  func middleAndBeyond() throws {
    let width = try layout().width
    let first = width / 2 + 40
    // Every place at the spacing lies on a corner, the middle of the line between two of them.
    let slope = 82.0.squareRoot()
    let start: Double = 101 + first - slope
    let step: Double = 252 - 2 * slope
    var places = [(100.0, 1000.0)]
    for corner in 0..<4 {
      let x = start + Double(corner) * step
      places += [(x - 1, 1000), (x, 1009), (x + 1, 1000)]
    }
    places.append((places[places.count - 1].0 + first - slope, 1000))
    let found = try placed([line(places)], #""text-max-angle": 10"#)
    #expect(found.labels.count == 2)
  }

  // MARK: Streets in pieces

  @Test("a street in pieces bears the labels of a whole one, in whatever order its pieces come")
  func pieces() throws {
    let whole: [(Double, Double)] = (0...10).map { step in
      let (x, y) = (100 + 70 * step, 1000 + 9 * (step % 2))
      return (Double(x), Double(y))
    }
    let pieces: [SampleShape] = zip(whole, whole.dropFirst()).map {
      line([$0, $1], name: "Boulevard Longue")
    }
    let expected = try placed([line(whole, name: "Boulevard Longue")])
    #expect(expected.labels.count == 2)
    var random = SplitMix64(seed: 3)
    var orders: [[SampleShape]] = [pieces, pieces.reversed()]
    for _ in 0..<8 { orders.append(pieces.shuffled(using: &random)) }
    for order in orders {
      let found = try placed(order)
      #expect(found.labels == expected.labels)
      #expect(found.symbols.xs == expected.symbols.xs && found.symbols.ys == expected.symbols.ys)
    }
  }

  /// Two lines at one height, from one x to another, and how a layer labels them.
  struct Pair: Sendable {
    var first: [Double] = [100, 180]
    var second: [Double] = [180, 260]
    var names = ["Road One", "Road One"]
    var layout = ""
    var placement = "line"
    var count = 0
  }

  private static let pairs: [Pair] = [
    Pair(count: 1), Pair(first: [180, 260], second: [100, 180], count: 1),
    Pair(names: ["Road One", "ROAD One"], layout: #""text-transform": "uppercase""#, count: 1),
    Pair(names: ["Road One", "ROAD One"]), Pair(names: ["Road One", "Road Two"]),
    Pair(second: [180.2, 260]), Pair(second: [260, 180]), Pair(first: [180, 100]),
    Pair(placement: "line-center"), Pair(layout: #""symbol-parts": "largest""#),
  ]

  @Test(
    "lines are labelled as one where texts are equal and one ends where the other begins",
    arguments: pairs)
  func merging(pair: Pair) throws {
    // A label needs more than 80 px, and less than 160.
    #expect((80..<160).contains(try layout("Road One").width))
    let shapes = zip([pair.first, pair.second], pair.names).map { ends, name in
      line(ends.map { ($0, 1000) }, name: name)
    }
    #expect(try placed(shapes, pair.layout, placement: pair.placement).labels.count == pair.count)
  }

  @Test("a line between two others makes them one line, with the look of the one before it")
  func bridge() throws {
    let edges = [(260.0, 340.0), (100, 180), (180, 260)]
    let shapes = edges.enumerated().map { rank, edge in
      SampleShape.line(
        [edge.0, edge.1].map { LngLat(x: $0, y: 1000, grid: Self.grid) }, name: "Road One",
        rank: Double(rank))
    }
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"symbol-placement": "line", "text-field": ["get", "name"], "text-font": ["DejaVu Sans"],
         "text-size": ["+", 20, ["get", "rank"]]}}
      """#)
    let found = try PlacedSymbols([layer], [.sample(shapes)], grid: Self.grid)
    // The line that ends where the bridge begins keeps its look.
    #expect(found.labels.map(\.style.size) == [21])
  }

  @Test("pieces that close a ring bear the labels of the ring, and a ring given twice ends")
  func closedPieces() throws {
    let places: [(Double, Double)] = [(800, 500), (500, 800), (200, 500), (500, 200), (800, 500)]
    let pieces = zip(places, places.dropFirst()).map { line([$0, $1]) }
    #expect(try placed(pieces).labels.count == placed([line(places)]).labels.count)
    #expect(try placed([line(places), line(places)]).labels.count > 0)
  }

  @Test("lines of vector tiles are merged in their own tile, and only the first line of a feature")
  func tiles() throws {
    let (west, east) = (TileCoord(z: 2, x: 0, y: 1), TileCoord(z: 2, x: 1, y: 1))
    func count(_ shapes: [SampleShape]) throws -> Int {
      let layer = try layer(
        #"""
        {"id": "a", "type": "symbol", "source": "s", "layout": {"symbol-placement": "line",
         "text-field": ["get", "name"], "text-font": ["DejaVu Sans"], "text-size": 20}}
        """#)
      return try PlacedSymbols(
        [layer], [.sample(shapes, borders: TileBorders(zoom: 2))], grid: Self.grid
      ).labels.count
    }
    func piece(_ start: Double, _ end: Double) -> SampleShape {
      line([(start, 1000), (end, 1000)], name: "Road One")
    }
    #expect(try count([piece(100, 180).of(west), piece(180, 260).of(west)]) == 1)
    #expect(try count([piece(452, 532).of(west), piece(532, 612).of(east)]) == 0)
    var double = piece(300, 380)
    double.parts.append((.line, [100, 180].map { LngLat(x: $0, y: 1000, grid: Self.grid) }))
    #expect(try count([double.of(west), piece(180, 260).of(west)]) == 0)
    double.parts.reverse()
    #expect(try count([double.of(west), piece(180, 260).of(west)]) == 1)
  }

  @Test("a text of two tiles may stand close to itself, as each tile is labelled alone")
  func repeatsOfTiles() throws {
    let tiles = [TileCoord(z: 2, x: 0, y: 1), TileCoord(z: 2, x: 1, y: 1)]
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout": {"symbol-placement": "line",
       "text-field": ["get", "name"], "text-font": ["DejaVu Sans"], "text-size": 20}}
      """#)
    let west = line([(430, 1000), (500, 1000)]).of(tiles[0])
    let (near, beyond) = (
      line([(430, 950), (500, 950)]).of(tiles[0]), line([(524, 1000), (594, 1000)]).of(tiles[1])
    )
    for (moved, count) in [([west, beyond], 2), ([west, near], 1)] {
      let found = try PlacedSymbols(
        [layer], [.sample(moved, borders: TileBorders(zoom: 2))], grid: Self.grid)
      #expect(found.labels.count == count)
    }
  }

  @Test("labels along lines are placed on rings, but not on points")
  func rings() throws {
    let corners = [(500.0, 500.0), (900, 500), (900, 900), (500, 900)].map {
      LngLat(x: $0.0, y: $0.1, grid: Self.grid)
    }
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"symbol-placement": "line", "text-field": "R", "text-font": ["DejaVu Sans"]}}
      """#)
    let placed = try PlacedSymbols(
      [layer], [.sample([.polygon([corners])], points: .sample([corners[0]]))], grid: Self.grid)
    // 1,600 px with the side that closes the ring; the seventh would stand too near to the first.
    #expect(placed.labels.count == 6)
    #expect(placed.labels.allSatisfy { !$0.poses.isEmpty })
  }

  @Test("labels along lines collide if they cross, but not if they bow around each other")
  func collisions() throws {
    let cross = [
      line([(1000, 950), (1000, 1050)], name: "Down"),
      line([(950, 1000), (1050, 1000)], name: "Side"),
    ]
    #expect(try placed(cross).texts == ["Down"])
    #expect(try placed(cross, #""text-allow-overlap": true"#).texts == ["Down", "Side"])
    // Boxes around these two would meet; rows of circles do not.
    let slants = [0.0, 60].map {
      line([(1000 + $0, 1000), (1100 + $0, 1100)], name: "Slanting \(Int($0))")
    }
    #expect(try placed(slants).texts.count == 2)
  }

  @Test("labels along lines are deterministic, and stay if a distant vertex changes")
  func determinism() throws {
    let road = [(100.0, 1000.0), (400, 1010), (900, 990)]
    let one = try placed([line(road)])
    let two = try placed([line(road)])
    #expect(one.labels == two.labels && one.symbols.xs == two.symbols.xs)
    let longer = try placed([line(road + [(1200, 1300)])])
    #expect(Array(longer.labels.prefix(2)) == Array(one.labels.prefix(2)))
  }
}
