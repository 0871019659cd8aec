import Features
import SpatialIndex
import TestSupport
import Testing
import Tiling

/// Shapes of tiles of zoom 2, seen at other zooms in tiles of 64 px.
@Suite struct SourceTileTests {
  private static let west = TileCoord(z: 2, x: 1, y: 1)
  private static let east = TileCoord(z: 2, x: 2, y: 1)

  /// Returns shapes, each of one part and one tile.
  private func shapes(
    _ shapes: [(part: GeometryColumn.Part, tile: TileCoord, positions: [[Double]])]
  ) -> ShapeSet {
    var batch = FeatureBatch()
    for (part, tile, positions) in shapes {
      for position in positions {
        batch.geometry.add(LngLat(longitude: position[0], latitude: position[1]))
      }
      batch.geometry.endPart(part)
      batch.geometry.endRecord(
        part == .line ? .lineString : .polygon, tile: TileKey(tile).rawValue)
      batch.ids.append(.missing)
      batch.lines.append(batch.lines.count + 1)
    }
    var set = ShapeSet()
    set.append(batch, rows: ContiguousArray(shapes.indices))
    return set
  }

  /// A line through two tiles as each of them has it: up to 4 px beyond the border at zoom 4.
  private var cutLine: ShapeSet {
    shapes([
      (.line, Self.west, [[-80, 20], [1.40625, 20]]),
      (.line, Self.east, [[-1.40625, 20], [20, 25], [80, 20]]),
    ])
  }

  /// An area over two tiles, cut likewise; it covers some of their tiles of zoom 4.
  private var cutArea: ShapeSet {
    func ring(_ west: Double, _ east: Double) -> [[Double]] {
      [[west, 60], [east, 60], [east, 5], [west, 5]]
    }
    return shapes([
      (.outerRing, Self.west, ring(-80, 1.40625)), (.outerRing, Self.east, ring(-1.40625, 80)),
    ])
  }

  private func pieces(of shapes: ShapeSet, zoom: Int, use: ShapeUse = .line) -> SamplePieces {
    let shapes = ZoomShapes(WorldShapes(shapes, tileZoom: 2), zoom: zoom, tilePixels: 64)
    return SamplePieces(
      ShapeTiler.pieces(
        of: shapes, areaReach: 2, lineReach: 2, window: TileRange(zoom: zoom)
      ) { _ in use }, of: shapes)
  }

  private func shapesByColumn(_ keys: some Sequence<SamplePieces.Key>) -> [Int: Set<Int>] {
    Dictionary(grouping: keys, by: \.tile.x).mapValues { Set($0.map(\.shape)) }
  }

  @Test func `a tile shows of shapes of tiles only those of the tile that it lies in`() throws {
    let halves = [4: [0], 5: [0], 6: [0], 7: [0], 8: [1], 9: [1], 10: [1], 11: [1]]
    let lines = pieces(of: cutLine, zoom: 4)
    #expect(shapesByColumn(lines.lines.keys) == halves.mapValues { Set($0) })
    let areas = pieces(of: cutArea, zoom: 4, use: [.area, .line])
    #expect(!areas.full.isEmpty)
    #expect(
      shapesByColumn(areas.full.union(areas.areas.keys)) == halves.mapValues { Set($0) })
    #expect(areas.windows.isEmpty)
    // Distances begin where the tile's line does, beyond the border.
    let key = SamplePieces.Key(tile: TileCoord(z: 4, x: 8, y: 7), shape: 1, copy: 0)
    let run = try #require(lines.lines[key]?.first)
    #expect(run.distances.first == 0)
    #expect(run.flags.contains(.startsLine))
    #expect(abs(run.vertices[0].x - (512 - 4) * 256) <= 1)
  }

  @Test func `a tile that several source tiles share draws each in its own pixels`() throws {
    // A tile of zoom 0 has four columns of source tiles of 16 px.
    for (set, use) in [(cutLine, ShapeUse.line), (cutArea, .area)] {
      let windows = pieces(of: set, zoom: 0, use: use).windows.sorted {
        $0.key.shape < $1.key.shape
      }.map(\.value)
      #expect(windows.map(\.firstColumn) == [16, 32])
      #expect(windows.map(\.endColumn) == [32, 48])
      #expect(windows.map(\.firstRow) == [16, 16])
      #expect(windows.map(\.endRow) == [32, 32])
    }
  }

  @Test func `a source tile that covers a part of a full tile is a contour in a window`() {
    // The shape of one tile reaches far beyond the tile, even beyond the world.
    let wide = shapes([
      (.outerRing, Self.west, [[-200, 88], [200, 88], [200, -88], [-200, -88]])
    ])
    let pieces = pieces(of: wide, zoom: 1, use: .area)
    let key = SamplePieces.Key(tile: TileCoord(z: 1, x: 0, y: 0), shape: 0, copy: 0)
    #expect(pieces.full.isEmpty)
    #expect(pieces.areas.keys.map(\.tile) == [key.tile])
    #expect(pieces.windows[key]?.firstColumn == 32 && pieces.windows[key]?.endColumn == 64)
    #expect(pieces.windows[key]?.firstRow == 32)
  }

  @Test func `a speck in the buffers of two tiles is drawn once`() {
    func speck(_ tile: TileCoord) -> (GeometryColumn.Part, TileCoord, [[Double]]) {
      (.outerRing, tile, [[0.2, 20], [0.21, 20], [0.21, 20.01]])
    }
    for zoom in [1, 2, 4] {
      let set = ZoomShapes(
        WorldShapes(shapes([speck(Self.west), speck(Self.east)]), tileZoom: 2), zoom: zoom,
        tilePixels: 64)
      let pieces = ShapeTiler.pieces(
        of: set, areaReach: 2, lineReach: 0, window: TileRange(zoom: zoom)
      ) { _ in .area }
      let shown = pieces.dustShapes.indices.filter {
        (0..<64).contains(pieces.dustXs[$0]) && (0..<64).contains(pieces.dustYs[$0])
      }
      #expect(shown.map { pieces.dustShapes[$0] } == [1], "zoom \(zoom)")
    }
  }

  @Test func `shapes of tiles keep all their vertices, and their place west of the world`() {
    var random = SplitMix64(seed: 41)
    let course = (0..<300).map { [Double($0) * 0.27 - 181, 30 + random.number(-0.05...0.05)] }
    let first = TileCoord(z: 2, x: 0, y: 1)
    let world = WorldShapes(shapes([(.line, first, course)]), tileZoom: 2)
    #expect(world.vertices.count == 300 && world.importances.isEmpty)
    #expect(world.boxes[0].minX < 0)
    let pieces = pieces(of: shapes([(.line, first, course)]), zoom: 4)
    #expect(shapesByColumn(pieces.lines.keys) == [0: [0], 1: [0], 2: [0], 3: [0]])
  }
}
