import Definition
import MBTiles
import Overlays
import Raster
import SystemPackage
import TileCodecs
import Tiling

/// The part of the world in the pictures of a series, combined from the tiles of archives.
struct SeriesView: Hashable {
  /// The zoom of the tiles.
  let zoom: Int

  /// The factor by which they are reduced, a power of two.
  let factor: Int

  /// The side of a tile in the view, in pixels.
  let side: Int

  /// The view's corner, in pixels of the view's world; `left` may be one world to the east.
  let left: Int
  let top: Int

  let width: Int
  let height: Int

  /// The maximum length of a picture's longer side, in pixels: images have details; records make many
  /// frames.
  static let maxSide = (images: 1024, records: 512)

  /// The maximum total number of pixels of all pictures: 128 MB.
  private static let maxPixels = 1 << 25

  /// Creates the view; `nil` where the first zoom is too deep for a picture of the whole.
  ///
  /// - Parameters:
  ///   - extent: the extent of the images.
  ///   - frames: the number of pictures.
  ///   - maxSide: the maximum length of their longer side, in pixels.
  init?(_ extent: ImageExtent, tiles: TilesDefinition, scale: Int, frames: Int, maxSide: Int) {
    let box = Self.box(extent, within: tiles.bounds)
    let plain = (tiles.minZoom...tiles.maxZoom).reversed().map { (zoom: $0, factor: 1) }
    let shrunk = (1...4).map { (zoom: tiles.minZoom, factor: 1 << $0) }
    for (zoom, factor) in plain + shrunk {
      let side = tiles.tileSize * scale / factor
      let world = Double(side << zoom)
      let left = Int((box.west * world).rounded(.down))
      let top = Int((box.north * world).rounded(.down))
      let width = max(Int((box.east * world).rounded(.up)) - left, 1)
      let height = max(Int((box.south * world).rounded(.up)) - top, 1)
      guard max(width, height) <= maxSide, width * height * frames <= Self.maxPixels else {
        continue
      }
      (self.zoom, self.factor, self.side) = (zoom, factor, side)
      (self.left, self.top, self.width, self.height) = (left, top, width, height)
      return
    }
    return nil
  }

  /// A box in fractions of the world; the east may be beyond 1.
  private typealias Box = (west: Double, north: Double, east: Double, south: Double)

  private static func box(_ extent: ImageExtent, within bounds: GeoBounds?) -> Box {
    let whole = (extent.west, extent.north, extent.east, extent.south)
    guard let bounds else { return whole }
    func share(_ value: UInt32, beyond: Double = 0) -> Double { (Double(value) + beyond) / 0x1p32 }
    let limit = WorldBox(bounds)
    let north = max(extent.north, share(limit.north))
    let south = min(extent.south, share(limit.south, beyond: 1))
    var (west, east) = (extent.west, extent.east)
    // Across the antimeridian the view stays as wide as the images.
    if !bounds.crossesAntimeridian, extent.east <= 1 {
      (west, east) = (max(west, share(limit.west)), min(east, share(limit.east, beyond: 1)))
    }
    return north < south && west < east ? (west, north, east, south) : whole
  }

  /// The box in degrees, west beyond east where it crosses the antimeridian.
  var bounds: GeoBounds {
    let world = Double(side << zoom)
    func longitude(_ x: Int) -> Double { Double(x) / world * 360 - 180 }
    func latitude(_ y: Int) -> Double {
      let share = min(max(Double(y) / world, 0), 1)
      return LngLat(WorldPoint(x: 0, y: WorldPoint.fixed(share))).latitude
    }
    let east = longitude(left + width)
    return GeoBounds(
      west: longitude(left), south: latitude(top + height), east: east > 180 ? east - 360 : east,
      north: latitude(top))
  }

  /// Returns the part of an archive within the view.
  ///
  /// - Complexity: O(pixels of the tiles).
  func picture(of archive: FilePath) throws -> Pixmap {
    let reader = try ArchiveReader(archive)
    let picture = Pixmap(width: width, height: height)
    picture.clear()
    let across = 1 << zoom
    for row in top / side...(top + height - 1) / side where row < across {
      for column in left / side...(left + width - 1) / side {
        let tile = TileCoord(z: zoom, x: column % across, y: row)
        guard let bytes = try reader.tile(tile) else { continue }
        let pixels = try TileDecoder().decode(bytes)
        picture.replace(
          with: ContactSheet.shrunk(pixels, by: factor), x: column * side - left,
          y: row * side - top)
      }
    }
    return picture
  }
}
