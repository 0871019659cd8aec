package import Raster

extension IconLook {
  /// Returns the box around the picture and some space, turned as the icon is, in style pixels.
  package func bounds(padding: BoxSides = BoxSides()) -> ShapedText.Box {
    let flat = ShapedText.Box(
      minX: left - padding.left, minY: top - padding.top, maxX: right + padding.right,
      maxY: bottom + padding.bottom)
    return rotate == 0 ? flat : flat.turned(degrees: rotate)
  }

  /// The box of all pixels that the icon may show, in style pixels: its edges fade within one pixel
  /// of the image.
  package var drawnBounds: ShapedText.Box {
    bounds(
      padding: BoxSides(
        top: Self.reach(rows), right: Self.reach(columns), bottom: Self.reach(rows),
        left: Self.reach(columns)))
  }

  /// Returns the largest size of a pixel of the image along an axis.
  private static func reach(_ stops: [Stop]) -> Double {
    zip(stops, stops.dropFirst()).reduce(0) { most, pair in
      max(most, (pair.1.place - pair.0.place) / (pair.1.texel - pair.0.texel))
    }
  }

  /// Whether the icon shows its image pixel by pixel: neither scaled nor turned.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func isPlain(scale: Double) -> Bool {
    guard rotate == 0, !isSmooth, !image.geometry.isSDF, columns.count == 2, rows.count == 2 else {
      return false
    }
    // Sums of offsets are rounded.
    return abs((right - left) * scale - Double(image.width)) < 1e-6
      && abs((bottom - top) * scale - Double(image.height)) < 1e-6
  }

  /// Whether the icon is fitted to a text without mixing pixels of its image.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func keepsPixels(scale: Double) -> Bool {
    isFitted && rotate == 0 && !isSmooth && !image.geometry.isSDF
      && image.geometry.pixelRatio == scale
  }
}

extension ShapedText.Box {
  /// Returns the box in another unit.
  package func scaled(by factor: Double) -> ShapedText.Box {
    ShapedText.Box(
      minX: minX * factor, minY: minY * factor, maxX: maxX * factor, maxY: maxY * factor)
  }
}
