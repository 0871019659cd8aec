import Features
import PlainPainting
import Raster
import TestSupport
import Tiling

@testable import Scenes
@testable import Styling

/// A line or polygon that a test makes up.
struct SampleShape {
  var kind = GeometryColumn.Kind.lineString
  var parts: [(part: GeometryColumn.Part, places: [LngLat])]
  var name = "A"
  var rank = 0.0

  /// The vector tile that has it whole.
  var tile: TileCoord?

  /// Returns the shape as a vector tile has it.
  func of(_ tile: TileCoord) -> SampleShape {
    var shape = self
    shape.tile = tile
    return shape
  }

  static func line(_ places: [LngLat], name: String = "A", rank: Double = 0) -> SampleShape {
    SampleShape(parts: [(.line, places)], name: name, rank: rank)
  }

  static func polygon(_ rings: [[LngLat]], name: String = "A", rank: Double = 0) -> SampleShape {
    SampleShape(
      kind: .polygon,
      parts: rings.enumerated().map { ($0.offset == 0 ? .outerRing : .innerRing, $0.element) },
      name: name, rank: rank)
  }
}

extension ShapeSet {
  /// Shapes with the columns `name` and `rank`.
  static func sample(_ shapes: [SampleShape]) -> ShapeSet {
    var batch = FeatureBatch()
    var names = PropertyColumn(name: "name")
    var ranks = PropertyColumn(name: "rank")
    for (row, shape) in shapes.enumerated() {
      for (part, places) in shape.parts {
        for place in places { batch.geometry.add(place) }
        batch.geometry.endPart(part)
      }
      batch.geometry.endRecord(
        shape.kind, tile: shape.tile.map { TileKey($0).rawValue })
      batch.lines.append(row + 1)
      batch.ids.append(.missing)
      Array(shape.name.utf8).withUnsafeBytes { names.append(.string, bytes: $0) }
      ranks.append(shape.rank)
    }
    batch.columns = [names, ranks]
    var set = ShapeSet()
    set.append(batch, rows: ContiguousArray(shapes.indices))
    return set
  }
}

extension SymbolSource {
  /// The source `s` with some shapes, and perhaps points.
  static func sample(
    _ shapes: [SampleShape], points: PointSet = PointSet(), borders: TileBorders? = nil
  ) -> SymbolSource {
    SymbolSource(
      id: "s", points: points, level: nil,
      shapes: SymbolShapes(
        .sample(shapes), findsPoles: true, findsLargest: true, borders: borders),
      borders: borders)
  }
}

extension LngLat {
  /// A position in style px from the north-west corner of a zoom's world.
  init(x: Double, y: Double, grid: PixelGrid) {
    let side = Double(grid.worldPixels / grid.scale)
    let turns = (x / side).rounded(.down)
    let point = WorldPoint(
      x: WorldPoint.fixed(x / side - turns), y: WorldPoint.fixed(y / side))
    let place = LngLat(point)
    self.init(longitude: place.longitude + turns * 360, latitude: place.latitude)
  }
}

/// What a style makes of a source at a zoom, resolved and placed.
struct PlacedSymbols {
  let grid: PixelGrid
  let symbols: ZoomSymbols
  let looks: LookTable

  init(_ layers: [StyleLayer], _ sources: [SymbolSource], grid: PixelGrid) throws {
    self.grid = grid
    var looks = LookTable()
    symbols = try SymbolResolver(style: Style(layers: layers), fonts: try fonts.get())
      .symbols(of: sources, grid: grid, looks: &looks)
    self.looks = looks
  }

  /// The text of each label in drawing order.
  var texts: [String] { labels.map(\.text) }

  /// The labels in drawing order.
  var labels: [TextLook] {
    symbols.stacks.flatMap { looks.stacks[Int($0)] }.compactMap { entry in
      if case .text(let look) = entry.look { look } else { nil }
    }
  }

  /// The centres, px of the style.
  var centers: [(x: Double, y: Double)] {
    zip(symbols.xs, symbols.ys).map {
      (Double($0) / 16 / Double(grid.scale), Double($1) / 16 / Double(grid.scale))
    }
  }

  /// Style px that no symbol of these tests reaches beyond, from its centre.
  private static let reach = 160

  /// The whole world as one picture, painted the plain way, symbols beyond the antimeridian too.
  func world() throws -> Pixmap {
    let world = grid.worldPixels * 16
    let reach = Self.reach * grid.scale * 16
    var drawn: [PlainScene.Symbol] = []
    for row in 0..<symbols.count {
      for x in [symbols.xs[row] - world, symbols.xs[row], symbols.xs[row] + world]
      where (-reach...world + reach).contains(x) {
        drawn.append(
          PlainScene.Symbol(
            stack: looks.stacks[Int(symbols.stacks[row])], x: x, y: symbols.ys[row]))
      }
    }
    return try PlainPainter(fonts: fonts.get()).paint(
      PlainScene(size: grid.worldPixels, scale: grid.scale, symbols: drawn))
  }
}
