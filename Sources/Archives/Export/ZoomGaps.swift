import MBTiles
import Pictures
package import Tiling

/// The transparent tiles that fill zooms without tiles between other zooms, since readers accept no
/// gap: one tile per zoom, as in a build, in an empty quarter of its parent if there is one.
///
/// The choice follows from the tiles of the part alone, so that the same tiles make the same part.
package struct ZoomGaps {
  /// The area that the tiles should meet; `nil` for the whole world.
  private var area: BoxArea?

  /// Returns a transparent tile with this many pixels per side.
  private let blank: (_ side: Int) throws -> [UInt8]

  /// Returns which quarters of a tile show a pixel: a bit each, from the north-west one on, by rows.
  private let quarters: (_ tile: [UInt8]) -> UInt8

  /// The first tiles of the zoom, in archive order.
  private var parents: [(tile: TileCoord, bytes: [UInt8])] = []

  /// The number of tiles that were added.
  package private(set) var count = 0

  /// How many tiles of a zoom are remembered, with their bytes: nearly always the first one has an
  /// empty quarter, and copies of all would take as much memory as the zoom has bytes.
  private static let limit = 32

  package init(
    in bounds: GeoBounds?, blank: @escaping (_ side: Int) throws -> [UInt8],
    quarters: @escaping (_ tile: [UInt8]) -> UInt8
  ) {
    area = bounds.map { BoxArea($0) }
    self.blank = blank
    self.quarters = quarters
  }

  /// Returns the tiles that come before the next tile of a part.
  package mutating func tiles(
    before tile: TileCoord, _ bytes: UnsafeRawBufferPointer
  ) throws -> [(tile: TileCoord, bytes: [UInt8])] {
    var added: [(tile: TileCoord, bytes: [UInt8])] = []
    while let zoom = parents.first?.tile.z, zoom + 1 < tile.z, let child = child() {
      let side = try? parents[0].bytes.withUnsafeBytes { try PictureStructure($0).width }
      parents = [(child, try blank(side ?? 256))]
      added.append(parents[0])
    }
    count += added.count
    if parents.first?.tile.z != tile.z { parents = [] }
    if parents.count < Self.limit { parents.append((tile, Array(bytes))) }
    return added
  }

  /// Returns a child in an empty quarter of a parent; any child if there is none.
  private mutating func child() -> TileCoord? {
    let blank = parents.first { parent in
      (try? parent.bytes.withUnsafeBytes { try PictureStructure($0).isBlank }) == true
    }
    if let blank, let child = child(of: blank.tile, showing: 0) { return child }
    for parent in parents {
      let shown = quarters(parent.bytes)
      if shown != 15, let child = child(of: parent.tile, showing: shown) { return child }
    }
    return parents.first.flatMap { child(of: $0.tile, showing: 0) }
  }

  /// Returns the first child in an empty quarter, inside of the area if one is.
  private mutating func child(of parent: TileCoord, showing quarters: UInt8) -> TileCoord? {
    let children = (0..<4).filter { quarters & UInt8(1 << $0) == 0 }.map {
      TileCoord(z: parent.z + 1, x: 2 * parent.x + $0 % 2, y: 2 * parent.y + $0 / 2)
    }
    for child in children where area?.meets(child) ?? true { return child }
    return children.first
  }
}
