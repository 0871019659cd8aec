/// The coverage of every pixel of a picture, 0 … 255, in which shapes are united by their maximum.
struct CoveragePlane: ~Copyable {
  private(set) var width = 0
  private(set) var height = 0

  /// The coverage: `width * height` bytes, all zero between two shapes.
  private(set) var bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)
  var touched = TouchedRows()

  /// The edges of lines in the plane.
  private(set) var painted = PaintedEdges()
  private var ramp = CoverageRamp()

  deinit {
    bytes.deallocate()
  }

  /// Makes room for a picture; the plane must be empty.
  mutating func begin(width: Int, height: Int) {
    self.width = width
    self.height = height
    touched.begin(height: height)
    guard bytes.count < width * height else { return }
    bytes.deallocate()
    bytes = .allocate(capacity: width * height)
    bytes.initialize(repeating: 0)
  }

  /// Composites a colour over a picture where the plane is covered, and empties the plane.
  ///
  /// - Parameter isBlurred: whether partial coverage is intentional blur rather than an edge.
  /// - Complexity: O(pixels between the first and the last touched one of each row).
  mutating func composite(_ color: PremultipliedColor, onto pixmap: Pixmap, isBlurred: Bool) {
    let ramp =
      pixmap.edges.isEmpty ? nil : ramp.entries(of: color, on: pixmap, isBlurred: isBlurred)
    for row in touched.rows {
      let columns = touched.take(row: row)
      guard !columns.isEmpty else { continue }
      let pixels = (row * width + columns.lowerBound)..<(row * width + columns.upperBound)
      let coverage = UnsafeBufferPointer(rebasing: bytes[pixels])
      if let ramp {
        pixmap.blendRow(coverage, ramp, at: pixels.lowerBound)
      } else {
        pixmap.blendRow(coverage, color: color, at: pixels.lowerBound, isBlurred: isBlurred)
      }
      bytes[pixels].update(repeating: 0)
    }
    end()
  }

  /// Composites colours of the pixels over a picture where the plane is covered, and empties the
  /// plane.
  ///
  /// - Parameters:
  ///   - isBlurred: whether partial coverage is intentional blur rather than an edge.
  ///   - color: returns the bits of the premultiplied colour of a pixel.
  /// - Complexity: O(pixels between the first and the last touched one of each row).
  mutating func composite(
    onto pixmap: Pixmap, isBlurred: Bool, color: (_ x: Int, _ y: Int) -> UInt32
  ) {
    let edges = pixmap.edges(from: 0)
    for row in touched.rows {
      for column in touched.take(row: row) {
        let index = row * width + column
        var covered = UInt32(bytes[index])
        guard covered > 0 else { continue }
        bytes[index] = 0
        var above = color(column, row)
        guard above >> 24 > 0 else { continue }
        if covered < 255 {
          if let edges, !isBlurred {
            covered = min(pixmap.grade(covered, of: 256, mark: &edges[index]), 255)
          }
          above = PremultipliedColor.scaled(above, by: covered)
        } else if let edges, above >> 24 >= Pixmap.hidingAlpha {
          edges[index] = 0
        }
        pixmap.pixels[index] = PremultipliedColor.over(above, pixmap.pixels[index])
      }
    }
    end()
  }

  /// Unites this plane with the area that `outer` covers and `inner` does not, and empties both.
  ///
  /// - Parameter isBlurred: if true, takes the minimum of `outer` and the complement of `inner`, as
  ///   for fading sides; if false their difference, as for areas.
  /// - Complexity: O(pixels between the first and the last touched one of each row).
  mutating func unite(
    _ outer: inout CoveragePlane, without inner: inout CoveragePlane, isBlurred: Bool
  ) {
    for row in outer.touched.rows {
      let columns = outer.touched.take(row: row)
      guard !columns.isEmpty else { continue }
      touched.touch(row: row, columns)
      for index in (row * width + columns.lowerBound)..<(row * width + columns.upperBound) {
        let outside = outer.bytes[index]
        let inside = inner.bytes[index]
        let band =
          isBlurred ? min(outside, 255 &- inside) : outside &- min(inside, outside)
        bytes[index] = max(bytes[index], band)
        outer.bytes[index] = 0
      }
    }
    touched.extend(toRows: outer.touched.rows)
    outer.end()
    inner.clear()
  }

  private mutating func clear() {
    for row in touched.rows {
      let columns = touched.take(row: row)
      let first = row * width
      bytes[(first + columns.lowerBound)..<(first + columns.upperBound)].update(repeating: 0)
    }
    end()
  }

  /// Notes that the plane is empty again.
  private mutating func end() {
    touched.end()
    painted.forget()
  }
}
