extension Pixmap {
  /// Composites a colour over the pixels of a mask whose anchor is the pixel (`x`, `y`), as far as
  /// they lie in the picture.
  ///
  /// - Complexity: O(visible pixels of the mask).
  package func blend(_ mask: CoverageMask, color: PremultipliedColor, x: Int, y: Int) {
    guard color != .transparent, let window = window(of: mask, x: x, y: y) else { return }
    mask.coverage.withUnsafeBufferPointer { coverage in
      for row in window.rows {
        let span = mask.rowSpans[row]
        let first = max(Int(span.lowerBound), window.columns.lowerBound)
        let end = min(Int(span.upperBound), window.columns.upperBound)
        guard first < end else { continue }
        let source = row * mask.width
        blendRow(
          UnsafeBufferPointer(rebasing: coverage[(source + first)..<(source + end)]), color: color,
          at: (window.top + row) * width + window.left + first)
      }
    }
  }

  /// Composites another picture over this one, its first pixel at (`x`, `y`).
  ///
  /// Edges of the other picture become edges of this one if both track them.
  ///
  /// - Parameter opacity: the factor of all its channels, 0 … 255 over 255.
  /// - Complexity: O(pixels common to both).
  package func blend(_ picture: Pixmap, x: Int, y: Int, opacity: UInt8 = 255) {
    guard Pixmap.isNear(x), Pixmap.isNear(y), opacity > 0 else { return }
    let columns = max(0, -x)..<max(min(picture.width, width - x), max(0, -x))
    let rows = max(0, -y)..<max(min(picture.height, height - y), max(0, -y))
    let marksEdges = !edges.isEmpty && !picture.edges.isEmpty
    for row in rows {
      let source = row * picture.width
      let target = (row + y) * width + x
      for column in columns {
        let above = PremultipliedColor.scaled(picture.pixels[source + column], by: UInt32(opacity))
        pixels[target + column] = PremultipliedColor.over(above, pixels[target + column])
        guard marksEdges, above != 0 else { continue }
        edges[target + column] = Pixmap.edge(
          picture.edges[source + column], of: above, over: edges[target + column])
      }
    }
  }

  /// Returns the mark of a pixel after another is drawn over it.
  private static func edge(_ mark: UInt8, of above: UInt32, over below: UInt8) -> UInt8 {
    if Int(above >> 24) >= hidingAlpha { return mark }
    return mark != 0 && below != 0 ? mixedEdge : mark | below
  }

  /// Composites a colour over consecutive pixels of one row, by their coverage.
  ///
  /// - Parameter isBlurred: whether partial coverage is intentional blur rather than an edge.
  func blendRow(
    _ coverage: UnsafeBufferPointer<UInt8>, color: PremultipliedColor, at start: Int,
    isBlurred: Bool = false
  ) {
    precondition(start >= 0 && start + coverage.count <= pixels.count)
    guard let target = pixels.baseAddress, let factors = coverage.baseAddress else { return }
    let edges = edges(from: start)
    let hides = Int(color.alpha) >= Pixmap.hidingAlpha
    let solid = color.bits
    let isOpaque = color.alpha == 255
    var column = 0
    while column < coverage.count {
      let end = min(column &+ 8, coverage.count)
      let eight =
        end &- column == 8
        ? UnsafeRawPointer(factors + column).loadUnaligned(as: UInt64.self) : 1
      // Beside and inside of shapes eight pixels at a time.
      if eight == .max {
        Pixmap.blendFour(solid, isOpaque: isOpaque, at: target + (start &+ column))
        Pixmap.blendFour(solid, isOpaque: isOpaque, at: target + (start &+ column &+ 4))
        if hides, let edges {
          Pixmap.unmarkFour(edges + column)
          Pixmap.unmarkFour(edges + (column &+ 4))
        }
      } else if eight != 0 {
        for column in column..<end where factors[column] != 0 {
          blend(
            solid, by: UInt32(factors[column]), hides: hides, at: target + (start &+ column),
            edge: edges.map { $0 + column }, isBlurred: isBlurred)
        }
      }
      column = end
    }
  }

  /// Composites a colour over one pixel.
  ///
  /// - Parameter factor: the coverage, 1 … 255.
  @inline(__always)
  func blend(
    _ solid: UInt32, by factor: UInt32, hides: Bool, at pixel: UnsafeMutablePointer<UInt32>,
    edge: UnsafeMutablePointer<UInt8>?, isBlurred: Bool
  ) {
    if factor == 255 {
      pixel.pointee = PremultipliedColor.over(solid, pixel.pointee)
      if hides, let edge { edge.pointee = 0 }
      return
    }
    var above = PremultipliedColor.scaled(solid, by: factor)
    if above == 0 { return }
    if let edge, !isBlurred {
      let graded = min(grade(factor, of: 256, mark: &edge.pointee), 255)
      if graded != factor { above = PremultipliedColor.scaled(solid, by: graded) }
    }
    pixel.pointee = PremultipliedColor.over(above, pixel.pointee)
  }

  /// Composites a colour over one pixel of the picture, by its coverage.
  ///
  /// - Parameters:
  ///   - color: the bits of the premultiplied colour.
  ///   - factor: the coverage, 1 … 255.
  func blend(_ color: UInt32, by factor: UInt32, at index: Int, isBlurred: Bool) {
    guard color >> 24 > 0 else { return }
    blend(
      color, by: factor, hides: color >> 24 >= Pixmap.hidingAlpha, at: &pixels[index],
      edge: edges(from: index), isBlurred: isBlurred)
  }

  /// Removes the marks of four pixels.
  @inline(__always)
  static func unmarkFour(_ edges: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(edges).storeBytes(of: 0, as: UInt32.self)
  }

  /// Composites a colour over four pixels.
  @inline(__always)
  static func blendFour(
    _ solid: UInt32, isOpaque: Bool, at pixel: UnsafeMutablePointer<UInt32>
  ) {
    let words = UnsafeMutableRawPointer(pixel)
    let above = UInt64(solid) << 32 | UInt64(solid)
    if isOpaque {
      words.storeBytes(of: above, as: UInt64.self)
      words.storeBytes(of: above, toByteOffset: 8, as: UInt64.self)
      return
    }
    let through = UInt64(255 &- solid >> 24)
    for offset in stride(from: 0, to: 16, by: 8) {
      let below = words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      words.storeBytes(
        of: above &+ PremultipliedColor.scaledPair(below, by: through), toByteOffset: offset,
        as: UInt64.self)
    }
  }

  /// Whether a position is in a range in which sums with sizes of pictures cannot overflow.
  static func isNear(_ position: Int) -> Bool {
    (-0x4000_0000...0x4000_0000).contains(position)
  }

  /// Returns the part of a mask that lies in the picture: its rows and columns, and the position of
  /// its first pixel.
  private func window(
    of mask: CoverageMask, x: Int, y: Int
  ) -> (rows: Range<Int>, columns: Range<Int>, left: Int, top: Int)? {
    guard Pixmap.isNear(x), Pixmap.isNear(y) else { return nil }
    let left = x + mask.originX
    let top = y + mask.originY
    let firstRow = max(0, -top)
    let firstColumn = max(0, -left)
    let endRow = min(mask.height, height - top)
    let endColumn = min(mask.width, width - left)
    guard firstRow < endRow, firstColumn < endColumn else { return nil }
    return (firstRow..<endRow, firstColumn..<endColumn, left, top)
  }
}
