public import Foundation

/// The address of a tile in the pyramid of Web Mercator.
public struct TileAddress: Hashable, Sendable {
  /// 0 for the single tile that shows the world.
  public let zoom: Int

  /// Eastward from 180° W.
  public let column: Int

  /// Southward from 85.0511° N, as in the urls of map viewers (XYZ).
  public let row: Int

  /// Creates the address of a tile, which need not exist.
  public init(zoom: Int, column: Int, row: Int) {
    (self.zoom, self.column, self.row) = (zoom, column, row)
  }

  /// The greatest zoom of an archive.
  public static let maxZoom = 22

  /// Whether the pyramid has the tile, at any zoom to 30.
  public var isValid: Bool {
    guard (0...30).contains(zoom) else { return false }
    return (0..<1 << zoom).contains(column) && (0..<1 << zoom).contains(row)
  }

  /// The row northward from the south edge, as archives store it (TMS).
  var storedRow: Int { (1 << zoom) - 1 - row }

  /// Returns the tile of a lower zoom that shows the area of this one.
  ///
  /// - Parameter zoom: 0 … the tile's own.
  public func ancestor(at zoom: Int) -> TileAddress {
    let steps = self.zoom - min(max(zoom, 0), self.zoom)
    return TileAddress(zoom: self.zoom - steps, column: column >> steps, row: row >> steps)
  }
}

extension TileAddress: CustomStringConvertible {
  /// The address as `zoom/column/row`.
  public var description: String { "\(zoom)/\(column)/\(row)" }
}

/// A part of a tile's picture: a square whose sides are fractions of the picture's side.
public struct TilePart: Hashable, Sendable {
  /// The distance of its west edge from the picture's, 0 ..< 1.
  public let x: Double

  /// The distance of its north edge from the picture's, 0 ..< 1.
  public let y: Double

  /// The length of its sides: 1 for the whole picture, ½ for a quarter of it, and so on.
  public let side: Double

  /// The whole picture.
  public static let whole = TilePart(x: 0, y: 0, side: 1)

  /// Creates the part that a tile takes up in one of its ancestors.
  init(of tile: TileAddress, in ancestor: TileAddress) {
    let steps = tile.zoom - ancestor.zoom
    let side = 1 / Double(1 << steps)
    self.init(
      x: Double(tile.column - (ancestor.column << steps)) * side,
      y: Double(tile.row - (ancestor.row << steps)) * side, side: side)
  }

  private init(x: Double, y: Double, side: Double) {
    (self.x, self.y, self.side) = (x, y, side)
  }
}

/// A tile's picture, or the enlarged part of an ancestor's that stands for it.
public struct TilePicture: Hashable, Sendable {
  /// The content as it is stored: PNG, WebP or JPEG.
  public let data: Data

  /// The tile that the picture belongs to: the one that was asked for, or its ancestor.
  public let address: TileAddress

  /// The part of the picture to show.
  public let part: TilePart
}
