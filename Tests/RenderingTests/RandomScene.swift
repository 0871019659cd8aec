import Features
import PNG
import PlainPainting
import Raster
import SpatialIndex
import TestSupport
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

/// The fonts of the machine, loaded once.
let fonts = Result { try FontLibrary() }

/// Symbols of random looks at random places of one zoom, many of them at tile borders.
struct RandomScene {
  let grid: PixelGrid
  var background: UInt32 = 0
  private(set) var looks = LookTable()
  private(set) var symbols = ZoomSymbols()

  /// - Parameters:
  ///   - pool: the stacks that the symbols take.
  ///   - count: how many symbols there are.
  init(
    _ random: inout SplitMix64, grid: PixelGrid, pool: [LookStack], count: Int,
    background: UInt32 = 0
  ) {
    self.grid = grid
    self.background = background
    for _ in 0..<count {
      append(
        random.pick(pool),
        at: WorldPoint(x: Self.coordinate(&random, grid), y: Self.coordinate(&random, grid)))
    }
  }

  /// Adds a symbol on top of the others.
  mutating func append(_ stack: LookStack, at point: WorldPoint) {
    let center = grid.symbolCenter(point)
    symbols.append(stack: looks.number(of: stack), x: center.x, y: center.y)
  }

  /// A third near a border between tiles, a few at the very edge of the world.
  private static func coordinate(_ random: inout SplitMix64, _ grid: PixelGrid) -> UInt32 {
    let any = UInt32(truncatingIfNeeded: random.next())
    switch random.below(8) {
    case 0: return random.pick([0, .max, 1])
    case 1, 2:
      let border = UInt32(random.below(grid.tilesAcross)) << UInt32(32 - max(grid.zoom, 1))
      return border &+ (any >> UInt32(grid.zoom + 8))
    default: return any
    }
  }

  /// The tiles of the zoom, by the way that a build takes.
  func scenes() throws -> ZoomScenes {
    try scenes(SpriteStore(scale: grid.scale, fonts: fonts.get(), threads: 1))
  }

  /// The same, their sprites kept by a store.
  func scenes(_ store: SpriteStore) throws -> ZoomScenes {
    let vast = VastSymbols(scale: grid.scale, shaper: TextShaper(fonts: try fonts.get()))
    var sprites = SpriteTable()
    let numbers = try sprites.numbers(
      of: symbols, looks: looks, isRecurring: true, vast: vast, meter: store)
    let world = TileRange(WorldBox(.world), zoom: grid.zoom)
    let binning = SceneBinning(
      grid: grid, range: world, blankRange: world, background: background, meter: store)
    var sorter = RadixSorter()
    return try binning.scenes(
      of: symbols, looks: looks, symbolSprites: numbers, sprites: sprites.sprites, sorter: &sorter)
  }

  /// Style px that no symbol of these tests reaches beyond, from its centre.
  private static let reach = 64

  /// A square of the world, its corner and side in device px, as one scene: every symbol there, and
  /// its copies beyond the antimeridian.
  func scene(left: Int = 0, top: Int = 0, side: Int) -> PlainScene {
    let reach = Self.reach * grid.scale
    let columns = (left - reach) * 16...(left + side + reach) * 16
    let rows = (top - reach) * 16...(top + side + reach) * 16
    let copies = [-1, 0, 1].flatMap { copy in
      (0..<symbols.count).map { row in (row, symbols.xs[row] + copy * grid.worldPixels * 16) }
    }.filter { columns.contains($0.1) && rows.contains(symbols.ys[$0.0]) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
    return PlainScene(
      size: side, scale: grid.scale, background: PremultipliedColor(bits: background),
      symbols: copies.map { row, x in
        PlainScene.Symbol(
          stack: looks.stacks[Int(symbols.stacks[row])], x: x - left * 16,
          y: symbols.ys[row] - top * 16)
      })
  }

  /// The whole world as one picture that knows its edges, every colour exact.
  func world() throws -> Pixmap {
    try PlainPainter(fonts: fonts.get()).paint(scene(side: grid.worldPixels))
  }
}

/// Looks for random scenes.
enum RandomLooks {
  private static func color(_ random: inout SplitMix64) -> Color {
    Color(
      red: random.number(in: 0..<1), green: random.number(in: 0..<1),
      blue: random.number(in: 0..<1), alpha: random.pick([1, 1, 0.75, 0.3]))
  }

  static func circle(_ random: inout SplitMix64) -> Look {
    .circle(
      CircleLook(
        radius: random.number(in: 0..<14), blur: random.pick([0, 0, 0, 0.4]),
        color: random.below(4) == 0 ? .transparent : color(&random),
        strokeWidth: random.pick([0, 1, 2.5]), strokeColor: color(&random),
        translateX: random.pick([0, 0, 1.25]), translateY: random.pick([0, 0, -3])))
  }

  static func chart(_ random: inout SplitMix64) -> Look {
    let form = random.pick(ChartLook.Form.allCases)
    var chart = ChartLook(
      form: form,
      slices: [0.2, random.number(in: 0.3..<0.9), 1].map { end in
        ChartLook.Slice(color: color(&random), end: end)
      }, radius: random.number(in: 3..<14), rotate: random.number(in: 0..<360))
    if form == .donut { chart.holeRadius = chart.radius / 2 }
    (chart.length, chart.thickness) = (random.number(in: 3..<20), random.number(in: 3..<9))
    (chart.strokeWidth, chart.strokeColor) = (random.pick([0, 1.5]), color(&random))
    return .chart(chart)
  }

  static func text(_ random: inout SplitMix64) -> Look {
    let text = String(random.pick([1, 7, 42, 999, 1234]))
    return .text(
      TextLook(
        text: text,
        style: TextStyle(fontStack: ["DejaVu Sans Bold"], size: random.number(in: 6..<14)),
        color: color(&random), haloColor: color(&random), haloWidth: random.pick([0, 1, 2]),
        haloBlur: random.pick([0, 1]), translateY: random.pick([0, -1])))
  }

  /// Stacks of one to three layers.
  static func stacks(_ random: inout SplitMix64, count: Int) -> [LookStack] {
    (0..<count).map { _ in
      var stack: LookStack = []
      if random.below(4) > 0 { stack.append(StackedLook(layer: 0, look: circle(&random))) }
      if random.below(2) > 0 { stack.append(StackedLook(layer: 1, look: circle(&random))) }
      if stack.isEmpty || random.below(3) == 0 {
        stack.append(StackedLook(layer: 2, look: text(&random)))
      }
      return stack
    }
  }

  /// Stacks of few colours without translucency, which a palette can show.
  static func plainStacks(_ random: inout SplitMix64, count: Int) -> [LookStack] {
    let orange = Color(red: 1, green: 0.37, blue: 0.16)
    return (0..<count).map { _ in
      let circle = CircleLook(
        radius: random.number(in: 3..<12), color: orange, strokeWidth: random.pick([0, 2]),
        strokeColor: .white)
      let text = TextLook(
        text: String(random.below(100)),
        style: TextStyle(fontStack: ["DejaVu Sans Bold"], size: 10), color: .white)
      let disc = StackedLook(layer: 0, look: .circle(circle))
      return random.below(2) == 0 ? [disc] : [disc, StackedLook(layer: 1, look: .text(text))]
    }
  }
}

extension Pixmap {
  /// A part of the picture.
  func part(left: Int, top: Int, side: Int) -> Pixmap {
    let part = Pixmap(width: side, height: side, tracksEdges: !edges.isEmpty)
    for y in 0..<side {
      for x in 0..<side {
        let from = (top + y) * width + left + x
        part.pixels[y * side + x] = pixels[from]
        if !edges.isEmpty { part.edges[y * side + x] = edges[from] }
      }
    }
    return part
  }

  /// The picture as a tile shows it whose style has no palette: edges rounded, all else exact.
  func withRoundedEdges() -> Pixmap {
    let rounded = Pixmap(width: width, height: height)
    for index in pixels.indices {
      rounded.pixels[index] =
        edges[index] == 0 ? pixels[index] : EdgeLattice.nearest(to: pixels[index])
    }
    return rounded
  }

  /// The largest differences of a premultiplied channel to this picture, which knows its edges: on
  /// its edges, and elsewhere.
  func largestDifferences(to other: Pixmap) -> (edge: Int, elsewhere: Int) {
    precondition(width == other.width && height == other.height)
    var (edge, elsewhere) = (0, 0)
    for index in pixels.indices where pixels[index] != other.pixels[index] {
      let distance = [UInt32(0), 8, 16, 24].reduce(0) { most, shift in
        max(most, abs(Int(pixels[index] >> shift & 255) - Int(other.pixels[index] >> shift & 255)))
      }
      if edges[index] != 0 {
        edge = max(edge, distance)
      } else {
        elsewhere = max(elsewhere, distance)
      }
    }
    return (edge, elsewhere)
  }

  /// The largest difference of a premultiplied channel to another picture of the same size.
  func largestDifference(to other: Pixmap) -> Int {
    precondition(width == other.width && height == other.height)
    var largest = 0
    for index in 0..<(width * height) where pixels[index] != other.pixels[index] {
      largest = max(largest, StylePalette.distance(pixels[index], other.pixels[index]))
    }
    return largest
  }

  /// Whether a pixel of a square shows anything.
  func showsAnything(left: Int, top: Int, side: Int) -> Bool {
    for y in top..<(top + side) {
      for x in left..<(left + side) where pixels[y * width + x] >> 24 != 0 { return true }
    }
    return false
  }
}
