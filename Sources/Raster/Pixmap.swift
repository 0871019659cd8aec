/// Premultiplied RGBA pixels of one picture, row by row from the top; reused by its worker.
///
/// Reference semantics: one worker owns it, nobody shares it.
package final class Pixmap {
  package let width: Int
  package let height: Int

  /// `width * height` pixels as ``PremultipliedColor`` bits, top row first.
  package let pixels: UnsafeMutableBufferPointer<UInt32>

  /// A transparent picture. Both sides must be positive.
  package init(width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: 0)
  }

  deinit {
    pixels.deallocate()
  }

  @inlinable
  package subscript(x: Int, y: Int) -> PremultipliedColor {
    get {
      precondition(x >= 0 && x < width && y >= 0 && y < height)
      return PremultipliedColor(bits: pixels[y * width + x])
    }
    set {
      precondition(x >= 0 && x < width && y >= 0 && y < height)
      pixels[y * width + x] = newValue.bits
    }
  }

  /// Sets every pixel.
  package func clear(to color: PremultipliedColor = .transparent) {
    pixels.update(repeating: color.bits)
  }
}
