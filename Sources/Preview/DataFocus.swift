import MBTiles
import TapBlocks
import Tiling

/// The box of an archive's data, or of nearly all points, so that a few remote records do not shrink
/// the first view. The bounds of an archive reach farther: to the pixels of its lowest zoom.
///
/// East of the antimeridian longitudes go on beyond 180°, for data that lie on both sides.
struct DataFocus {
  let bounds: GeoBounds

  /// The part of the data that the box holds at least.
  private static let share = 0.98

  /// The box is used if its area is less than this share of the box of all data; otherwise it would
  /// hide data and hardly enlarge the rest.
  private static let worthwhile = 0.75

  /// The number of cells along each side of the grid on which the box is searched.
  private static let side = 128

  /// Maximum number of positions; a lower zoom is used if there are more.
  private static let limit = 400_000

  /// - Parameter zooms: the zooms of the archive.
  /// - Returns: `nil` if the archive has no data, or too many to be read in time.
  /// - Complexity: O(data of the last zoom).
  init?(_ archive: ArchiveReader, _ zooms: ClosedRange<Int>) {
    guard let data = Self.positions(archive, zooms) else { return nil }
    self.init(data.positions, areWhole: data.hasShapes)
  }

  /// - Returns: `nil` without any places.
  init?(_ places: [LngLat]) {
    self.init(
      places.compactMap { WorldPoint($0) }
        .map { (Double($0.x) / 0x1p32, Double($0.y) / 0x1p32, 0) }, areWhole: false)
  }

  /// - Parameter areWhole: whether the box holds all positions.
  private init?(_ positions: [Position], areWhole: Bool) {
    let positions = Self.together(positions)
    guard let all = Box(positions) else { return nil }
    bounds = areWhole ? all.bounds : Self.smallest(positions, of: all) ?? all.bounds
  }

  /// A position in shares of the world's width from its north-west corner, and half of the side of
  /// the square around it; 0 for a point.
  private typealias Position = (x: Double, y: Double, half: Double)

  /// Returns the positions with those west of the others across the antimeridian moved to their east.
  private static func together(_ positions: [Position]) -> [Position] {
    var occupied = OccupiedLongitudes()
    for position in positions {
      occupied.insert(position.x - position.half...position.x + position.half)
    }
    guard let start = occupied.start else { return positions }
    return positions.map { $0.x < start ? ($0.x + 1, $0.y, $0.half) : $0 }
  }

  private struct Box {
    var west: Double
    var east: Double
    var north: Double
    var south: Double

    init?(_ positions: [Position]) {
      guard let first = positions.first else { return nil }
      (west, east, north, south) = (first.x, first.x, first.y, first.y)
      for position in positions {
        (west, east) = (
          min(west, position.x - position.half), max(east, position.x + position.half)
        )
        (north, south) = (
          min(north, position.y - position.half), max(south, position.y + position.half)
        )
      }
    }

    /// The area, in which a line or point has a width, too.
    var area: Double { max(east - west, 1e-9) * max(south - north, 1e-9) }

    func contains(_ position: Position) -> Bool {
      (west...east).contains(position.x) && (north...south).contains(position.y)
    }

    var bounds: GeoBounds {
      func latitude(_ y: Double) -> Double {
        LngLat(WorldPoint(x: 0, y: WorldPoint.fixed(y))).latitude
      }
      return GeoBounds(
        west: west * 360 - 180, south: latitude(south), east: east * 360 - 180,
        north: latitude(north))
    }
  }

  /// Returns the positions of what answers taps at the last zoom, or else of its tiles, and whether
  /// areas or lines are among them.
  private static func positions(
    _ archive: ArchiveReader, _ zooms: ClosedRange<Int>
  ) -> (positions: [Position], hasShapes: Bool)? {
    do {
      let hasBlocks = try archive.hasTapBlocks()
      for zoom in stride(from: zooms.upperBound, through: zooms.lowerBound, by: -2) {
        var positions: [Position] = []
        var hasShapes = false
        if hasBlocks {
          try archive.forEachTapBlock(zoom: zoom) { coord, block in
            append(coord, block, to: &positions)
            hasShapes = hasShapes || !block.shapes.isEmpty
            return positions.count <= limit
          }
        } else {
          let unit = 1 / Double(1 << zoom)
          try archive.forEachAddress(zoom: zoom) { tile in
            guard tile.isValid else { return true }
            positions.append(
              ((Double(tile.x) + 0.5) * unit, (Double(tile.y) + 0.5) * unit, unit / 2))
            return positions.count <= limit
          }
        }
        if positions.count <= limit { return (positions, hasShapes) }
      }
    } catch {
      return nil
    }
    return nil
  }

  /// Appends the anchors of a block's symbols that lie in it, and the tiles of its shapes.
  private static func append(
    _ coord: TapBlockCoord, _ block: TapBlock, to positions: inout [Position]
  ) {
    let (tile, unit) = (coord.firstTile, 1 / Double(1 << coord.zoom))
    let pixels = Double(TapBlock.steps * block.tileSide)
    let side = Double(TapBlockCoord.side)
    for symbol in 0..<block.symbols.count {
      let x = Double(block.symbols.xs[symbol]) / pixels
      let y = Double(block.symbols.ys[symbol]) / pixels
      guard (0..<side).contains(x), (0..<side).contains(y) else { continue }
      positions.append(((Double(tile.x) + x) * unit, (Double(tile.y) + y) * unit, 0))
    }
    for shape in block.shapes {
      let (column, row) = (
        Int(shape.tile) % TapBlockCoord.side, Int(shape.tile) / TapBlockCoord.side
      )
      positions.append(
        (
          (Double(tile.x + column) + 0.5) * unit, (Double(tile.y + row) + 0.5) * unit, unit / 2
        ))
    }
  }

  /// Returns the smallest box of cells with the share of the positions, shrunk to these; `nil` if it
  /// is not worthwhile.
  ///
  /// - Complexity: O(positions + side³).
  private static func smallest(_ positions: [Position], of all: Box) -> GeoBounds? {
    func cell(_ value: Double, _ low: Double, _ high: Double) -> Int {
      guard high > low else { return 0 }
      return min(Int((value - low) / (high - low) * Double(side)), side - 1)
    }
    var counts = [Int](repeating: 0, count: side * side)
    for position in positions {
      let column = cell(position.x, all.west, all.east)
      counts[cell(position.y, all.north, all.south) * side + column] += 1
    }
    let wanted = Int((Double(positions.count) * share).rounded(.up))
    var best: (cells: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>)?
    for first in 0..<side {
      var rows = [Int](repeating: 0, count: side)
      for last in first..<side {
        for row in 0..<side { rows[row] += counts[row * side + last] }
        guard let range = shortest(rows, holding: wanted) else { continue }
        let cells = (last - first + 1) * range.count
        if cells < best?.cells ?? .max { best = (cells, first...last, range) }
      }
    }
    guard let best else { return nil }
    let held = positions.filter {
      best.columns.contains(cell($0.x, all.west, all.east))
        && best.rows.contains(cell($0.y, all.north, all.south))
    }
    guard let box = Box(held), box.area < all.area * worthwhile else { return nil }
    return box.bounds
  }

  /// Returns the first of the shortest ranges of rows whose sum is not less than `wanted`.
  private static func shortest(_ rows: [Int], holding wanted: Int) -> ClosedRange<Int>? {
    var best: ClosedRange<Int>?
    var (first, sum) = (0, 0)
    for last in rows.indices {
      sum += rows[last]
      while first < last, sum - rows[first] >= wanted {
        sum -= rows[first]
        first += 1
      }
      if sum >= wanted, last - first + 1 < best?.count ?? .max { best = first...last }
    }
    return best
  }
}
