import Features
import SpatialIndex
import Styling
import Tiling

/// A description of the shapes of a tile: whether and in which quadrants they show, and a hash.
struct ShapeTileDescription {
  let grid: PixelGrid

  /// The hash of the draws so far.
  private(set) var hash = StableHash()

  /// The quadrants in which a draw may show a pixel: bit 0 NW, 1 NE, 2 SW, 3 SE.
  private(set) var quadrants: UInt8 = 0

  private let windows: [PieceWindow]

  /// The looks by number.
  private let looks: [ShapeExtent]

  init(grid: PixelGrid, looks: ShapeLookTable) {
    self.grid = grid
    self.looks = zip(looks.looks, looks.hashes).map {
      ShapeExtent($0, hash: $1, scale: grid.scale)
    }
    windows = (0...4).map { PieceWindow(quadrant: $0, side: grid.tilePixels) }
  }

  private var tile = TileCoord(z: 0, x: 0, y: 0)

  /// Begins a tile.
  mutating func begin(_ tile: TileCoord) {
    self.tile = tile
    hash = StableHash()
    hash.combine(grid.tilePixels)
    quadrants = 0
  }

  /// Takes a draw into account; returns `false` if it shows nothing in the tile.
  mutating func add(_ draw: ShapeDraw, of scenes: ShapeScenes) -> Bool {
    let look = looks[Int(draw.look)]
    let isShown =
      if let speck = draw.dust {
        add(speck: speck, scenes.pieces[Int(draw.set)], look)
      } else {
        add(piece: Int(draw.piece), scenes.pieces[Int(draw.set)], look)
      }
    guard isShown else { return false }
    hash.combine(look.hash)
    hash.combine(UInt64(draw.layer))
    if look.hasAreaPattern, let pattern = scenes.looks.looks[Int(draw.look)].areaPattern {
      hash.combine(PatternPlace(of: pattern, in: tile, grid))
    }
    return true
  }

  // MARK: Dust

  private mutating func add(speck: Int, _ set: ShapePieceSet, _ look: ShapeExtent) -> Bool {
    let side = grid.tilePixels
    let x = Int(set.pieces.dustXs[speck]) + look.offset.x >> 8
    let y = Int(set.pieces.dustYs[speck]) + look.offset.y >> 8
    guard x >= 0, x < side, y >= 0, y < side else { return false }
    quadrants |= 1 << UInt8((x >= side / 2 ? 1 : 0) | (y >= side / 2 ? 2 : 0))
    hash.combine(UInt64(x) << 48 | UInt64(y) << 32 | UInt64(set.pieces.dustAreas[speck]))
    return true
  }

  // MARK: Pieces

  private mutating func add(piece: Int, _ set: ShapePieceSet, _ look: ShapeExtent) -> Bool {
    guard set.pieces.kinds[piece] != .fullArea else {
      quadrants = 15
      set.pieces.combineContent(of: piece, followsLine: look.followsLine, into: &hash)
      return true
    }
    let box = set.pieces.box(of: piece)
    let seen = quadrants(of: piece, set, look, box)
    guard seen != 0 else { return false }
    quadrants |= seen
    set.pieces.combineContent(of: piece, followsLine: look.followsLine, into: &hash)
    return true
  }

  /// Returns the quadrants in which a piece may show a pixel, or 0 if the tile shows nothing of it.
  private func quadrants(
    of piece: Int, _ set: ShapePieceSet, _ look: ShapeExtent, _ box: PlaneBox
  ) -> UInt8 {
    let (offset, reach) = (look.offset, look.reach)
    if let quadrant = quadrant(holding: box, reach: reach, offset) { return 1 << UInt8(quadrant) }
    func shows(_ index: Int) -> Bool {
      isShown(
        piece, set, in: windows[index].grown(by: reach, dx: -offset.x, dy: -offset.y), look)
    }
    guard shows(4) else { return 0 }
    if quadrants == 15 { return 15 }
    return (0..<4).reduce(0) { $0 | (shows($1) ? 1 << UInt8($1) : 0) }
  }

  /// Returns the quadrant that holds everything that a piece may show, or `nil` if no single
  /// quadrant does.
  private func quadrant(
    holding box: PlaneBox, reach: Int, _ offset: (x: Int, y: Int)
  ) -> Int? {
    (0..<4).first { index in
      let window = windows[index]
      return box.minX + offset.x - reach >= window.left
        && box.maxX + offset.x + reach <= window.right
        && box.minY + offset.y - reach >= window.top
        && box.maxY + offset.y + reach <= window.bottom
    }
  }

  private func isShown(
    _ piece: Int, _ set: ShapePieceSet, in window: PieceWindow, _ look: ShapeExtent
  ) -> Bool {
    var isInside = false
    let meets = set.pieces.contains(piece) { contour, isClosed in
      if window.meets(contour, isClosed: isClosed) { return true }
      if look.isArea, window.isMiddleInside(contour) { isInside.toggle() }
      return false
    }
    return meets || isInside
  }
}

/// The values of a look that decide where its shapes show.
private struct ShapeExtent {
  let hash: StableHash
  let isArea: Bool
  let hasAreaPattern: Bool
  let followsLine: Bool

  /// The offset of the shape, in 1/256 px.
  let offset: (x: Int, y: Int)

  /// The distance from a shape's edges within which it may be visible, in 1/256 px, rounded up.
  let reach: Int

  init(_ look: ShapeLook, hash: StableHash, scale: Int) {
    self.hash = hash
    isArea = look.isArea
    hasAreaPattern = look.areaPattern != nil
    followsLine = look.followsLine
    offset = look.offset(scale: scale)
    reach = Int((look.ownReach * 256).rounded(.up))
  }
}

/// A window onto the pieces of a shape: a box in 1/256 px, both ends included.
struct PieceWindow {
  let left: Int
  let top: Int
  let right: Int
  let bottom: Int

  init(left: Int, top: Int, right: Int, bottom: Int) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// Creates the window of a whole tile (index 4) or of one quadrant: NW, NE, SW, SE (0 … 3).
  ///
  /// - Parameter side: the side of the tile, in px.
  init(quadrant: Int, side: Int) {
    let whole = side * 256
    let half = whole / 2
    let isWhole = quadrant == 4
    let west = isWhole ? 0 : (quadrant & 1) * half
    let north = isWhole ? 0 : (quadrant >> 1) * half
    let size = isWhole ? whole : half
    self.init(left: west, top: north, right: west + size - 1, bottom: north + size - 1)
  }

  /// Returns the window grown on all sides and moved.
  func grown(by reach: Int, dx: Int = 0, dy: Int = 0) -> PieceWindow {
    PieceWindow(
      left: left - reach + dx, top: top - reach + dy, right: right + reach + dx,
      bottom: bottom + reach + dy)
  }

  /// Returns whether a straight edge has a point in the window; products stay below 2⁶² for
  /// coordinates within ± 2²⁹.
  @inline(__always)
  func meets(_ a: ShapeVertex, _ b: ShapeVertex) -> Bool {
    let (ax, ay, bx, by) = (Int(a.x), Int(a.y), Int(b.x), Int(b.y))
    guard max(ax, bx) >= left, min(ax, bx) <= right, max(ay, by) >= top, min(ay, by) <= bottom
    else { return false }
    let (dx, dy) = (bx - ax, by - ay)
    if dx == 0 || dy == 0 { return true }
    // The two opposite corners that a line of this slope touches first and last.
    let rises = (dx > 0) == (dy > 0)
    let first = dx * ((rises ? bottom : top) - ay) - dy * (left - ax)
    let second = dx * ((rises ? top : bottom) - ay) - dy * (right - ax)
    return (first > 0) != (second > 0) || first == 0 || second == 0
  }

  /// Returns whether one of the edges of a contour meets the window.
  func meets(_ contour: UnsafeBufferPointer<ShapeVertex>, isClosed: Bool) -> Bool {
    guard var last = isClosed ? contour.last : contour.first else { return false }
    for point in contour {
      if meets(last, point) { return true }
      last = point
    }
    return false
  }

  /// Returns whether the middle of the window lies inside a contour, by the even-odd rule; the
  /// results for the contours of one area are combined by exclusive or.
  func isMiddleInside(_ contour: UnsafeBufferPointer<ShapeVertex>) -> Bool {
    guard var last = contour.last else { return false }
    let (x, y) = ((left + right) / 2, (top + bottom) / 2)
    var isInside = false
    for point in contour {
      let (ay, by) = (Int(last.y), Int(point.y))
      if (ay > y) != (by > y) {
        let side = (Int(point.x) - Int(last.x)) * (y - ay) - (x - Int(last.x)) * (by - ay)
        if (side > 0) == (by > ay) { isInside.toggle() }
      }
      last = point
    }
    return isInside
  }
}
