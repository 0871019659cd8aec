/// Premultiplied RGBA pixels of one picture, row by row from the top; reused by its worker.
///
/// Reference semantics: one worker owns it, nobody shares it.
package final class Pixmap {
  package let width: Int
  package let height: Int

  /// `width * height` pixels as ``PremultipliedColor`` bits, top row first.
  package let pixels: UnsafeMutableBufferPointer<UInt32>

  /// One byte per pixel, 1 where an antialiased edge crosses it, so that its colour is a mixture by
  /// coverage, else 0; empty in pictures that do not keep track of edges.
  ///
  /// A shape that covers a pixel in part sets it, a colour over the whole pixel that hides what is
  /// below (``hidingAlpha``) clears it, a translucent one leaves it. Whatever fades by intention
  /// (blur, heat, images) is no edge.
  package let edges: UnsafeMutableBufferPointer<UInt8>

  /// Alpha from which a colour hides the edges below it: the rest that shines through changes a
  /// channel by no more than edges are rounded by.
  package static let hidingAlpha = 248

  /// A transparent picture. Both sides must be positive.
  package init(width: Int, height: Int, tracksEdges: Bool = false) {
    precondition(width > 0 && height > 0)
    self.width = width
    self.height = height
    pixels = .allocate(capacity: width * height)
    pixels.initialize(repeating: 0)
    edges = .allocate(capacity: tracksEdges ? width * height : 0)
    edges.initialize(repeating: 0)
  }

  deinit {
    pixels.deallocate()
    edges.deallocate()
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
    edges.update(repeating: 0)
  }

  /// The first of the bytes of ``edges`` that belong to pixels from an index on; `nil` in pictures
  /// that do not keep track of edges.
  @inline(__always)
  func edges(from index: Int) -> UnsafeMutablePointer<UInt8>? {
    edges.isEmpty ? nil : edges.baseAddress.map { $0 + index }
  }
}
