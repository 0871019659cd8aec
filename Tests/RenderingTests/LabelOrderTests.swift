import Features
import Raster
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("Order of label placement")
struct LabelOrderTests {
  private static let grid = PixelGrid(zoom: 2, tileSize: 256)

  /// Points at places in px, named A, B, C …, with ranks.
  private func points(_ places: [(Double, Double)], ranks: [Double] = []) -> PointSet {
    .sample(
      places.map { LngLat(x: $0.0, y: $0.1, grid: Self.grid) },
      columns: [
        ("name", places.indices.map { .string(String(UnicodeScalar(UInt8(65 + $0)))) }),
        ("rank", ranks.map { .number($0) }),
      ].filter { !$0.1.isEmpty })
  }

  private func label(_ id: String, _ layout: String = "", source: String = "s") throws -> StyleLayer
  {
    try StyleLayer(
      json(
        #"""
        {"id": "\#(id)", "type": "symbol", "source": "\#(source)", "layout":
          {"text-field": ["concat", "\#(id)", ["get", "name"]], "text-font": ["DejaVu Sans"],
           "text-size": 20 \#(layout.isEmpty ? "" : ", " + layout)}}
        """#), sources: ["s", "t"])
  }

  private func texts(
    _ layers: [StyleLayer], _ points: PointSet, others: PointSet? = nil,
    borders: TileBorders? = nil
  ) throws -> [String] {
    var sources = [SymbolSource(id: "s", points: points, level: nil, borders: borders)]
    if let others { sources.append(SymbolSource(id: "t", points: others, level: nil)) }
    return try PlacedSymbols(layers, sources, grid: Self.grid).texts.sorted()
  }

  @Test(
    "labels are placed layer by layer, not feature by feature: the upper layer's last label wins")
  func layers() throws {
    // The lower label of A stands where the upper one of B does.
    let points = points([(300, 300), (300, 380)])
    let layers = try [
      label("low", #""text-offset": [0, 4]"#), label("up"),
    ]
    #expect(try texts(layers, points) == ["lowB", "upA", "upB"])
    #expect(try texts(layers.reversed(), points) == ["lowA", "lowB", "upA"])
  }

  @Test("labels of tiles are placed from the south-east, and drawn from the north-west")
  func tiles() throws {
    // Two labels on either side of the border at 256 px, and two in one tile.
    let pairs = [(250.0, 100.0), (262, 100), (400, 250), (400, 262), (600, 600), (606, 600)]
    let layer = [try label("a")]
    #expect(try texts(layer, points(pairs)) == ["aA", "aC", "aE"])
    #expect(
      try texts(layer, points(pairs), borders: TileBorders(zoom: 2)) == ["aB", "aD", "aE"])
    // A sort key orders the labels of all tiles.
    let sorted = try label("a", #""symbol-sort-key": ["get", "rank"]"#)
    let ranked = points(pairs, ranks: [1, 2, 2, 1, 2, 1])
    #expect(
      try texts([sorted], ranked, borders: TileBorders(zoom: 2)) == ["aA", "aD", "aF"])
    let apart = points([(900, 900), (100, 900), (900, 100), (101, 500)])
    let source = SymbolSource(
      id: "s", points: apart, level: nil, borders: TileBorders(zoom: 2))
    let drawn = try PlacedSymbols(layer, [source], grid: Self.grid)
    #expect(drawn.texts == ["aC", "aD", "aB", "aA"])
    let byLatitude = try label("a", #""symbol-z-order": "viewport-y""#)
    let beside = points([(250, 120), (262, 100)])
    #expect(
      try texts([byLatitude], beside, borders: TileBorders(zoom: 2)) == ["aB"])
    #expect(try texts([byLatitude], beside) == ["aA"])
  }

  @Test("labels of tiles count by their places of 1/16 px, and touching boxes meet")
  func exactPlaces() throws {
    // Images of 8 x 6 px, without padding.
    func count(_ places: [(Double, Double)], _ borders: TileBorders?) throws -> Int {
      let layer = try layer(
        #"""
        {"id": "a", "type": "symbol", "source": "s", "layout":
          {"icon-image": "arrow", "icon-padding": 0, "symbol-z-order": "source"}}
        """#)
      var looks = LookTable()
      return try SymbolResolver(
        style: Style(layers: [layer], images: SampleImages.images), fonts: try fonts.get()
      ).symbols(
        of: [SymbolSource(id: "s", points: points(places), level: nil, borders: borders)],
        grid: Self.grid, looks: &looks
      ).count
    }
    let tiles = TileBorders(zoom: 2)
    for (distance, inTiles, alone) in [
      (8.0, 1, 2), (8.125, 2, 2), (7.875, 1, 2), (7.0, 1, 1), (9.0, 2, 2),
    ] {
      let places = [(300.25, 300.0), (300.25 + distance, 300)]
      #expect(try count(places, tiles) == inTiles)
      #expect(try count(places, nil) == alone)
    }
  }

  @Test("of a tile's symbols at one latitude that may overlap, the first is drawn last")
  func ties() throws {
    let layer = [try label("a", #""text-allow-overlap": true"#)]
    let places = points([(300, 300), (310, 300), (300, 290), (900, 300)])
    func drawn(_ borders: TileBorders?) throws -> [String] {
      try PlacedSymbols(
        layer, [SymbolSource(id: "s", points: places, level: nil, borders: borders)],
        grid: Self.grid
      ).texts
    }
    #expect(try drawn(nil) == ["aA", "aB", "aC", "aD"])
    // Latitudes are compared when they are drawn.
    #expect(try drawn(TileBorders(zoom: 2)) == ["aC", "aB", "aA", "aD"])
  }

  @Test("labels are placed across sources")
  func sources() throws {
    let layers = try [label("a"), label("b", source: "t"), label("c")]
    let here = points([(300, 300)])
    let moved = points([(310, 300)])
    #expect(try texts(layers, here, others: moved) == ["cA"])
    let lower = try [label("a"), label("b", source: "t")]
    #expect(try texts(lower, here, others: moved) == ["bA"])
  }

  @Test("labels that always show take room, unless they ignore placement")
  func always() throws {
    let points = points([(300, 300)])
    let shown = { (layout: String) in
      try texts([label("low"), label("up", layout)], points)
    }
    #expect(try shown(#""text-allow-overlap": true"#) == ["upA"])
    #expect(try shown(#""text-overlap": "always""#) == ["upA"])
    #expect(
      try shown(#""text-allow-overlap": true, "text-ignore-placement": true"#) == ["lowA", "upA"])
    #expect(
      try texts([label("low", #""text-overlap": "always""#), label("up")], points).count == 2)
  }

  @Test(
    "cooperative labels may overlap those that allow it",
    arguments: [
      ("cooperative", "cooperative", 2), ("cooperative", "always", 2), ("cooperative", "never", 1),
      ("never", "cooperative", 1), ("never", "always", 1), ("always", "never", 2),
    ])
  func cooperative(low: String, up: String, count: Int) throws {
    let layers = try [
      label("low", #""text-overlap": "\#(low)""#), label("up", #""text-overlap": "\#(up)""#),
    ]
    #expect(try texts(layers, points([(300, 300)])).count == count)
  }

  @Test("text-overlap takes precedence over text-allow-overlap")
  func precedence() throws {
    let layout = #""text-overlap": "never", "text-allow-overlap": true"#
    #expect(try texts([label("a", layout)], points([(300, 300), (305, 300)])).count == 1)
  }

  @Test("labels are placed in the order of symbol-sort-key, the smallest first")
  func sortKey() throws {
    let points = points([(300, 300), (305, 300), (310, 300)], ranks: [2, 1, 3])
    #expect(try texts([label("a", #""symbol-sort-key": ["get", "rank"]"#)], points) == ["aB"])
  }

  @Test("with symbol-z-order: viewport-y labels are placed from the south and drawn from the north")
  func latitude() throws {
    let points = points([(300, 310), (300, 300), (300, 320)])
    #expect(try texts([label("a", #""symbol-z-order": "viewport-y""#)], points) == ["aC"])
    #expect(try texts([label("a", #""symbol-z-order": "source""#)], points) == ["aA"])
    let all = try PlacedSymbols(
      [label("a", #""symbol-z-order": "viewport-y", "text-overlap": "always""#)],
      [SymbolSource(id: "s", points: points, level: nil)], grid: Self.grid)
    #expect(all.texts == ["aB", "aA", "aC"])
  }

  @Test("labels are placed with their rotated box")
  func rotated() throws {
    let places = points([(300, 300), (300, 340)])
    let long = #""text-field": "A long label""#
    let layer = { (more: String) in
      try StyleLayer(
        json(
          #"""
          {"id": "a", "type": "symbol", "source": "s", "layout": {\#(long), "text-size": 20,
            "text-font": ["DejaVu Sans"], "text-max-width": 0 \#(more)}}
          """#), sources: ["s"])
    }
    #expect(try texts([layer("")], places).count == 2)
    #expect(try texts([layer(#", "text-rotate": 90"#)], places).count == 1)
  }

  @Test("clusters keep their circles if their label is hidden")
  func circles() throws {
    let layers = try [
      StyleLayer(json(#"{"id": "c", "type": "circle", "source": "s"}"#), sources: ["s"]),
      label("a"),
    ]
    let placed = try PlacedSymbols(
      layers, [SymbolSource(id: "s", points: points([(300, 300), (305, 300)]), level: nil)],
      grid: Self.grid)
    #expect(
      placed.symbols.stacks.map { placed.looks.stacks[Int($0)].map(\.layer) } == [[0, 1], [0]])
  }

  @Test(
    "options without effect on a flat map leave label placement unchanged",
    arguments: [
      #""symbol-avoid-edges": true"#, #""text-optional": true"#,
      #""text-pitch-alignment": "map""#, #""text-rotation-alignment": "map""#,
      #""text-writing-mode": ["horizontal"]"#, #""text-keep-upright": false"#,
      #""symbol-z-order": "auto""#, #""text-max-angle": 1"#, #""symbol-spacing": 1"#,
    ])
  func indifferent(layout: String) throws {
    let points = points([(300, 300), (305, 300), (300, 380)])
    let sources = [SymbolSource(id: "s", points: points, level: nil)]
    let plain = try PlacedSymbols([label("a")], sources, grid: Self.grid)
    let other = try PlacedSymbols([label("a", layout)], sources, grid: Self.grid)
    #expect(plain.labels == other.labels && plain.symbols.xs == other.symbols.xs)
  }

  // MARK: Several places

  private func variants(
    _ layout: String, _ places: [(Double, Double)], padding: Double = 0
  ) throws -> [TextLook] {
    try PlacedSymbols(
      [label("a", #""text-padding": \#(padding), "# + layout)],
      [SymbolSource(id: "s", points: points(places), level: nil)], grid: Self.grid
    ).labels
  }

  @Test(
    "a label that may choose its place keeps text-padding away from its anchor",
    arguments: [
      (#""text-variable-anchor": ["left"]"#, 6.0, 0.0),
      (#""text-variable-anchor": ["bottom"], "text-radial-offset": 0"#, 0, -6),
      (#""text-variable-anchor": ["top-right"], "text-offset": [0, 0]"#, -6, 6),
      (#""text-variable-anchor": ["center"]"#, 0, 0),
      (#""text-variable-anchor-offset": ["right", [0, 0]]"#, -6, 0),
      (#""text-anchor": "left""#, 0, 0),
    ])
  func paddedAnchor(layout: String, x: Double, y: Double) throws {
    let near = try #require(try variants(layout, [(300, 300)]).first).style
    let far = try #require(try variants(layout, [(300, 300)], padding: 6).first).style
    #expect(abs((far.offsetX - near.offsetX) * far.size - x) < 1e-9)
    #expect(abs((far.offsetY - near.offsetY) * far.size - y) < 1e-9)
  }

  @Test("a label takes the first of its anchors that is free")
  func firstFree() throws {
    let layout = #""text-variable-anchor": ["center", "left", "right"]"#
    let wide = layout + #", "text-radial-offset": 2"#
    let looks = try variants(wide, [(300, 300), (301, 300), (299, 300), (300, 300)])
    #expect(looks.map(\.style.anchor) == [.center, .left, .right])
    #expect(looks.map(\.text) == ["aA", "aB", "aC"])
  }

  @Test("a label takes its first anchor if all are taken and it may overlap")
  func overlapping() throws {
    let layout = #"""
      "text-variable-anchor": ["top", "bottom"], "text-overlap": "always", "text-radial-offset": 1
      """#
    let looks = try variants(layout, [(300, 300), (300, 300), (300, 300)])
    #expect(looks.map(\.style.anchor) == [.top, .bottom, .top])
  }

  @Test(
    "radial offsets point away from the anchor",
    arguments: [
      ("center", 0, 0), ("left", 2, 0), ("right", -2, 0), ("top", 0, 2 - 7.0 / 24),
      ("bottom", 0, -2 + 7.0 / 24), ("top-left", 2.0.squareRoot(), 2.0.squareRoot() - 7.0 / 24),
      ("bottom-right", -2.0.squareRoot(), -2.0.squareRoot() + 7.0 / 24),
    ] as [(String, Double, Double)])
  func radial(anchor: String, x: Double, y: Double) throws {
    for key in [#""text-variable-anchor": ["\#(anchor)"]"#, #""text-anchor": "\#(anchor)""#] {
      let look = try #require(
        try variants(#"\#(key), "text-radial-offset": 2"#, [(300, 300)]).first)
      #expect(abs(look.style.offsetX - x) < 1e-12 && abs(look.style.offsetY - y) < 1e-12)
    }
  }

  @Test("text-offset points away from the anchor, whatever its signs")
  func away() throws {
    let layout = #""text-variable-anchor": ["bottom-right"], "text-offset": [-1, 2]"#
    let look = try #require(try variants(layout, [(300, 300)]).first)
    #expect(look.style.offsetX == -1 && look.style.offsetY == -2 + 7.0 / 24)
  }

  @Test("text-variable-anchor-offset has an offset for each anchor")
  func anchorOffsets() throws {
    let layout = #""text-variable-anchor-offset": ["top", [1, 2], "left", [3, -4]]"#
    let looks = try variants(layout, [(300, 300), (300, 300)])
    #expect(looks.map(\.style.anchor) == [.top, .left])
    #expect(looks.map(\.style.offsetX) == [1, 3])
    #expect(looks.map(\.style.offsetY) == [2 - 7.0 / 24, -4])
  }

  @Test("auto justifies toward the chosen anchor")
  func justified() throws {
    let layout = #""text-variable-anchor": ["right"], "text-justify": "auto""#
    #expect(try variants(layout, [(300, 300)]).first?.style.justify == .auto)
  }
}
