import Raster
import TileCodecs

/// WebP, by libwebp, which decodes a whole picture at once.
extension ImageDecoder {
  /// Bytes per pixel while a picture is decoded: the library's and the result's.
  private static let bytesPerPixel = 8

  func decodeWebP(_ bytes: UnsafeRawBufferPointer) throws -> OverlayImage {
    let decoder = WebPDecoder(maxPixels: limits.maxPixels)
    do {
      let size = try decoder.size(of: bytes)
      try limits.check(
        format: "WebP", width: size.width, height: size.height, bytesPerPixel: Self.bytesPerPixel)
      try refuseRamp("a WebP")
      try refuseSamples("a WebP")
      let picture = try decoder.decodeStraight(bytes)
      var rest = picture.pixels[...]
      let pixels = try colors(width: picture.width, height: picture.height) { row in
        for (x, bits) in rest.prefix(row.count).enumerated() { row[x] = premultiplied(bits) }
        rest = rest.dropFirst(row.count)
      }
      return OverlayImage(width: picture.width, height: picture.height, texels: .rgba(pixels))
    } catch let error as TileCodecError {
      throw OverlayError(error)
    }
  }
}

extension OverlayError {
  init(_ error: TileCodecError) {
    switch error {
    case .absent:
      self.init(
        .noLibrary,
        "the image is WebP, and libwebp is not installed; install it (Debian: libwebp7, Homebrew: "
          + "webp), or save the image as PNG.")
    case .failed: self.init(.noMemory, "there is no memory to read the WebP.")
    case .invalid(let fault): self.init(.corrupt, "the image \(fault); save it again.")
    }
  }
}
