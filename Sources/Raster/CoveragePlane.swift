/// The coverage of every pixel of a picture by shapes of one colour, one over the other.
struct CoveragePlane: ~Copyable {
  private(set) var width = 0
  private(set) var height = 0

  /// The coverage of `width * height` pixels as logarithms, all zero between two shapes.
  private(set) var sums = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 0)
  let logarithms = CoverageLogarithms()

  /// The coverage of one row, 0 … 255.
  private var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)
  var touched = TouchedRows()
  private var ramp = CoverageRamp()

  deinit {
    bytes.deallocate()
    sums.deallocate()
  }

  /// Makes room for a picture; the plane must be empty.
  mutating func begin(width: Int, height: Int) {
    self.width = width
    self.height = height
    touched.begin(height: height)
    if bytes.count < width {
      bytes.deallocate()
      bytes = .allocate(capacity: width)
      bytes.initialize(repeating: 0)
    }
    guard sums.count < width * height else { return }
    sums.deallocate()
    sums = .allocate(capacity: width * height)
    sums.initialize(repeating: 0)
  }

  /// Composites a colour over a picture where the plane is covered, and empties the plane.
  ///
  /// - Parameters:
  ///   - color: opaque.
  ///   - opacity: the coverage of a pixel that one shape covers completely, 1 … 255.
  ///   - isBlurred: whether partial coverage is intentional blur rather than an edge.
  /// - Complexity: O(pixels between the first and the last touched one of each row).
  mutating func composite(
    _ color: PremultipliedColor, opacity: UInt8, onto pixmap: Pixmap, isBlurred: Bool
  ) {
    let ramp =
      pixmap.edges.isEmpty
      ? nil : ramp.entries(of: color, levels: levels(opacity), on: pixmap, isBlurred: isBlurred)
    for row in touched.rows {
      let columns = touched.take(row: row)
      guard !columns.isEmpty else { continue }
      let pixels = (row * width + columns.lowerBound)..<(row * width + columns.upperBound)
      let coverage = take(pixels)
      if let ramp {
        pixmap.blendRow(coverage, ramp, at: pixels.lowerBound)
      } else {
        pixmap.blendRow(coverage, color: color, at: pixels.lowerBound, isBlurred: isBlurred)
      }
    }
    touched.end()
  }

  /// Returns the coverage of consecutive pixels, valid until the next call, and empties them.
  private func take(_ pixels: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    let sums = UnsafeMutableBufferPointer(rebasing: sums[pixels])
    for index in sums.indices { bytes[index] = logarithms.coverage(sums[index]) }
    sums.update(repeating: 0)
    return UnsafeBufferPointer(rebasing: bytes[..<pixels.count])
  }

  /// Returns the coverages of pixels that one to four shapes of this opacity cover completely.
  func levels(_ opacity: UInt8) -> [UInt8] {
    var sum: UInt16 = 0
    return (0..<4).map { _ in
      sum = CoverageLogarithms.sum(sum, Int(opacity), logarithms.values)
      return logarithms.coverage(sum)
    }
  }
}
