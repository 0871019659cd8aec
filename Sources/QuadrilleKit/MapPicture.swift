public import Foundation
import PNG
import Raster

/// A part of the map, to be drawn by ``TilePipeline/render(_:size:scale:settings:)``.
public enum MapArea: Hashable, Sendable {
  /// A box in degrees; west > east crosses the antimeridian. Without a zoom it is shown as large as it
  /// fits.
  case box(west: Double, south: Double, east: Double, north: Double, zoom: Double? = nil)

  /// The surroundings of a position, at a zoom of 0 … 22 as in a tile's z; also one between two, such
  /// as 11.5.
  case center(MapPosition, zoom: Double)
}

/// The size of a picture in style pixels, each side 1 … 8192.
public struct MapSize: Hashable, Sendable {
  /// The width in style pixels.
  public var width: Int

  /// The height in style pixels.
  public var height: Int

  /// Creates a size.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// A drawn part of the map: pixels in memory.
public struct MapPicture: Hashable, Sendable {
  /// The width in device pixels.
  public let width: Int

  /// The height in device pixels.
  public let height: Int

  /// The pixels in sRGB: four bytes each, red, green, blue and alpha, the colours premultiplied by
  /// alpha; row by row from the top, without padding.
  public let pixels: [UInt8]

  init(_ pixmap: Pixmap) {
    width = pixmap.width
    height = pixmap.height
    pixels = pixmap.bytes
  }

  /// Returns the picture as a PNG file, the same bytes as the command `quadrille render` writes.
  ///
  /// - Complexity: O(pixels).
  public func pngData() -> Data {
    Data(PNGEncoder().encode(Pixmap(width: width, height: height, bytes: pixels)))
  }
}
