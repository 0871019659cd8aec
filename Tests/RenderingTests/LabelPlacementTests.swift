import Features
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("Labels that compete for room")
struct LabelPlacementTests {
  /// Some hundred places in a crowd around the antimeridian, each with a name.
  private static func crowd(_ count: Int = 150, name: String = "Place") -> SymbolSource {
    var random = SplitMix64(seed: 11)
    let places = (0..<count).map { _ in
      LngLat(
        longitude: 180 + random.number(in: -14..<14), latitude: random.number(in: -8..<8))
    }
    let names = (0..<count).map { PropertyValue.string("\(name) \($0)") }
    return SymbolSource(
      id: "s", points: .sample(places, columns: [("name", names)]), level: nil)
  }

  private func placed(
    _ layout: String, source: SymbolSource = crowd(), zoom: Int = 4, scale: Int = 1
  ) throws -> (symbols: ZoomSymbols, looks: LookTable) {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"text-field": ["get", "name"], "text-font": ["DejaVu Sans Bold"], "text-size": 10,
         \#(layout)}}
      """#)
    var looks = LookTable()
    let symbols = try SymbolResolver(style: Style(layers: [layer]), fonts: try fonts.get())
      .symbols(
        of: [source], grid: PixelGrid(zoom: zoom, tileSize: 256, scale: scale), looks: &looks)
    return (symbols, looks)
  }

  /// How many pairs of labels cover a pixel in common, the antimeridian included.
  private func overlaps(_ symbols: ZoomSymbols, _ looks: LookTable, scale: Int = 1) throws -> Int {
    let factory = SpriteFactory(scale: scale, fonts: try fonts.get())
    let world = PixelGrid(zoom: 4, tileSize: 256, scale: scale).worldPixels
    let sprites = try (0..<symbols.count).map { row in
      try factory.sprite(
        of: looks.stacks[Int(symbols.stacks[row])], phaseX: symbols.xs[row] & 15,
        phaseY: symbols.ys[row] & 15)
    }
    var pairs = 0
    for a in 0..<symbols.count {
      for b in 0..<a {
        let dy = (symbols.ys[b] >> 4) - (symbols.ys[a] >> 4)
        let dx = (symbols.xs[b] >> 4) - (symbols.xs[a] >> 4)
        if [dx, dx + world, dx - world].contains(where: {
          sprites[a].overlaps(sprites[b], dx: $0, dy: dy)
        }) {
          pairs += 1
        }
      }
    }
    return pairs
  }

  @Test("competing labels never cover one another, also over the antimeridian", arguments: [1, 2])
  func apart(scale: Int) throws {
    let (symbols, looks) = try placed(#""text-padding": 0"#, scale: scale)
    #expect(symbols.count > 10 && symbols.count < 150)
    #expect(try overlaps(symbols, looks, scale: scale) == 0)
  }

  @Test("a label takes the second direction of its lines where the first finds no room")
  func directions() throws {
    let crowd = Self.crowd(name: "東京都")
    let counts = try ["[\"horizontal\"]", "[\"horizontal\", \"vertical\"]"].map { modes in
      let (symbols, looks) = try placed(
        #""text-padding": 0, "text-writing-mode": \#(modes)"#, source: crowd)
      #expect(try overlaps(symbols, looks) == 0)
      let labels = (0..<symbols.count).compactMap { row -> TextLook? in
        guard case .text(let look)? = looks.stacks[Int(symbols.stacks[row])].first?.look else {
          return nil
        }
        return look
      }
      return [TextStyle.WritingMode.horizontal, .stacked].map { mode in
        labels.count { $0.style.writingMode == mode }
      }
    }
    #expect(counts[0][0] > 5 && counts[0][1] == 0)
    #expect(counts[1][0] > 5 && counts[1][1] > 0)
  }

  @Test("competing labels all show if they may overlap")
  func allowed() throws {
    let (symbols, looks) = try placed(#""text-allow-overlap": true"#)
    #expect(symbols.count == 150)
    #expect(try overlaps(symbols, looks) > 0)
  }

  @Test("labels that ignore placement all show and take no room")
  func ignored() throws {
    #expect(try placed(#""text-ignore-placement": true"#).symbols.count == 150)
  }

  @Test("label placement is greedy: each hidden label would cover a shown one")
  func greedy() throws {
    let (shown, _) = try placed(#""text-padding": 0"#)
    let (all, looks) = try placed(#""text-allow-overlap": true"#)
    let kept = Set(zip(shown.xs, shown.ys).map { "\($0) \($1)" })
    for row in 0..<all.count where !kept.contains("\(all.xs[row]) \(all.ys[row])") {
      var trial = ZoomSymbols()
      var names: Set<UInt32> = []
      for other in 0..<all.count
      where other == row || kept.contains("\(all.xs[other]) \(all.ys[other])") {
        trial.append(stack: all.stacks[other], x: all.xs[other], y: all.ys[other])
        names.insert(all.stacks[other])
      }
      // Boxes are whole px wider than the pixels inside, so a label may be hidden by a margin.
      #expect(boxesMeet(trial, looks, row: all.stacks[row]))
    }
  }

  private func boxesMeet(_ symbols: ZoomSymbols, _ looks: LookTable, row: UInt32) -> Bool {
    guard let own = (0..<symbols.count).first(where: { symbols.stacks[$0] == row }) else {
      return false
    }
    let world = PixelGrid(zoom: 4).worldPixels * 16
    return (0..<symbols.count).contains { other in
      guard other != own else { return false }
      let dx = abs(symbols.xs[own] - symbols.xs[other])
      let dy = abs(symbols.ys[own] - symbols.ys[other])
      // No label of ten px is wider than 80 or higher than 16 px with its line.
      return min(dx, world - dx) < 80 * 16 && dy < 16 * 16
    }
  }

  @Test("labels of upper layers take precedence, whatever their source")
  func layers() throws {
    let layers = try ["s", "t"].map { source in
      try StyleLayer(
        json(
          #"""
          {"id": "\#(source)", "type": "symbol", "source": "\#(source)", "layout":
            {"text-field": "\#(source)", "text-font": ["DejaVu Sans Bold"]}}
          """#), sources: ["s", "t"])
    }
    let places = PointSet.sample([LngLat(longitude: 3, latitude: 3)])
    var shown: [[Int]] = []
    for order in [["s", "t"], ["t", "s"]] {
      var looks = LookTable()
      let symbols = try SymbolResolver(style: Style(layers: layers), fonts: try fonts.get())
        .symbols(
          of: order.map { SymbolSource(id: $0, points: places, level: nil) },
          grid: PixelGrid(zoom: 3), looks: &looks)
      shown.append(symbols.stacks.flatMap { looks.stacks[Int($0)].map(\.layer) })
    }
    #expect(shown == [[1], [1]])
  }

  /// What may be an obstacle.
  enum Obstacle: CaseIterable {
    case circle
    case pie
    case bar

    /// Returns a layer of it; `isSet` is the flag of the layer, `nil` without one.
    func layer(_ isSet: Bool?) -> String {
      let flag = isSet.map { ", \"\(self == .circle ? "circle" : "chart")-obstacle\": \($0)" } ?? ""
      guard self == .circle else {
        return #"""
          {"id": "a", "type": "chart", "source": "s", "layout": {"chart-type": "\#(self)",
            "chart-slices": [{"value": 1, "color": "red"}, {"value": 2, "color": "blue"}]\#(flag)},
           "paint": {"chart-radius": 7, "chart-bar-length": 14, "chart-bar-width": 6,
            "chart-stroke-width": 2, "chart-translate": [3, -1]}}
          """#
      }
      return #"""
        {"id": "a", "type": "circle", "source": "s", "layout": {"visibility": "visible"\#(flag)},
         "paint": {"circle-radius": 7, "circle-stroke-width": 2, "circle-translate": [3, -1]}}
        """#
    }
  }

  /// The room of the labels and of the circles or charts of a crowd, in 1/16 px.
  private func room(
    _ obstacle: Obstacle = .circle, isSet: Bool?, label: String
  ) throws -> (labels: [LabelObstacle], circles: [LabelObstacle]) {
    let layers = try [
      obstacle.layer(isSet),
      #"""
      {"id": "b", "type": "symbol", "source": "s", "layout":
        {"text-field": ["get", "name"], "text-font": ["DejaVu Sans Bold"], "text-size": 10,
         \#(label)}}
      """#,
    ].map { try layer($0) }
    let style = Style(layers: layers)
    let grid = PixelGrid(zoom: 5, tileSize: 256, scale: 2)
    var looks = LookTable()
    let symbols = try SymbolResolver(style: style, fonts: try fonts.get()).symbols(
      of: [Self.crowd()], grid: grid, looks: &looks)
    let footprint = LabelFootprint(scale: 2, shaper: TextShaper(fonts: try fonts.get()))
    var found: (labels: [LabelObstacle], circles: [LabelObstacle]) = ([], [])
    for row in 0..<symbols.count {
      let (x, y) = (symbols.xs[row], symbols.ys[row])
      for entry in looks.stacks[Int(symbols.stacks[row])] {
        switch entry.look {
        case .text(let text):
          let place = LabelPlacement.Place(x: x, y: y, isExact: false)
          found.labels += try footprint.obstacles(of: text).map { box in
            place.room(
              LabelObstacle(
                left: box.left * 16, top: box.top * 16, right: box.right * 16,
                bottom: box.bottom * 16))
          }
        case .circle, .chart:
          let height = obstacle == .bar ? 10 : 18
          found.circles.append(
            LabelObstacle(
              left: x + (6 - 18) * 16, top: y + (-2 - height) * 16, right: x + (6 + 18) * 16,
              bottom: y + (-2 + height) * 16, isCircle: obstacle != .bar))
        default: break
        }
      }
    }
    return found
  }

  @Test(
    "labels that look for room keep off circles and charts that are obstacles, also off their own",
    arguments: Obstacle.allCases,
    [
      #""text-variable-anchor": ["left", "right"], "text-radial-offset": 1.5"#,
      #""text-anchor": "left", "text-offset": [1.5, 0], "text-padding": 0"#,
      #""text-anchor": "left", "text-offset": [1.5, 0], "text-overlap": "cooperative""#,
    ])
  func obstacles(obstacle: Obstacle, label: String) throws {
    func covered(_ room: (labels: [LabelObstacle], circles: [LabelObstacle])) -> Int {
      room.labels.count { label in room.circles.contains { $0.meets(label) } }
    }
    let free = try room(obstacle, isSet: nil, label: label)
    #expect(free.circles.count == 150 && covered(free) > 0)
    let kept = try room(obstacle, isSet: true, label: label)
    #expect(kept.circles.count == 150 && kept.labels.count > 20 && covered(kept) == 0)
    let off = try room(obstacle, isSet: false, label: label)
    #expect(off.labels == free.labels)
  }

  @Test("a label within its own circle needs text-allow-overlap where circles are obstacles")
  func ownCircle() throws {
    #expect(try room(isSet: true, label: #""text-padding": 0"#).labels.isEmpty)
    let counts = try room(isSet: true, label: #""text-allow-overlap": true"#)
    #expect(counts.labels.count == 150)
  }

  /// Labels beside what is an obstacle, in one place or in one of several.
  private static let besideObstacles: [(Obstacle, String)] =
    Obstacle.allCases.map {
      ($0, #""text-anchor": "left", "text-offset": [1.6, 0], "text-padding": 6"#)
    }
    + [
      #""text-variable-anchor": ["left", "right", "top"], "text-radial-offset": 1.2"#,
      #""text-variable-anchor-offset": ["top", [0, 2], "left", [3, 0]], "text-overlap": "cooperative""#,
      #""text-variable-anchor": ["left", "bottom"], "text-radial-offset": 2, "icon-text-fit": "both", "icon-image": "frame""#,
      #""text-variable-anchor": ["top"], "text-radial-offset": 2, "icon-overlap": "always", "icon-image": "disc""#,
    ].map { (Obstacle.circle, $0) }

  @Test(
    "features that are read part by part keep off obstacles, and choose places, as those in memory do",
    arguments: Self.besideObstacles)
  func passes(obstacle: Obstacle, label: String) throws {
    let layers = try [
      obstacle.layer(true),
      #"""
      {"id": "b", "type": "symbol", "source": "s", "layout":
        {"text-field": ["get", "name"], "text-font": ["DejaVu Sans Bold"], "text-size": 10,
         \#(label)}}
      """#,
    ].map { try layer($0) }
    let resolver = SymbolResolver(
      style: Style(layers: layers, images: SampleImages.images), fonts: try fonts.get())
    let grid = PixelGrid(zoom: 5, tileSize: 256, scale: 1)
    let vast = VastSymbols(scale: 1, shaper: resolver.shaper)
    let source = Self.crowd()
    var pass = try #require(
      PlacementPass(resolver, of: [source], grid: grid, vast, in: nil))
    try pass.add(source)
    var looks = LookTable()
    let parts = try resolver.symbols(
      of: [source], grid: grid, looks: &looks, shown: pass.decided())
    let whole = try resolver.symbols(of: [source], grid: grid, looks: &looks)
    #expect(Array(parts.stacks) == Array(whole.stacks) && Array(parts.xs) == Array(whole.xs))
    let shown = whole.stacks.flatMap { looks.stacks[Int($0)] }
    let labels = shown.count { if case .text = $0.look { true } else { false } }
    #expect((1..<150).contains(labels))
  }

  @Test("label padding takes more room")
  func padding() throws {
    let layer = { (padding: Int) in #""text-padding": \#(padding)"# }
    let tight = try placed(layer(0)).symbols.count
    let loose = try placed(layer(30)).symbols.count
    #expect(loose < tight)
  }

  @Test("label placement is the same in every tile of a zoom")
  func everywhere() throws {
    let whole = try tiles(of: WorldBox(.world))
    let part = try tiles(of: WorldBox(GeoBounds(west: -178, south: 1, east: -177, north: 4)))
    #expect(part.count > 0 && part.count < whole.count)
    for (tile, hash) in part { #expect(whole[tile] == hash) }
  }

  private func tiles(of bounds: WorldBox) throws -> [TileCoord: StableHash] {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout":
        {"text-field": ["get", "name"], "text-font": ["DejaVu Sans Bold"], "text-size": 10}}
      """#)
    var build = try SampleBuild([layer], zoom: 4, bounds: bounds)
    let scenes = try build.builder.scenes(of: [Self.crowd()], zoom: 4)
    return Dictionary(
      uniqueKeysWithValues: (0..<scenes.count).map { (scenes.tile($0), scenes.hashes[$0]) })
  }
}
