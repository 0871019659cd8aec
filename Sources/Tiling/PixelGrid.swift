/// The world's pixels at one zoom, which map world positions to device pixels of tiles.
///
/// Positions are integers in 1/16 device px from the world's north-west corner, so a symbol moved
/// by a whole tile is the same symbol, bit for bit.
package struct PixelGrid: Hashable, Sendable {
  /// The number of sub-pixel steps of a position.
  @inlinable package static var phases: Int { 16 }

  /// The tile zoom, 0 … 22.
  package let zoom: Int

  /// The zoom at which the style is evaluated: that of the tiles, or the fractional one of a view.
  package let styleZoom: Double

  /// The side of a tile in style pixels: 256 or 512.
  package let tileSize: Int

  /// The number of device pixels per style pixel: 1, 2 for @2x, 3 for @3x; 4 only in views.
  package let scale: Int

  /// The step of the grid to which symbol centres are rounded, in style pixels; 0 rounds only to
  /// 1/16 device px.
  package let snap: Double

  /// The distances, in 1/256 device px, by which the world is moved eastward and southward, 0 ..<
  /// 256, so that the corner of a view falls on a whole pixel. Tiles of an archive are never moved.
  package let shiftX: Int
  package let shiftY: Int

  /// The world of a view at a fractional zoom, in the tiles of the next whole one; `nil` otherwise.
  package let scaling: WorldScaling?

  package init(
    zoom: Int, styleZoom: Double? = nil, tileSize: Int = 256, scale: Int = 1, snap: Double = 0,
    shiftX: Int = 0, shiftY: Int = 0, scaling: WorldScaling? = nil
  ) {
    self.zoom = zoom
    self.styleZoom = styleZoom ?? Double(zoom)
    self.tileSize = tileSize
    self.scale = scale
    self.snap = snap
    self.shiftX = shiftX
    self.shiftY = shiftY
    self.scaling = scaling
  }

  /// The side of a tile in device pixels.
  @inlinable package var tilePixels: Int { tileSize * scale }

  /// The width of the world in style pixels.
  package var worldSide: Double { Double(tileSize << zoom) * (scaling?.factor ?? 1) }

  /// The number of tiles along a side of the world.
  @inlinable package var tilesAcross: Int { 1 << zoom }

  /// Returns what is wrong with the deepest zoom of tiles, as a sentence without its end; `nil` if
  /// nothing is. Positions in the world are stored as device pixels of 32 bits.
  package static func fault(maxZoom: Int, tileSize: Int, scale: Int) -> String? {
    guard tileSize * scale << maxZoom > 1 << 32 else { return nil }
    return "zoom \(maxZoom) with tiles of \(tileSize) px at density \(scale) would be more than "
      + "4,294,967,296 px across, the limit"
  }

  /// The side of the world in device pixels.
  @inlinable package var worldPixels: Int { tilePixels << zoom }

  /// The grid's step for symbol centres, in 1/16 device px; at least 1.
  @inlinable package var step: UInt64 {
    max(1, UInt64((min(max(snap, 0), 256) * Double(scale * Self.phases)).rounded()))
  }

  /// Whether all symbol centres fall on whole device pixels.
  package var hasOnePhase: Bool { step % UInt64(Self.phases) == 0 }

  /// Returns a world coordinate (2⁻³² of the world) in 1/16 device px, rounded half up to the snap
  /// grid.
  @inlinable @inline(__always)
  package func position(_ coordinate: UInt32, step: UInt64) -> Int {
    // x · tilePixels · 16 is the position in units of 2^(zoom − 32)/16 px: at most 2⁴⁶.
    let exact = UInt64(coordinate) &* UInt64(tilePixels * Self.phases)
    let unit = step << UInt64(32 - zoom)
    return Int((exact &+ unit / 2) / unit &* step)
  }

  /// Returns the centre of a symbol at a world position, in 1/16 device px.
  @inlinable
  package func symbolCenter(_ point: WorldPoint) -> (x: Int, y: Int) {
    center(point, step: step)
  }

  /// Returns the x of each copy of an item, in 1/16 device px eastward: its own x, or one for each
  /// copy of a world that is narrower than the view.
  package func turns(of x: Int) -> StrideTo<Int> {
    guard let scaling, scaling.reach > 0.5 else { return stride(from: x, to: x + 1, by: 1) }
    let square = worldPixels * Self.phases
    let world = max(Int((Double(square) * scaling.factor).rounded()), 1)
    let reach = Int(Double(square) * scaling.factor * scaling.reach)
    let (west, east) = (max(square / 2 - reach, 0), min(square / 2 + reach, square))
    return stride(from: west + ((x - west) % world + world) % world, to: east, by: world)
  }

  /// Returns a world position in 1/16 device px, not snapped.
  @inlinable
  package func exactCenter(_ point: WorldPoint) -> (x: Int, y: Int) {
    center(point, step: 1)
  }

  /// Returns the position in 1/16 device px, with the shift of a view rounded up. An image that
  /// keeps its pixels then falls on the same pixel as from the exact position, which the last
  /// sixteenth below a half decides.
  @inlinable @inline(__always)
  package func center(_ point: WorldPoint, step: UInt64) -> (x: Int, y: Int) {
    let place = scaling?.scaled(point) ?? point
    return (
      position(place.x, step: step) + Self.sixteenths(shiftX),
      position(place.y, step: step) + Self.sixteenths(shiftY)
    )
  }

  /// The shift of all symbol centres, in 1/16 device px.
  package var symbolShift: (x: Int, y: Int) {
    (Self.sixteenths(shiftX), Self.sixteenths(shiftY))
  }

  /// Returns a shift of 1/256 device px in 1/16 px, rounded up.
  @inlinable
  static func sixteenths(_ shift: Int) -> Int { (shift + 15) >> 4 }
}
