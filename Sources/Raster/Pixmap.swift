/// The premultiplied RGBA pixels of one picture, row by row from the top; reused by its worker.
///
/// Reference semantics: owned by one worker, not shared.
@usableFromInline
package final class Pixmap {
  @usableFromInline package let width: Int
  @usableFromInline package let height: Int

  /// `width * height` pixels as ``PremultipliedColor`` bits, top row first.
  @usableFromInline package let pixels: UnsafeMutableBufferPointer<UInt32>

  /// One byte per pixel, non-zero where an antialiased edge crosses it, so that its colour is a
  /// mixture of two or more; empty in pictures that do not track edges. The bit ``mixedEdge``
  /// marks an arbitrary mixture, ``gradedEdge`` alone one of few levels.
  ///
  /// A shape that covers a pixel partly sets the mark; a colour over the whole pixel clears it if
  /// it hides everything below (``hidingAlpha``), and leaves it if it is translucent. Intentional
  /// fading (blur, heatmaps, images) is not an edge.
  @usableFromInline package let edges: UnsafeMutableBufferPointer<UInt8>

  /// The mark of an edge with an arbitrary mixture.
  @inlinable package static var mixedEdge: UInt8 { 1 }

  /// The mark of one edge over a whole colour, with its coverage rounded to ``coverageSteps``.
  package static let gradedEdge: UInt8 = 2

  /// Whether the coverage of areas and lines is rounded, so that their edges have few colours.
  package var roundsCoverage = false

  /// The number of steps between no and full coverage where it is rounded: 8 of 255 each.
  private static let coverageSteps: UInt32 = 32

  /// Marks a pixel that an edge of an area or line crosses, and rounds its coverage.
  ///
  /// One edge over a whole colour is graded: its coverage is rounded. A coverage that would round
  /// to zero, for example of sub-pixel polygons that cover a thousandth of their pixel, stays
  /// exact and is not an edge: few colours result from it, and rounding would tint whole areas.
  ///
  /// - Parameters:
  ///   - coverage: the coverage in units of 1 / `whole`, a power of two; less than `whole`.
  ///   - mark: the pixel's mark in ``edges``.
  /// - Returns: The coverage to draw with.
  @inline(__always)
  func grade(_ coverage: UInt32, of whole: UInt32, mark: inout UInt8) -> UInt32 {
    guard roundsCoverage, mark == 0 else {
      mark |= Self.mixedEdge
      return coverage
    }
    let step = whole / Self.coverageSteps
    let steps = (coverage &+ step / 2) / step
    guard steps > 0 else { return coverage }
    mark = Self.gradedEdge
    return steps &* step
  }

  /// The alpha from which a colour hides the edges below it: what shines through changes a channel
  /// by less than rounding the coverage of edges does.
  package static let hidingAlpha = 248

  /// Creates a transparent picture. Both sides must be positive.
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

  /// Returns the address of the bytes in ``edges`` from a pixel's index on; `nil` in pictures that
  /// do not track edges.
  @inline(__always)
  func edges(from index: Int) -> UnsafeMutablePointer<UInt8>? {
    edges.isEmpty ? nil : edges.baseAddress.map { $0 + index }
  }
}
