import PNG

/// Width and height in pixels.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package var description: String { "\(width) × \(height)" }

  /// Throws if a frame's size differs from this one, that of the series.
  ///
  /// - Parameters:
  ///   - size: the frame's size.
  ///   - place: the frame.
  ///   - first: the frame, or document, that determines the size.
  package func requireEqual(
    _ size: ImageSize, of place: String, first: String
  ) throws(SeriesError) {
    guard size == self else {
      throw SeriesError(
        .sizeChange,
        "\(place) is \(size) pixels where \(first) says \(self); a series has one size, so leave "
          + "the frame out or make a second source of it.")
    }
  }
}

extension ImageSize {
  /// Reads the size in the header of a PNG or JPEG, before any pixel is decoded.
  ///
  /// - Throws: ``OverlayError`` if the bytes do not begin like an image.
  package init(header bytes: UnsafeRawBufferPointer) throws {
    switch ImageFormat(bytes) {
    case .png:
      do {
        let info = try PNGInfo(bytes)
        self.init(width: info.width, height: info.height)
      } catch let error as PNGError {
        throw OverlayError(.corrupt, error.message)
      }
    case .jpeg:
      let reader = try JPEGRowReader(bytes, limits: ImageLimits())
      self.init(width: reader.width, height: reader.height)
    case nil:
      throw OverlayError(.unknownFormat, "\(ImageFormat.guess(bytes)); images must be PNG or JPEG.")
    }
  }
}
