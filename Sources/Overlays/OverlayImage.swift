package import Raster

/// The pixels of a decoded image, top row first, in the smallest lossless form.
package struct OverlayImage: Sendable {
  package let width: Int
  package let height: Int
  package let texels: Texels

  /// The parts of the image that show anything.
  package let occupancy: Occupancy

  package enum Texels: Sendable {
    /// Premultiplied colours, as in a ``Pixmap``.
    case rgba(ContiguousArray<UInt32>)

    /// Opaque colours of 3 bytes, red first; followed by one spare byte.
    case rgb([UInt8])

    /// Indexes into 256 premultiplied colours, also for gray images of 8 bits or less.
    case indexed([UInt8], palette: [UInt32])

    /// Samples of one band, coloured by a ramp after resampling.
    case values8([UInt8], ValueMeaning)

    /// Like `values8`, with 16 bits.
    case values16([UInt16], ValueMeaning)
  }

  /// The meaning of the samples of a one-band image.
  package struct ValueMeaning: Hashable, Sendable {
    package var ramp: ColorRamp

    /// The samples that stand for missing data, ascending.
    package var nodata: [Int]

    package init(ramp: ColorRamp, nodata: [Int] = []) {
      self.ramp = ramp
      self.nodata = nodata.sorted()
    }
  }

  /// - Precondition: both sides are positive and there are width × height texels (for `rgb` 3 bytes
  ///   each and one more), and 256 colours in a palette.
  package init(width: Int, height: Int, texels: Texels) {
    precondition(width > 0 && height > 0)
    switch texels {
    case .rgba(let pixels): precondition(pixels.count == width * height)
    case .rgb(let bytes): precondition(bytes.count == width * height * 3 + 1)
    case .indexed(let bytes, let palette):
      precondition(bytes.count == width * height && palette.count == 256)
    case .values8(let values, _): precondition(values.count == width * height)
    case .values16(let values, _): precondition(values.count == width * height)
    }
    self.width = width
    self.height = height
    self.texels = texels
    occupancy = Occupancy(width: width, height: height, texels: texels)
  }

  /// The size of the pixels in bytes.
  package var byteCount: Int {
    switch texels {
    case .rgba(let pixels): pixels.count * 4
    case .rgb(let bytes): bytes.count
    case .indexed(let bytes, _): bytes.count
    case .values8(let values, _): values.count
    case .values16(let values, _): values.count * 2
    }
  }

  /// Returns the premultiplied colour of one pixel; for tests and single lookups, not for loops.
  package func color(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return withReader(SinglePixel(index: y * width + x))
  }

  /// Returns all pixels as a picture of the image's own size, for previews and contact sheets.
  ///
  /// - Complexity: O(pixels), 4 bytes each.
  package func pixmap() -> Pixmap {
    withReader(WholePicture(width: width, height: height))
  }

  private struct WholePicture: TexelTask {
    let width: Int
    let height: Int
    func run(_ reader: some TexelReader) -> Pixmap {
      let pixmap = Pixmap(width: width, height: height)
      for index in 0..<width * height {
        pixmap.pixels[index] = reader.color(of: reader.sample(index))
      }
      return pixmap
    }
  }

  private struct SinglePixel: TexelTask {
    let index: Int
    func run(_ reader: some TexelReader) -> UInt32 { reader.color(of: reader.sample(index)) }
  }
}
