package import Features
import Files
package import Overlays
import Raster
import Tiling

/// An image source, which raster layers draw.
package struct RasterSource: Sendable {
  package let id: String
  package let image: OverlayImage
  package let placement: ImagePlacement

  /// The kernel that the source requests; `nil` leaves the choice to the layer's
  /// `raster-resampling`.
  package let kernel: ResamplingKernel?

  /// The hash of everything that decides the pixels except kernel and paint: the image's content
  /// and its placement.
  package let hash: StableHash

  /// Creates an image source.
  ///
  /// - Complexity: O(bytes of the image).
  package init(
    id: String, image: OverlayImage, placement: ImagePlacement, kernel: ResamplingKernel? = nil
  ) {
    self.id = id
    self.image = image
    self.placement = placement
    self.kernel = kernel
    var hash = StableHash()
    hash.combine(image)
    hash.combine(placement)
    self.hash = hash
  }

  /// Returns the image in a smaller world: mostly once, twice where it is visible on both sides of
  /// the middle.
  ///
  /// - Complexity: O(bytes of the image).
  func scaled(by scaling: WorldScaling) -> [RasterSource] {
    placement.scaled(by: scaling).map {
      RasterSource(id: id, image: image, placement: $0, kernel: kernel)
    }
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

  /// Mixes bytes into the hash, eight at a time.
  private mutating func combine(_ bytes: UnsafeRawBufferPointer) {
    combine(bytes.count)
    let whole = bytes.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      combine(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    for offset in whole..<bytes.count { combine(UInt64(bytes[offset])) }
  }
}
