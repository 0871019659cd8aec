/// The coordinate of a tile in the pyramid: zoom, column eastward, row southward (XYZ).
package struct TileCoord: Hashable, Sendable {
  /// The deepest zoom of archives (docs/archive.md).
  package static let maxZoom = 22

  /// The zoom: 0 for the tile that shows the whole world, up to ``maxZoom``.
  package var z: Int

  /// The column, eastward from 180° W, 0 ..< 2^z.
  package var x: Int

  /// The row, southward from 85.0511° N, 0 ..< 2^z.
  package var y: Int

  @inlinable
  package init(z: Int, x: Int, y: Int) {
    self.z = z
    self.x = x
    self.y = y
  }

  /// Creates the coordinate of the tile that owns a world position: half-open, so an edge belongs
  /// to the tile to its south-east.
  @inlinable
  package init(_ point: WorldPoint, z: Int) {
    let shift = UInt32(32 - z)
    self.init(z: z, x: z == 0 ? 0 : Int(point.x >> shift), y: z == 0 ? 0 : Int(point.y >> shift))
  }

  /// The row in TMS and MBTiles, northward from the south edge.
  @inlinable
  package var tmsRow: Int { (1 << z) - 1 - y }

  /// Creates the coordinate of a tile at a TMS row.
  @inlinable
  package init(z: Int, x: Int, tmsRow: Int) {
    self.init(z: z, x: x, y: (1 << z) - 1 - tmsRow)
  }

  /// The tile one zoom up that shows this one's area, or `nil` at zoom 0.
  package var parent: TileCoord? {
    z == 0 ? nil : TileCoord(z: z - 1, x: x >> 1, y: y >> 1)
  }

  /// The four tiles one zoom down: NW, NE, SW, SE.
  package var children: [TileCoord] {
    (0..<4).map { TileCoord(z: z + 1, x: 2 * x + ($0 & 1), y: 2 * y + ($0 >> 1)) }
  }

  /// Whether the coordinate lies in the pyramid: 0 ≤ z ≤ 22 and column and row inside the zoom.
  package var isValid: Bool {
    (0...Self.maxZoom).contains(z) && (0..<(1 << z)).contains(x) && (0..<(1 << z)).contains(y)
  }

  /// A key whose unsigned order is archive order: zoom, then quadkey.
  ///
  /// Bits: the ``TileKey`` 0–43, zoom from 44 up.
  @inlinable
  package var archiveKey: UInt64 {
    UInt64(z) << 44 | TileKey(self).rawValue
  }

  /// Creates the coordinate of an ``archiveKey``.
  @inlinable
  package init(archiveKey key: UInt64) {
    self.init(TileKey(rawValue: key & 0xFFF_FFFF_FFFF), z: Int(key >> 44))
  }

  /// The number of the tile in the whole pyramid, in archive order, without gaps, from 1 for
  /// 0/0/0: the row number in an archive.
  @inlinable
  package var number: UInt64 { Self.firstNumber(ofZoom: z) + TileKey(self).rawValue }

  /// The number of the first tile of a zoom, which 4⁰ + 4¹ + … others precede.
  @inlinable
  package static func firstNumber(ofZoom zoom: Int) -> UInt64 {
    (UInt64(1) << UInt64(2 * zoom) - 1) / 3 + 1
  }

  /// Creates the coordinate of a ``number``; `nil` unless there is such a tile.
  @inlinable
  package init?(number: UInt64) {
    guard number > 0, number < Self.firstNumber(ofZoom: Self.maxZoom + 1) else { return nil }
    // 3n − 2 lies between two powers of 4: the zoom's own and the next.
    let zoom = (UInt64.bitWidth - 1 - (3 * number - 2).leadingZeroBitCount) / 2
    self.init(TileKey(rawValue: number - Self.firstNumber(ofZoom: zoom)), z: zoom)
  }
}

extension TileCoord: CustomStringConvertible {
  /// The coordinate as `z/x/y`, as in tile urls.
  package var description: String { "\(z)/\(x)/\(y)" }

  /// Creates the coordinate from the text `z/x/y`; `nil` unless it names a tile of the pyramid.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let z = parts[0], let x = parts[1], let y = parts[2] else { return nil }
    self.init(z: z, x: x, y: y)
    guard isValid else { return nil }
  }
}
