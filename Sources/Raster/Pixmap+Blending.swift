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
      let factor = factors[column]
      let pixel = target + (start &+ column)
      if column &+ 4 <= coverage.count, factor == 255 || factor == 0,
        Pixmap.isUniform(factors + column)
      {
        if factor == 255 {
          Pixmap.blendFour(solid, isOpaque: isOpaque, at: pixel)
          if hides, let edges {
            UnsafeMutableRawPointer(edges + column).storeBytes(of: 0, as: UInt32.self)
          }
        }
        column &+= 4
        continue
      }
      var covered = UInt32(factor)
      if let edges, factor != 0 {
        if factor == 255 {
          if hides { edges[column] = 0 }
        } else if !isBlurred, PremultipliedColor.scaled(solid, by: covered) != 0 {
          covered = min(grade(covered, of: 256, mark: &edges[column]), 255)
        }
      }
      let above = PremultipliedColor.scaled(solid, by: covered)
      pixel.pointee = PremultipliedColor.over(above, pixel.pointee)
      column &+= 1
    }
  }

  /// Whether four bytes are equal.
  private static func isUniform(_ bytes: UnsafePointer<UInt8>) -> Bool {
    bytes[0] == bytes[1] && bytes[0] == bytes[2] && bytes[0] == bytes[3]
  }

  /// Composites a colour over four pixels, by the rule of ``PremultipliedColor/over(_:)`` in 16-bit
  /// lanes.
  private static func blendFour(
    _ solid: UInt32, isOpaque: Bool, at pixel: UnsafeMutablePointer<UInt32>
  ) {
    var result = SIMD4<UInt32>(repeating: solid)
    if !isOpaque {
      let raw = UnsafeMutableRawPointer(pixel)
      let below = SIMD16<UInt16>(truncatingIfNeeded: raw.loadUnaligned(as: SIMD16<UInt8>.self))
      let product = below &* UInt16(255 &- solid >> 24) &+ 128
      let rounded = (product &+ (product &>> 8)) &>> 8
      result &+= unsafeBitCast(
        SIMD16<UInt8>(truncatingIfNeeded: rounded), to: SIMD4<UInt32>.self)
    }
    UnsafeMutableRawPointer(pixel).storeBytes(of: result, as: SIMD4<UInt32>.self)
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
