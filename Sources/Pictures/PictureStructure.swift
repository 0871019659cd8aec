/// The structure of a tile's picture, whatever its format, read without decoding its pixels.
package struct PictureStructure: Hashable, Sendable {
  /// PNG, JPEG or WebP.
  package let format: TileFormat

  /// Width in pixels.
  package let width: Int

  /// Height in pixels.
  package let height: Int

  /// Whether the picture is the shared tile of empty places: nothing of it is visible.
  package let isBlank: Bool

  init(_ format: TileFormat, width: Int, height: Int, isBlank: Bool) {
    self.format = format
    self.width = width
    self.height = height
    self.isBlank = isBlank
  }

  /// Parses a picture from its first byte to its last. Bytes of no known format are those of a PNG
  /// without its signature.
  ///
  /// - Throws: The end of a sentence that begins "the image …", if the bytes are no whole picture.
  /// - Complexity: O(number of chunks or segments); O(bytes) for the scans of a JPEG.
  package init(_ bytes: UnsafeRawBufferPointer) throws(PictureFault) {
    switch TileFormat(sniffing: bytes) {
    case .webp: self = try WebPStructure(bytes).picture
    case .jpeg: self = try JPEGStructure(bytes).picture
    case .png, .vector, nil:
      let png = try PNGStructure(bytes)
      self.init(.png, width: png.width, height: png.height, isBlank: png.isBlank)
    }
  }
}

/// The reason why bytes are not a whole picture.
package struct PictureFault: Error, Hashable, Sendable {
  /// The end of a sentence that begins "the image".
  package let message: String
}
