package import Files
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

    /// Like `rgba`, in a temporary file.
    case mappedColors(MappedScratch)

    /// Like `values8`, with 32-bit floating-point numbers in a temporary file; NaN stands for missing
    /// data.
    case mappedValues(MappedScratch, ValueMeaning)
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
    case .mappedColors(let pixels), .mappedValues(let pixels, _):
      precondition(pixels.bytes.count == width * height * 4)
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
    case .mappedColors(let pixels), .mappedValues(let pixels, _): pixels.bytes.count
    }
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
}

/// The blocks of an image that show anything, as sums, so that a box of any size is tested in one
/// step.
package struct Occupancy: Sendable {
  /// Side of a block in pixels.
  static let blockSide = 16

  private let columns: Int
  private let rows: Int

  /// The number of blocks above and to the left of a corner that show anything, at (row, column) of
  /// a grid with one row and column more.
  private let sums: [Int32]

  /// - Complexity: O(pixels).
  init(width: Int, height: Int, texels: OverlayImage.Texels) {
    columns = (width + Self.blockSide - 1) / Self.blockSide
    rows = (height + Self.blockSide - 1) / Self.blockSide
    sums = texels.withReader(Counting(width: width, height: height, columns: columns, rows: rows))
  }

  /// Whether a box of pixels is blank; ranges beyond the image are clipped.
  ///
  /// May return false for a box whose own pixels are blank, but whose blocks are not.
  ///
  /// - Complexity: O(1).
  func isBlank(x: Range<Int>, y: Range<Int>) -> Bool {
    let side = Self.blockSide
    let left = min(max(x.lowerBound, 0) / side, columns)
    let right = min((max(x.upperBound, 0) + side - 1) / side, columns)
    let top = min(max(y.lowerBound, 0) / side, rows)
    let bottom = min((max(y.upperBound, 0) + side - 1) / side, rows)
    guard left < right, top < bottom else { return true }
    func sum(_ row: Int, _ column: Int) -> Int32 { sums[row * (columns + 1) + column] }
    return sum(bottom, right) - sum(top, right) - sum(bottom, left) + sum(top, left) == 0
  }

  private struct Counting: TexelTask {
    let width: Int
    let height: Int
    let columns: Int
    let rows: Int

    func run(_ reader: some TexelReader) -> [Int32] {
      let stride = columns + 1
      var sums = [Int32](repeating: 0, count: stride * (rows + 1))
      for row in 0..<rows {
        var inRow: Int32 = 0
        for column in 0..<columns {
          if shows(reader, row: row, column: column) { inRow += 1 }
          sums[(row + 1) * stride + column + 1] = sums[row * stride + column + 1] + inRow
        }
        reader.didRead(Occupancy.blockSide * width)
      }
      return sums
    }

    private func shows(_ reader: some TexelReader, row: Int, column: Int) -> Bool {
      let side = Occupancy.blockSide
      for y in row * side..<min((row + 1) * side, height) {
        for x in column * side..<min((column + 1) * side, width)
        where !reader.isBlank(reader.sample(y &* width &+ x)) { return true }
      }
      return false
    }
  }
}
