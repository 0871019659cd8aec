package import Raster

/// An encoder of pictures as PNG, lossless and as small as their colours allow.
///
/// Up to 256 straight colours become a palette of 1, 2, 4 or 8 bits or a gray scale, more become
/// RGB if all pixels are opaque and RGBA otherwise. The bytes depend only on the pixels and the
/// options. One worker owns an encoder and uses it for all its pictures, so that memory is reused.
package final class PNGEncoder {
  package struct Options: Hashable, Sendable {
    /// Compression level of libdeflate for palettes and grays, 1 (fastest) … 12 (smallest).
    ///
    /// 60 real map tiles of 256 px: level 1 0.25 ms and 2848 bytes, 5 0.28 and 2721, 6 0.31 and
    /// 2704, 7 0.39 and 2658, 9 1.26 and 2572, 12 5.0 and 2439.
    package var paletteLevel = 6

    /// Compression level of libdeflate for RGB and RGBA, 1 (fastest) … 12 (smallest).
    ///
    /// Tiles of 40 discs in many colours: level 1 0.86 ms and 24.3 kB, 5 1.08 and 23.3, 6 1.33 and
    /// 23.1, 7 2.2 and 22.7, 9 9.8 and 22.4. A scaled rain map: level 1 0.75 ms and 55.9 kB, 5 1.6
    /// and 49.0, 6 2.2 and 47.9, 9 10.8 and 46.6.
    package var colorLevel = 5

    /// Compression level of libdeflate for palettes of drawings, 1 (fastest) … 12 (smallest).
    package var drawingLevel = 2

    /// The density that files tell in their chunk pHYs; `nil` for files without it.
    package var pixelsPerMetre: Int?

    package init() {}
  }

  private let paletteCompressor: ZlibCompressor
  private let colorCompressor: ZlibCompressor
  private let drawingCompressor: ZlibCompressor
  private let runCompressor = RunCompressor()
  private let pixelsPerMetre: Int?
  private var scan = PaletteScan()
  private var indices = ScratchBytes()
  private var rows = FilteredRows()
  private var output = ScratchBytes()

  package init(options: Options = Options()) {
    paletteCompressor = ZlibCompressor(level: options.paletteLevel)
    colorCompressor = ZlibCompressor(level: options.colorLevel)
    drawingCompressor = ZlibCompressor(level: options.drawingLevel)
    pixelsPerMetre = options.pixelsPerMetre
  }

  /// Returns the maximum size in bytes of ``encode(_:into:)`` for a picture of this size, whatever
  /// it shows.
  package static func maximumEncodedSize(width: Int, height: Int) -> Int {
    let raw = (PNGLayout.rgba.rowBytes(width: width) + 1) * height
    return PNGChunkWriter.maximumOverhead + ZlibCompressor.bound(raw)
  }

  /// Encodes a picture as a PNG file.
  ///
  /// - Complexity: O(pixels), most of it in libdeflate.
  package func encode(_ pixmap: Pixmap) -> [UInt8] { encoded(pixmap, isImage: false) }

  /// Encodes a picture into the caller's memory and returns the number of bytes written.
  ///
  /// - Parameter buffer: at least ``maximumEncodedSize(width:height:)`` bytes.
  package func encode(_ pixmap: Pixmap, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    encode(pixmap, isImage: false, into: buffer)
  }

  /// Encodes a picture of resampled images, lossless: like ``encode(_:)``, but a picture of more
  /// than 256 colours is taken for a photograph, and no alternatives are tried.
  ///
  /// Tiles of 256 px: 0.4 ms where ``encode(_:)`` takes 1.3 (a rain map) to 3.5 ms (a photograph).
  ///
  /// - Complexity: O(pixels).
  package func encodeImage(_ pixmap: Pixmap) -> [UInt8] { encoded(pixmap, isImage: true) }

  private func encoded(_ pixmap: Pixmap, isImage: Bool) -> [UInt8] {
    let capacity = Self.maximumEncodedSize(width: pixmap.width, height: pixmap.height)
    let buffer = UnsafeMutableRawBufferPointer(start: output.reserve(capacity), count: capacity)
    return Array(buffer[0..<encode(pixmap, isImage: isImage, into: buffer)])
  }

  private func encode(
    _ pixmap: Pixmap, isImage: Bool, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(
      buffer.count >= Self.maximumEncodedSize(width: pixmap.width, height: pixmap.height))
    let samples = indices.reserve(pixmap.width * pixmap.height)
    if scan.scan(UnsafeBufferPointer(pixmap.pixels), indices: samples) {
      return encodeIndexed(pixmap, samples, scan.colors, with: paletteCompressor, into: buffer)
    }
    let layout = Self.colorLayout(pixmap)
    let raw = rows.filter(
      width: pixmap.width, height: pixmap.height, layout: layout,
      strategy: isImage ? .paeth : nil, pack: Self.pack(pixmap, layout))
    return write(pixmap, layout, .init(start: nil, count: 0), into: buffer) {
      (isImage ? runCompressor.compress(raw, into: $0) : nil)
        ?? colorCompressor.compress(raw, into: $0)
    }
  }

  /// Returns RGB if all pixels are opaque, otherwise RGBA.
  private static func colorLayout(_ pixmap: Pixmap) -> PNGLayout {
    var all = UInt32.max
    for color in pixmap.pixels { all &= color }
    return all >> 24 == 255 ? .rgb : .rgba
  }

  /// Returns a function that packs the rows of a picture in one of the two layouts with many
  /// colours.
  private static func pack(_ pixmap: Pixmap, _ layout: PNGLayout) -> FilteredRows.Pack {
    { y, output in
      guard let pixels = pixmap.pixels.baseAddress else { return }
      let row = pixels + y * pixmap.width
      if layout == .rgb {
        RowPacker.packRGB(row, count: pixmap.width, into: output)
      } else {
        RowPacker.packRGBA(row, count: pixmap.width, into: output)
      }
    }
  }

  /// Encodes areas and lines, lossless: like ``encode(_:)``, but with less effort.
  ///
  /// - Complexity: O(pixels).
  package func encodeDrawing(_ pixmap: Pixmap) -> [UInt8] {
    let samples = indices.reserve(pixmap.width * pixmap.height)
    guard scan.scan(UnsafeBufferPointer(pixmap.pixels), indices: samples) else {
      return encode(pixmap)
    }
    let capacity = Self.maximumEncodedSize(width: pixmap.width, height: pixmap.height)
    let buffer = UnsafeMutableRawBufferPointer(start: output.reserve(capacity), count: capacity)
    let count = encodeIndexed(pixmap, samples, scan.colors, with: drawingCompressor, into: buffer)
    return Array(buffer[0..<count])
  }

  /// Returns a fully transparent picture: one shared file represents every tile that shows nothing.
  ///
  /// Equal to the result of ``encode(_:)`` for a transparent ``Pixmap`` of this size.
  package static func transparent(width: Int, height: Int) -> [UInt8] {
    PNGEncoder().encode(Pixmap(width: width, height: height))
  }

  private func encodeIndexed(
    _ pixmap: Pixmap, _ samples: UnsafeMutablePointer<UInt8>, _ colors: UnsafeBufferPointer<UInt32>,
    with compressor: borrowing ZlibCompressor, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let layout = PNGLayout(colors: colors)
    if layout.colorType == .gray {
      replaceByGrays(
        samples, colors, count: pixmap.width * pixmap.height, bitDepth: layout.bitDepth)
    }
    let raw = rows.filter(width: pixmap.width, height: pixmap.height, layout: layout) { y, output in
      RowPacker.pack(
        samples + y * pixmap.width, count: pixmap.width, bitDepth: layout.bitDepth, into: output)
    }
    return write(pixmap, layout, colors, into: buffer) { compressor.compress(raw, into: $0) }
  }

  /// Replaces palette indices by gray samples of the given depth.
  private func replaceByGrays(
    _ samples: UnsafeMutablePointer<UInt8>, _ colors: UnsafeBufferPointer<UInt32>, count: Int,
    bitDepth: Int
  ) {
    for position in 0..<count {
      samples[position] = UInt8(colors[Int(samples[position])] & 0xFF) >> UInt8(8 - bitDepth)
    }
  }

  /// Writes all chunks; `compress` produces the image data.
  private func write(
    _ pixmap: Pixmap, _ layout: PNGLayout, _ colors: UnsafeBufferPointer<UInt32>,
    into buffer: UnsafeMutableRawBufferPointer,
    compress: (UnsafeMutableRawBufferPointer) -> Int
  ) -> Int {
    var file = PNGChunkWriter(buffer)
    file.appendHeader(width: pixmap.width, height: pixmap.height, layout: layout)
    if layout.colorType == .palette { file.appendPalette(colors) }
    if let pixelsPerMetre { file.appendDensity(pixelsPerMetre) }
    file.append(.data, compress)
    file.appendEnd()
    return file.count
  }
}
