import Features
import Foundation
import PNG
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("A chart")
struct ChartTests {
  private static let slices = ##"""
    [{"value": ["get", "a"], "color": "#f00", "name": "First"},
     {"value": ["get", "b"], "color": "#0f0"},
     {"value": ["get", "c"], "color": "#00f"}]
    """##

  private static func layer(_ layout: String = "", paint: String = "") throws -> StyleLayer {
    try RenderingTests.layer(
      #"""
      {"id": "l", "type": "chart", "source": "s",
       "layout": {"chart-slices": \#(slices)\#(layout)}, "paint": {\#(paint)}}
      """#)
  }

  private func chart(
    _ layer: StyleLayer, _ values: [String: PropertyValue]
  ) throws -> ChartLook? {
    var lists = 0
    let resolver = LookResolver(
      layer, index: 0, zoom: 5, shaper: TextShaper(fonts: try fonts.get()), nextList: &lists)
    guard case .chart(let look)? = try resolver.look(of: SampleFeature(values)) else { return nil }
    return look
  }

  @Test("equal shares give equal looks; what is not above 0 gives no slice")
  func shares() throws {
    let layer = try Self.layer()
    let look = try chart(layer, ["a": .number(1), "b": .number(2), "c": .number(3)])
    #expect(look?.slices.map(\.end) == [1.0 / 6, 0.5, 1])
    #expect(look == (try chart(layer, ["a": .number(7), "b": .number(14), "c": .number(21)])))
    #expect(look != (try chart(layer, ["a": .number(2), "b": .number(1), "c": .number(3)])))
    let part = try chart(layer, ["a": .number(-4), "b": .string("many"), "c": .number(3)])
    #expect(part?.slices.map(\.end) == [1])
    #expect(part?.slices.first?.color == Color(red: 0, green: 0, blue: 1))
    #expect(try chart(layer, ["a": .number(0)]) == nil)
    #expect(try chart(layer, [:]) == nil)
  }

  @Test("a chart takes its form, sizes and colours from the style")
  func looks() throws {
    let values: [String: PropertyValue] = ["a": .number(1), "b": .number(1)]
    let pie = try chart(try Self.layer(), values)
    #expect(pie?.form == .pie && pie?.radius == 15 && pie?.holeRadius == 0)
    let donut = try chart(
      try Self.layer(
        #", "chart-type": "donut""#,
        paint: ##"""
          "chart-radius": ["*", 10, ["get", "a"]], "chart-hole": 0.5, "chart-hole-color": "#fff",
          "chart-rotate": 450, "chart-opacity": 0.5, "chart-stroke-width": 2,
          "chart-translate": [3, -1]
          """##), values)
    #expect(donut?.radius == 10 && donut?.holeRadius == 5 && donut?.rotate == 90)
    #expect(donut?.holeColor == Color.white.faded(0.5) && donut?.strokeWidth == 2)
    #expect(donut?.slices.first?.color == Color(red: 1, green: 0, blue: 0, alpha: 0.5))
    #expect(donut?.translateX == 3 && donut?.translateY == -1)
    let bar = try chart(
      try Self.layer(#", "chart-type": "bar""#, paint: #""chart-bar-length": 30"#), values)
    #expect(bar?.isRound == false && bar?.length == 30 && bar?.thickness == 8)
  }

  static let refused: [(layout: String, message: String)] = [
    (#""chart-slices": []"#, "expected a list of 1 to 64 slices"),
    (#""chart-slices": ["a"]"#, "a slice is an object"),
    (#""chart-slices": [{"value": 1}]"#, "the slice has no 'color'"),
    (##""chart-slices": [{"value": 1, "colour": "#fff"}]"##, "a slice has no 'colour'"),
    (##""chart-slices": [{"value": true, "color": "#fff"}]"##, "Expected number"),
    (
      ##""chart-slices": [{"value": ["zoom"], "color": "#fff"}]"##,
      "zoom expressions not supported"
    ),
    (#""chart-type": "ring""#, "pie"),
  ]

  @Test("slices that are none are refused", arguments: refused)
  func refusals(layout: String, message: String) throws {
    let error = #expect(throws: StyleError.self) {
      try RenderingTests.layer(
        #"{"id": "l", "type": "chart", "source": "s", "layout": {\#(layout)}}"#)
    }
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }

  @Test("a stable hash covers everything that a chart's pixels depend on")
  func hash() {
    let slices = [
      ChartLook.Slice(color: .white, end: 0.5), ChartLook.Slice(color: .black, end: 1),
    ]
    let changes: [(inout ChartLook) -> Void] = [
      { _ in }, { $0.form = .pie }, { $0.form = .bar }, { $0.form = .column },
      { $0.slices[0].end = 0.25 }, { $0.slices[1].color = .white }, { $0.slices.removeFirst() },
      { $0.radius = 4 }, { $0.holeRadius = 1 }, { $0.holeColor = .white }, { $0.length = 1 },
      { $0.thickness = 1 }, { $0.rotate = 1 }, { $0.strokeWidth = 1 }, { $0.strokeColor = .white },
      { $0.translateX = 1 }, { $0.translateY = 1 },
    ]
    let looks = changes.map { change in
      var look = ChartLook(form: .donut, slices: slices)
      change(&look)
      return Look.chart(look)
    }
    #expect(Set(looks.map(\.contentHash)).count == looks.count)
  }

  // MARK: Pixels

  private static func look(_ ends: [Double], rotate: Double) -> ChartLook {
    let colors = [
      Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 1, blue: 0),
      Color(red: 0, green: 0, blue: 1), Color(red: 0, green: 0, blue: 0),
    ]
    return ChartLook(
      form: .donut, slices: zip(colors, ends).map { ChartLook.Slice(color: $0, end: $1) },
      radius: 24, holeRadius: 12, rotate: rotate)
  }

  static let angleCases: [(ends: [Double], rotate: Double)] = [
    ([0.1, 0.35, 0.6, 1], 0), ([1.0 / 3, 2.0 / 3, 0.97, 1], 0), ([0.5, 0.75, 0.9, 1], 33),
  ]

  @Test("the angles of slices in a PNG are those of the shares, within 1°", arguments: angleCases)
  func angles(ends: [Double], rotate: Double) throws {
    let look = Self.look(ends, rotate: rotate)
    var random = SplitMix64(seed: 1)
    let grid = PixelGrid(zoom: 0, tileSize: 128)
    var scene = RandomScene(&random, grid: grid, pool: [[]], count: 0)
    scene.append(
      [StackedLook(layer: 0, look: .chart(look))], at: WorldPoint(x: 1 << 31, y: 1 << 31))
    let scenes = try scene.scenes()
    let painter = TilePainter(side: 128, scale: 1, sparse: nil, fonts: try fonts.get())
    var png: [UInt8] = []
    try painter.paint(0, of: scenes, into: &png)
    let measured = Self.boundaries(try PNGDecoder().decode(png), radius: 18)
    let expected = ([0] + ends.dropLast()).map {
      ($0 * 360 + rotate).truncatingRemainder(dividingBy: 360)
    }
    #expect(measured.count == expected.count)
    for (angle, wanted) in zip(measured.sorted(), expected.sorted()) {
      let difference = abs(angle - wanted)
      #expect(min(difference, 360 - difference) < 1, "\(angle)° is not \(wanted)°")
    }
  }

  /// The angles, clockwise from the top, at which the colour on a circle around the middle changes;
  /// pixels are interpolated.
  private static func boundaries(_ picture: Pixmap, radius: Double) -> [Double] {
    let steps = 7200
    let middle = Double(picture.width) / 2
    func color(_ step: Int) -> Int {
      let angle = Double(step) / Double(steps) * 2 * .pi
      let (x, y) = (middle + radius * sin(angle) - 0.5, middle - radius * cos(angle) - 0.5)
      let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      var sums = [0.0, 0, 0]
      for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let weight =
          (1 - abs(x - Double(column + dx))) * (1 - abs(y - Double(row + dy)))
        let pixel = picture[column + dx, row + dy]
        for (index, channel) in [pixel.red, pixel.green, pixel.blue].enumerated() {
          sums[index] += weight * Double(channel)
        }
      }
      let most = sums.max() ?? 0
      // Between black and a full channel, and between two channels, the larger share counts.
      return most < 127.5 ? 3 : sums.firstIndex(of: most) ?? 3
    }
    return (0..<steps).filter { color($0) != color(($0 + steps - 1) % steps) }.map {
      (Double($0) - 0.5) / Double(steps) * 360
    }
  }

  @Test("tiles of charts are written with the style's palette, exact but on edges")
  func sparse() throws {
    let layer = try Self.layer(#", "chart-type": "donut""#, paint: #""chart-radius": 9"#)
    let sparse = try #require(
      try SparseStyle(
        drawing: Style(layers: [layer]).specimens(
          zooms: 0...4, clusteredSources: ["s"], fonts: fonts.get()),
        size: 64, background: 0, factory: SpriteFactory(scale: 1, fonts: try fonts.get()),
        format: .png))
    let pool = try (0..<12).map { row -> LookStack in
      let values = [("a", row % 4), ("b", row / 4), ("c", 3)]
      let look = try chart(
        layer,
        Dictionary(
          uniqueKeysWithValues: values.map { ($0, PropertyValue.number(Double($1))) }))
      return [StackedLook(layer: 0, look: .chart(try #require(look)))]
    }
    var random = SplitMix64(seed: 6)
    let scene = RandomScene(
      &random, grid: PixelGrid(zoom: 2, tileSize: 64), pool: pool, count: 24)
    let store = SpriteStore(scale: 1, fonts: try fonts.get(), threads: 1)
    let (scenes, world) = (try scene.scenes(store), try scene.world())
    let painter = TilePainter(
      side: 64, scale: 1, sparse: sparse, fonts: try fonts.get(), sprites: store.sprites)
    for index in 0..<scenes.count {
      let tile = scenes.tile(index)
      var png: [UInt8] = []
      try painter.paint(index, of: scenes, into: &png)
      let difference = world.part(left: tile.x * 64, top: tile.y * 64, side: 64)
        .largestDifferences(to: try PNGDecoder().decode(png))
      #expect(difference.edge <= 8 && difference.elsewhere == 0, "\(tile)")
    }
    #expect(painter.exactTiles * 4 < scenes.count, "\(painter.exactTiles) of \(scenes.count)")
  }

  @Test("a tap is answered on the whole disc of a donut, and on the box of a bar")
  func prints() throws {
    var looks = LookTable()
    let donut = looks.number(of: [StackedLook(layer: 0, look: .chart(Self.look([1], rotate: 0)))])
    let bar = looks.number(of: [
      StackedLook(
        layer: 0,
        look: .chart(
          ChartLook(
            form: .column, slices: [ChartLook.Slice(color: .black, end: 1)], length: 20,
            thickness: 6, strokeWidth: 1, strokeColor: .white, translateX: 5)))
    ])
    var prints = SymbolPrints(
      scale: 2,
      footprint: LabelFootprint(scale: 2, shaper: TextShaper(fonts: try fonts.get())), layers: [0])
    let (first, second) = (
      try prints.range(of: donut, in: looks), try prints.range(of: bar, in: looks)
    )
    let (disc, box) = (prints[first.lowerBound], prints[second.lowerBound])
    #expect(disc.isDisc && disc.left == -48 && disc.right == 48)
    #expect(!box.isDisc && box.left == 2 && box.right == 18 && box.top == -22 && box.bottom == 22)
  }

  @Test("a legend names each slice, or the property that it reads")
  func legend() throws {
    let object = try json(
      #"""
      {"id": "rooms", "type": "chart", "source": "s", "layout": {"chart-slices": \#(Self.slices)}}
      """#)
    let legend = try LegendBuilder(
      style: Style(layers: [try StyleLayer(object, sources: ["s"])]), objects: [object],
      zooms: 0...9, clusteredPoints: ["s": 10], fonts: try fonts.get()
    ).legend(title: "t")
    #expect(legend.entries.map(\.title) == ["Rooms"])
    #expect(legend.entries.first?.rows.map(\.label) == ["First", "b", "c"])
    #expect(
      legend.entries.first?.rows.first?.swatch == [.fill(Color(red: 1, green: 0, blue: 0))])
  }
}
