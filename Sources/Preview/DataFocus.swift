import MBTiles
import TapBlocks
import Tiling

/// The smallest box that holds nearly all data of an archive, for a first view that few records far
/// away do not shrink.
struct DataFocus {
  let bounds: GeoBounds

  /// The part of the data that the box holds at least.
  private static let share = 0.98

  /// The box is used if it has less than this part of the area of all data; to cut less off would
  /// hide data and show little more of the others.
  private static let worthwhile = 0.75

  /// The number of cells along each side of the grid on which the box is searched.
  private static let side = 128

  /// Maximum number of positions; a lower zoom is used if there are more.
  private static let limit = 400_000

  /// - Parameter zooms: the zooms of the archive.
  /// - Returns: `nil` if the box would not be much smaller than that of all data, or if the archive
  ///   cannot be read in time.
  /// - Complexity: O(data of the last zoom).
  init?(_ archive: ArchiveReader, _ zooms: ClosedRange<Int>) {
    guard let positions = Self.positions(archive, zooms) else { return nil }
    self.init(positions)
  }

  /// - Returns: `nil` if the box would not be much smaller than that of all places.
  init?(_ places: [LngLat]) {
    self.init(
      places.compactMap { WorldPoint($0) }.map { (Double($0.x) / 0x1p32, Double($0.y) / 0x1p32) })
  }

  private init?(_ positions: [Position]) {
    guard let all = Box(positions), let bounds = Self.smallest(positions, of: all) else {
      return nil
    }
    self.bounds = bounds
  }

  /// A position in shares of the world's width from its north-west corner.
  private typealias Position = (x: Double, y: Double)

  private struct Box {
    var west: Double
    var east: Double
    var north: Double
    var south: Double

    init?(_ positions: [Position]) {
      guard let first = positions.first else { return nil }
      (west, east, north, south) = (first.x, first.x, first.y, first.y)
      for position in positions {
        (west, east) = (min(west, position.x), max(east, position.x))
        (north, south) = (min(north, position.y), max(south, position.y))
      }
    }

    /// The area, in which a line or point has a width, too.
    var area: Double { max(east - west, 1e-9) * max(south - north, 1e-9) }

    func contains(_ position: Position) -> Bool {
      (west...east).contains(position.x) && (north...south).contains(position.y)
    }

    var bounds: GeoBounds {
      func place(_ x: Double, _ y: Double) -> LngLat {
        LngLat(WorldPoint(x: WorldPoint.fixed(x), y: WorldPoint.fixed(y)))
      }
      let (first, last) = (place(west, south), place(east, north))
      return GeoBounds(
        west: first.longitude, south: first.latitude, east: last.longitude, north: last.latitude)
    }
  }

  /// Returns the positions of what answers taps at the last zoom, or else of its tiles.
  private static func positions(
    _ archive: ArchiveReader, _ zooms: ClosedRange<Int>
  ) -> [Position]? {
    do {
      let hasBlocks = try archive.hasTapBlocks()
      for zoom in stride(from: zooms.upperBound, through: zooms.lowerBound, by: -2) {
        var positions: [Position] = []
        if hasBlocks {
          try archive.forEachTapBlock(zoom: zoom) { coord, block in
            append(coord, block, to: &positions)
            return positions.count <= limit
          }
        } else {
          let unit = 1 / Double(1 << zoom)
          try archive.forEachAddress(zoom: zoom) { tile in
            guard tile.isValid else { return true }
            positions.append(((Double(tile.x) + 0.5) * unit, (Double(tile.y) + 0.5) * unit))
            return positions.count <= limit
          }
        }
        if positions.count <= limit { return positions }
      }
    } catch {
      return nil
    }
    return nil
  }

  /// Appends the anchors of a block's symbols that lie in it, and the middles of the tiles of its
  /// shapes.
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
      positions.append(((Double(tile.x) + x) * unit, (Double(tile.y) + y) * unit))
    }
    for shape in block.shapes {
      let (column, row) = (
        Int(shape.tile) % TapBlockCoord.side, Int(shape.tile) / TapBlockCoord.side
      )
      positions.append(
        ((Double(tile.x + column) + 0.5) * unit, (Double(tile.y + row) + 0.5) * unit))
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
