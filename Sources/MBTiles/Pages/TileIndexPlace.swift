import Tiling

/// The place of a tile in the order of the index of tiles: zoom, column, TMS row.
struct TileIndexPlace: BitwiseCopyable, Comparable, Sendable {
  /// Bits: the TMS row 0–21, the column 22–43, the zoom from 44 up.
  let key: UInt64

  init(_ tile: TileCoord) {
    key = UInt64(tile.z) << 44 | UInt64(tile.x) << 22 | UInt64(tile.tmsRow)
  }

  var tile: TileCoord {
    TileCoord(z: Int(key >> 44), x: Int(key >> 22 & 0x3F_FFFF), tmsRow: Int(key & 0x3F_FFFF))
  }

  static func < (left: TileIndexPlace, right: TileIndexPlace) -> Bool { left.key < right.key }
}
