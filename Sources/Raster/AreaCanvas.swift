/// A canvas that draws the polygons of one layer and then composites them over a picture. Polygons
/// that share a border leave no seam and no doubled alpha along it, whatever their colours.
///
/// One per worker, reused for every layer. A pixel depends only on the polygons over it and their
/// order, so the pictures of neighbouring tiles fit together exactly.
package final class AreaCanvas {
  /// The colouring of a layer's polygons.
  package enum Coloring: Hashable, Sendable {
    /// All in one colour; the colour of each polygon is ignored.
    case constant(PremultipliedColor)

    /// Each in its own colour.
    case each
  }

  /// The drawing of the edges of a layer's polygons.
  package enum Edges: Hashable, Sendable {
    /// A pixel is covered by the polygon's area in it.
    case exact

    /// A pixel is covered fully or not at all, by its centre.
    case stepped

    /// Polygons are stepped, and a line in their own colour along their edges softens them, as
    /// MapLibre draws them. Translucent polygons of one colour have this line only on edges that
    /// no other polygon continues, so that the line does not show where polygons meet. Polygons
    /// with a colour each are exact.
    case lined
  }

  private var accumulator = CoverageAccumulator()
  private var outlines = AreaOutlines()
  private var sums = CoverageSums()
  private var shares = ColorShares()
  private var touched = TouchedRows()

  /// Area of sub-pixel polygons that does not yet make up 1/131,072 of its pixel, in 2⁻⁴⁸ px²;
  /// empty without sub-pixel polygons.
  private var dust = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 0)
  private var hasDust = false

  /// Whether polygons wait for ``addSpeck(_:contourEnds:color:)``.
  package private(set) var hasSpecks = false

  private var width = 0
  private var height = 0
  private var coloring = Coloring.each
  private var edges = Edges.exact

  /// The pixels of the canvas that the polygons being added may cover.
  private var window = PixelWindow(columns: 0..<0, rows: 0..<0)

  /// The width of the border around the picture that the canvas also covers, in pixels: 1 if an
  /// outline inside the picture depends on the polygons just outside it.
  private var margin = 0

  /// The width of the canvas in pixels, both margins included.
  private var stride: Int { width + 2 * margin }
  private var rowCount: Int { height + 2 * margin }

  package init() {}

  deinit {
    dust.deallocate()
  }

  /// Begins a layer; the previous one must have been composited.
  ///
  /// - Parameters:
  ///   - width: the width of the picture in pixels.
  ///   - height: the height of the picture in pixels.
  ///   - coloring: must follow from the style, never from the tile's content: the two cases may
  ///     round a pixel differently.
  package func beginLayer(
    width: Int, height: Int, coloring: Coloring, edges: Edges = .exact
  ) {
    precondition(width > 0 && height > 0 && touched.rows.isEmpty)
    self.width = width
    self.height = height
    self.coloring = coloring
    self.edges = edges
    margin = 0
    hasSpecks = false
    if edges == .lined {
      outlines.begin(width: width, height: height, collectsPixels: coloring == .each)
      let alpha = if case .constant(let color) = coloring { color.alpha } else { UInt8.max }
      outlines.use(alpha: alpha)
      sums.useOutlines(alpha: alpha)
      margin = coloring == .each ? 0 : 1
    }
    clip(to: nil)
    touched.begin(height: rowCount)
    if case .each = coloring {
      shares.begin(count: width * height)
    } else {
      sums.begin(count: stride * rowCount)
    }
  }

  /// Limits the polygons and outlines that follow to some pixels of the picture; `nil` for all, and
  /// for the margin around it.
  package func clip(to window: PixelWindow?) {
    let all = PixelWindow(columns: 0..<stride, rows: 0..<rowCount)
    self.window =
      window.map {
        PixelWindow(
          columns: ($0.columns.lowerBound + margin)..<($0.columns.upperBound + margin),
          rows: ($0.rows.lowerBound + margin)..<($0.rows.upperBound + margin)
        ).clamped(to: all)
      } ?? all
    outlines.clip(to: window)
  }

  /// Draws one polygon with all its rings under the even-odd rule.
  ///
  /// With ``drawsOutlines``, ``addOutline(_:contourEnds:color:)`` follows for all polygons, and with
  /// ``hasSpecks`` then ``addSpeck(_:contourEnds:color:)``.
  ///
  /// - Parameters:
  ///   - points: in 1/256 px from the picture's corner, within ± ``Path/limit``; rings are closed
  ///     implicitly.
  ///   - contourEnds: the index after the last vertex of each ring, ascending.
  /// - Complexity: O(vertices + pixels of the polygon's box).
  package func add(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    color: PremultipliedColor
  ) {
    guard let bounds = PointBounds(points) else { return }
    let edges = edges(of: color)
    if edges == .lined, let box = pixels(of: bounds, from: -256, through: 511) {
      touched.extend(toRows: box.rows)
      for row in box.rows { touched.touch(row: row, box.columns) }
    }
    if edges != .lined || !bounds.isBetweenMiddles {
      cover(points, contourEnds, within: bounds, byArea: edges == .exact, color: color)
    }
    guard edges == .lined else { return }
    withSpecks(of: points, contourEnds, within: bounds) { points, contourEnds, bounds in
      if margin > 0 {
        hasSpecks = true
      } else {
        cover(points, contourEnds, within: bounds, byArea: true, color: color)
      }
    }
  }

  /// Draws the parts of a polygon so small that they contain no pixel centre and cross no row or
  /// column of centres, by exact area: neither the fill nor the outline shows them.
  ///
  /// - Complexity: O(vertices).
  package func addSpeck(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    color: PremultipliedColor
  ) {
    guard let bounds = PointBounds(points) else { return }
    withSpecks(of: points, contourEnds, within: bounds) { points, contourEnds, bounds in
      cover(points, contourEnds, within: bounds, byArea: true, color: color)
    }
  }

  /// Calls `body` with the parts of a polygon that lie between pixel centres, if there are any:
  /// the whole polygon, or those of its rings that wind as the largest one does.
  private func withSpecks(
    of points: UnsafeBufferPointer<Path.Point>, _ contourEnds: UnsafeBufferPointer<Int32>,
    within bounds: PointBounds,
    _ body: (UnsafeBufferPointer<Path.Point>, UnsafeBufferPointer<Int32>, PointBounds) -> Void
  ) {
    if bounds.isBetweenMiddles { return body(points, contourEnds, bounds) }
    guard contourEnds.count > 1 else { return }
    var (rings, largest): ([(points: Range<Int>, area: Int)], Int) = ([], 0)
    var start = 0
    for end in contourEnds {
      let range = start..<Int(end)
      start = Int(end)
      let ring = UnsafeBufferPointer(rebasing: points[range])
      let area = ring.doubledArea
      if abs(area) > abs(largest) { largest = area }
      guard area != 0, PointBounds(ring)?.isBetweenMiddles == true else { continue }
      rings.append((range, area))
    }
    var specks: [Path.Point] = []
    var ends: [Int32] = []
    for ring in rings where (ring.area < 0) == (largest < 0) {
      specks.append(contentsOf: points[ring.points])
      ends.append(Int32(truncatingIfNeeded: specks.count))
    }
    specks.withUnsafeBufferPointer { specks in
      guard let bounds = PointBounds(specks) else { return }
      ends.withUnsafeBufferPointer { body(specks, $0, bounds) }
    }
  }

  private func cover(
    _ points: UnsafeBufferPointer<Path.Point>, _ contourEnds: UnsafeBufferPointer<Int32>,
    within bounds: PointBounds, byArea: Bool, color: PremultipliedColor
  ) {
    guard
      let box = byArea
        ? pixels(of: bounds, from: 0, through: 255) : pixels(of: bounds, from: 127, through: 127)
    else { return }
    accumulator.begin(width: box.columns.count, height: box.rows.count)
    let originX = box.columns.lowerBound - margin
    let originY = box.rows.lowerBound - margin
    if byArea {
      accumulator.add(points, contourEnds: contourEnds, originX: originX, originY: originY)
    } else {
      accumulator.addCenters(points, contourEnds: contourEnds, originX: originX, originY: originY)
    }
    touched.extend(toRows: box.rows)
    switch coloring {
    case .constant:
      sums.beginPolygon()
      sweep(box.rows, box.columns.lowerBound) { sums.add($1, to: $0) }
    case .each: sweep(box.rows, box.columns.lowerBound) { shares.add($1, of: color, to: $0) }
    }
  }

  /// Whether the caller must draw the outlines after all polygons of the layer, by
  /// ``addOutline(_:contourEnds:color:)``.
  package var drawsOutlines: Bool { edges == .lined }

  /// Draws the line along the edges of a polygon that was added, over all polygons of the layer.
  ///
  /// - Complexity: O(vertices + columns or rows that edges pass).
  package func addOutline(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    color: PremultipliedColor
  ) {
    guard edges(of: color) == .lined else { return }
    if margin > 0 {
      let levels = CoverageLevels(sums, stride: stride, margin: margin)
      outlines.add(points, contourEnds: contourEnds, within: levels)
    } else {
      outlines.add(points, contourEnds: contourEnds)
      outlines.takePixels { shares.lay(color, opacity: $1, over: $0) }
    }
  }

  /// Returns the drawing of the edges of a polygon.
  private func edges(of color: PremultipliedColor) -> Edges {
    coloring == .each && edges == .lined && color.alpha < 255 ? .exact : edges
  }

  /// Draws a polygon that covers the whole picture.
  ///
  /// - Complexity: O(pixels) where polygons have their own colours.
  package func addFull(color: PremultipliedColor) {
    touched.extend(toRows: 0..<rowCount)
    if case .constant = coloring { return sums.addFull() }
    for row in 0..<height {
      touched.touch(row: row, 0..<width)
      let first = row * width
      shares.add(ColorShares.full, of: color, to: first..<(first + width))
    }
  }

  /// Adds a sub-pixel polygon to the pixel that contains it.
  ///
  /// Areas below what one pixel can show accumulate until they make a difference.
  ///
  /// - Parameters:
  ///   - x: the column; polygons outside the picture are ignored.
  ///   - y: the row.
  ///   - area: the area in px², 0 … 1.
  package func addDust(x: Int, y: Int, area: Double, color: PremultipliedColor) {
    guard x >= 0, x < width, y >= 0, y < height, area > 0 else { return }
    let (x, y) = (x + margin, y + margin)
    if dust.count < stride * rowCount {
      // The old content is not copied: each layer starts empty, and the size does not change
      // within a layer.
      dust.deallocate()
      dust = .allocate(capacity: stride * rowCount)
      dust.initialize(repeating: 0)
    }
    hasDust = true
    touched.extend(toRows: y..<(y + 1))
    touched.touch(row: y, x..<(x + 1))
    let index = y * stride + x
    let total = UInt64(dust[index]) + UInt64((min(area, 1) * 0x1p48).rounded())
    dust[index] = UInt32(truncatingIfNeeded: total & 0x7FFF_FFFF)
    let visible = min(UInt32(truncatingIfNeeded: total >> 31), CoverageSums.full)
    switch coloring {
    case .constant:
      sums.beginPolygon()
      sums.add(visible, to: index..<(index + 1))
    case .each: shares.add(visible, of: color, to: index..<(index + 1))
    }
  }

  /// Ends the layer and composites it over a picture of its size.
  ///
  /// - Complexity: O(pixels between the first and the last touched one of each row).
  package func composite(onto pixmap: Pixmap) {
    precondition(pixmap.width == width && pixmap.height == height)
    switch coloring {
    case .constant(let color):
      endLayer { pixels, shift, _ in
        takeOutlines(pixels, shift: shift)
        sums.composite(pixels, color: color, onto: pixmap, shift: shift)
      }
    case .each: endLayer { pixels, _, _ in shares.composite(pixels, onto: pixmap) }
    }
  }

  /// Ends a layer of one colour and composites it in colours of its pixels instead.
  ///
  /// - Parameter color: returns the bits of the premultiplied colour of a pixel.
  /// - Complexity: O(pixels between the first and the last touched one of each row).
  package func composite(onto pixmap: Pixmap, color: (_ x: Int, _ y: Int) -> UInt32) {
    precondition(pixmap.width == width && pixmap.height == height && coloring != .each)
    endLayer { pixels, shift, row in
      takeOutlines(pixels, shift: shift)
      sums.composite(pixels, onto: pixmap, shift: shift) { color($0 - row * width, row) }
    }
  }

  /// Adds the outlines of a layer of one colour to its sums.
  private func takeOutlines(_ pixels: Range<Int>, shift: Int) {
    guard edges == .lined else { return }
    outlines.take((pixels.lowerBound &- shift)..<(pixels.upperBound &- shift)) {
      sums.lay($1, over: $0 &+ shift)
    }
  }

  /// Ends the layer, and calls `composite` with the touched pixels of each row of the picture,
  /// which `composite` must empty.
  ///
  /// - Parameter composite: receives the indexes of pixels in the canvas, the difference between
  ///   these indexes and those in the picture, and the picture's row.
  @inline(__always)
  private func endLayer(_ composite: (_ pixels: Range<Int>, _ shift: Int, _ row: Int) -> Void) {
    let coversAll = sums.coversAll
    for line in touched.rows {
      let taken = touched.take(row: line)
      let columns = coversAll ? 0..<stride : taken
      guard !columns.isEmpty else { continue }
      let (row, first) = (line - margin, line * stride)
      let shown = columns.clamped(to: margin..<(margin + width))
      if row >= 0, row < height, !shown.isEmpty {
        composite(
          (first + shown.lowerBound)..<(first + shown.upperBound), first + margin - row * width, row
        )
      }
      let pixels = (first + columns.lowerBound)..<(first + columns.upperBound)
      if margin > 0 { sums.clear(pixels) }
      if hasDust { dust[pixels].update(repeating: 0) }
    }
    touched.end()
    sums.end()
    hasDust = false
  }

  /// Empties the accumulator of a polygon and calls `body` with the pixels that the polygon covers
  /// and their common area.
  @inline(__always)
  private func sweep(_ rows: Range<Int>, _ originX: Int, _ body: (Range<Int>, UInt32) -> Void) {
    for row in rows {
      let start = row &* stride &+ originX
      let columns = accumulator.sweepAreas(row: row &- rows.lowerBound) { columns, area in
        body(start &+ columns.lowerBound..<start &+ columns.upperBound, area)
      }
      guard !columns.isEmpty else { continue }
      touched.touch(row: row, columns.lowerBound &+ originX..<columns.upperBound &+ originX)
    }
  }

  /// Returns the columns and rows of the canvas that a polygon covers or reaches; `nil` if there
  /// are none.
  ///
  /// - Parameters:
  ///   - from: an offset in 1/256 px added to the low edge of the box before rounding down: 0, or
  ///     127 to count only pixels whose middle is inside.
  ///   - through: the same for the high edge: 255, or 127.
  private func pixels(
    of bounds: PointBounds, from: Int, through: Int
  ) -> (columns: Range<Int>, rows: Range<Int>)? {
    let shift = margin * 256
    let left = max((bounds.left + shift + from) >> 8, window.columns.lowerBound)
    let right = min((bounds.right + shift + through) >> 8, window.columns.upperBound)
    let top = max((bounds.top + shift + from) >> 8, window.rows.lowerBound)
    let bottom = min((bounds.bottom + shift + through) >> 8, window.rows.upperBound)
    guard left < right, top < bottom else { return nil }
    return (left..<right, top..<bottom)
  }
}

extension UnsafeBufferPointer<Path.Point> {
  /// Twice the area within a ring, negative if it winds the other way, in (1/256 px)².
  fileprivate var doubledArea: Int {
    guard var last = last else { return 0 }
    var sum = 0
    for point in self {
      sum &+= Int(last.x) &* Int(point.y) &- Int(point.x) &* Int(last.y)
      last = point
    }
    return sum
  }
}
