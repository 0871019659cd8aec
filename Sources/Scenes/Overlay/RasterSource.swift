package import Features
import Files
package import Overlays
import Raster
package import Tiling

/// A source of pixels, which raster layers draw.
package struct RasterSource: Sendable {
  /// The origin of the pixels.
  package enum Content: Sendable {
    /// One picture at its place.
    case image(OverlayImage, ImagePlacement)
    case tiles(TilePyramid)
  }

  package let id: String
  package let content: Content

  /// The kernel that the source requests; `nil` leaves the choice to the layer's
  /// `raster-resampling`.
  package let kernel: ResamplingKernel?

  /// The hash of everything that decides the pixels except kernel and paint: the image's content
  /// and its placement; for tiles, only what all of them have in common.
  package let hash: StableHash

  /// Creates an image source.
  ///
  /// - Complexity: O(bytes of the image).
  package init(
    id: String, image: OverlayImage, placement: ImagePlacement, kernel: ResamplingKernel? = nil
  ) {
    self.id = id
    content = .image(image, placement)
    self.kernel = kernel
    var hash = StableHash()
    hash.combine(image)
    hash.combine(placement)
    self.hash = hash
  }

  /// Creates a source of tiles.
  package init(id: String, tiles: TilePyramid, kernel: ResamplingKernel? = nil) {
    self.id = id
    content = .tiles(tiles)
    self.kernel = kernel
    var hash = StableHash()
    // The content of tiles, unlike that of pictures, is known only later: the name distinguishes
    // two sources.
    hash.combine("tiles \(id)")
    hash.combine(tiles.form.tileSize)
    for value in tiles.form.nodata { hash.combine("\(value)") }
    self.hash = hash
  }

  /// The tiles; `nil` for one picture.
  package var tiles: TilePyramid? { if case .tiles(let tiles) = content { tiles } else { nil } }

  /// The box of the pixels in the world.
  package var extent: ImageExtent {
    switch content {
    case .image(_, let placement): placement.extent
    case .tiles(let tiles): tiles.form.extent
    }
  }

  /// Width and height in pixels; for tiles, of all tiles of the last zoom together.
  package var size: ImageSize {
    switch content {
    case .image(let image, _): ImageSize(width: image.width, height: image.height)
    case .tiles(let tiles): tiles.form.size
    }
  }

  /// Returns the first zoom whose tiles have at least these pixels.
  ///
  /// - Parameter tilePixels: the side of a tile in device pixels.
  package func finestZoom(tilePixels: Int) -> Int {
    switch content {
    case .image(let image, let placement):
      placement.finestZoom(
        of: ImageSize(width: image.width, height: image.height), tilePixels: tilePixels)
    case .tiles(let tiles): tiles.form.finestZoom(tilePixels: tilePixels)
    }
  }

  /// Returns a painter of tiles of a grid.
  package func painter(kernel: ResamplingKernel, grid: PixelGrid) -> any RasterWarp {
    switch content {
    case .image(let image, let placement):
      WarpPainter(
        image: image, placement: placement, kernel: kernel, tilePixels: grid.tilePixels,
        shiftX: grid.shiftX, shiftY: grid.shiftY)
    case .tiles(let tiles):
      PyramidPainter(
        tiles, kernel: kernel, tilePixels: grid.tilePixels, worldSide: grid.worldSide,
        shiftX: grid.shiftX, shiftY: grid.shiftY, scaling: grid.scaling)
    }
  }

  /// Returns the image in a smaller world: usually once, twice if it is visible on both sides of
  /// the middle. Tiles need no copies, since they follow the grid.
  ///
  /// - Complexity: O(bytes of the image).
  func scaled(by scaling: WorldScaling) -> [RasterSource] {
    guard case .image(let image, let placement) = content else { return [self] }
    return placement.scaled(by: scaling).map {
      RasterSource(id: id, image: image, placement: $0, kernel: kernel)
    }
  }

  /// Returns the box of the pixels in the square of a grid's tiles; for tiles in a smaller world,
  /// the whole square.
  func extent(in grid: PixelGrid) -> ImageExtent {
    tiles == nil || grid.scaling == nil ? extent : .world
  }
}

extension StableHash {
  /// Mixes the pixels of an image into the hash.
  fileprivate mutating func combine(_ image: OverlayImage) {
    combine(image.width)
    combine(image.height)
    switch image.texels {
    case .rgba(let pixels):
      combine(1)
      pixels.withUnsafeBytes { combine($0) }
    case .rgb(let bytes):
      combine(2)
      bytes.withUnsafeBytes { combine($0) }
    case .indexed(let indexes, let palette):
      combine(3)
      indexes.withUnsafeBytes { combine($0) }
      for color in palette { combine(UInt64(color)) }
    case .values8(let values, let meaning):
      combine(4)
      values.withUnsafeBytes { combine($0) }
      combine(meaning)
    case .values16(let values, let meaning):
      combine(5)
      values.withUnsafeBytes { combine($0) }
      combine(meaning)
    case .mappedColors(let pixels):
      combine(6)
      combine(pixels)
    case .mappedValues(let values, let meaning):
      combine(7)
      combine(values)
      combine(meaning)
    }
  }

  private mutating func combine(_ file: MappedScratch) {
    let bytes = file.bytes
    combine(bytes.count)
    for start in stride(from: 0, to: bytes.count, by: 1 << 20) {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + 1 << 20, bytes.count)])
      combine(part)
      file.didRead(part.count)
    }
  }

  private mutating func combine(_ meaning: OverlayImage.ValueMeaning) {
    combine(meaning.ramp.stops.count)
    for stop in meaning.ramp.stops {
      combine(stop.value)
      combine(stop.color.red)
      combine(stop.color.green)
      combine(stop.color.blue)
      combine(stop.color.alpha)
    }
    combine(meaning.ramp.blending == .step ? 1 : 0)
    combine(meaning.nodata.count)
    for value in meaning.nodata { combine(value) }
  }

  /// Mixes a placement into the hash.
  fileprivate mutating func combine(_ placement: ImagePlacement) {
    combine(placement.projection.rawValue)
    let numbers = placement.numbers
    combine(numbers.count)
    for number in numbers { combine(number) }
  }
}
