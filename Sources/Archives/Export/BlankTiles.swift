import MBTiles
import Pictures
import PMTiles
import Raster
import Runs
import TileCodecs
import Tiling

/// The tiles that show nothing, in the formats of archives.
enum BlankTiles {
  /// Returns the tile of a format that shows nothing; a white one where there is no transparency.
  static func tile(_ format: TileFormat, side: Int) throws -> [UInt8] {
    switch format {
    case .png: try TileCodec.png.blank(side: side)
    case .webp: try TileCodec.webP(quality: nil).blank(side: side)
    case .jpeg:
      try TileCodec.jpeg(quality: 80, background: PremultipliedColor(.white)).blank(side: side)
    case .vector:
      // A vector tile without layers has no bytes, and a row must have some.
      [UInt8]().withUnsafeBytes { Gzip.compress($0) } ?? []
    }
  }

  /// Returns which quarters of a tile show a pixel; all where it cannot be decoded.
  static func quarters(_ tile: [UInt8]) -> UInt8 {
    guard let picture = try? TileDecoder().decode(tile) else { return 15 }
    var shown: UInt8 = 0
    for y in 0..<picture.height {
      for x in 0..<picture.width {
        let quarter = (y * 2 < picture.height ? 0 : 2) + (x * 2 < picture.width ? 0 : 1)
        if shown & UInt8(1 << quarter) == 0, picture[x, y].alpha != 0 {
          shown |= UInt8(1 << quarter)
        }
      }
      if shown == 15 { break }
    }
    return shown
  }

  /// Returns the tiles that close the gaps of a part of an archive.
  static func gaps(_ format: TileFormat, in bounds: GeoBounds?) -> ZoomGaps {
    ZoomGaps(in: bounds, blank: { try tile(format, side: $0) }, quarters: quarters)
  }
}
