/// The lines, two pixels wide, that MapLibre draws along the edges of its hard-edged areas, in the
/// area's own colour, to soften them.
///
/// As in OpenGL, an edge crosses each column (each row if it is steep) between two pixels, and the
/// opacity of both follows from their distance to the edge along that column or row. Opacities are
/// added up as logarithms, so that neither the order nor the direction of edges matters, and a
/// pixel depends only on integer differences from the ends of an edge.
struct AreaOutlines: ~Copyable {
  private var width = 0
  private var height = 0

  /// The pixels in which the lines that follow are drawn.
  private var window = PixelWindow(columns: 0..<0, rows: 0..<0)

  /// The opacity of each pixel as a logarithm; all zero between two layers.
  private var plane = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 0)
  private let logarithms = CoverageLogarithms()

  /// The logarithm of the opacity at each distance, 0 … 256 of 1/256 px.
  private let ramp = UnsafeMutablePointer<UInt32>.allocate(capacity: 257)

  /// The indexes of the pixels drawn since the last call of ``takePixels(_:)``, if they are
  /// collected.
  private var pixels: ContiguousArray<Int32> = []
  private var collectsPixels = false

  /// The alpha of the lines in ``ramp``.
  private var alpha: UInt8 = 255

  init() {
    ramp.initialize(repeating: 0, count: 257)
    fillRamp()
  }

  /// Uses an alpha for the lines that follow; the plane must be empty.
  mutating func use(alpha: UInt8) {
    guard alpha != self.alpha else { return }
    self.alpha = alpha
    fillRamp()
  }

  private func fillRamp() {
    for step in 0...256 {
      let distance = Double(step) / 256
      let opacity = 1 - distance * distance * (3 - 2 * distance)
      ramp[step] = UInt32(logarithms.values[Int((opacity * Double(alpha)).rounded())])
    }
  }

  deinit {
    plane.deallocate()
    ramp.deallocate()
  }

  /// Makes room for a picture; the plane must be empty.
  ///
  /// - Parameter collectsPixels: whether pixels are taken by ``takePixels(_:)`` rather than by ``take(_:)``.
  mutating func begin(width: Int, height: Int, collectsPixels: Bool) {
    self.width = width
    self.height = height
    self.collectsPixels = collectsPixels
    clip(to: nil)
    guard plane.count < width * height else { return }
    plane.deallocate()
    plane = .allocate(capacity: width * height)
    plane.initialize(repeating: 0)
  }

  /// Limits the lines that follow to some pixels; `nil` for all.
  mutating func clip(to window: PixelWindow?) {
    let all = PixelWindow(columns: 0..<width, rows: 0..<height)
    self.window = window?.clamped(to: all) ?? all
  }

  /// Draws along all edges of a polygon.
  ///
  /// - Complexity: O(vertices + columns or rows that edges pass).
  mutating func add(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>
  ) {
    forEachEdge(of: points, contourEnds) { outlines, from, to in
      outlines.addEdge(from, to) { _, _, _, _ in true }
    }
  }

  /// Draws along the edges of a polygon where they show.
  ///
  /// - Parameter levels: the polygons of the layer, with a margin of one pixel.
  /// - Complexity: O(vertices + columns or rows that edges pass).
  mutating func add(
    _ points: UnsafeBufferPointer<Path.Point>, contourEnds: UnsafeBufferPointer<Int32>,
    within levels: CoverageLevels
  ) {
    forEachEdge(of: points, contourEnds) { outlines, from, to in
      outlines.addEdge(from, to) { levels.showEdge($0, $1, $2, $3) }
    }
  }

  @inline(__always)
  private mutating func forEachEdge(
    of points: UnsafeBufferPointer<Path.Point>, _ contourEnds: UnsafeBufferPointer<Int32>,
    _ body: (inout Self, Path.Point, Path.Point) -> Void
  ) {
    var first = 0
    for contourEnd in contourEnds {
      let end = min(Int(contourEnd), points.count)
      guard end > first else { continue }
      defer { first = end }
      var last = points[end - 1]
      for point in points[first..<end] {
        body(&self, last, point)
        last = point
      }
    }
  }

  /// Draws along an edge.
  ///
  /// - Parameter shows: whether the edge shows between two pixels, given as column and row of each.
  @inline(__always)
  private mutating func addEdge(
    _ from: Path.Point, _ to: Path.Point, shows: (Int, Int, Int, Int) -> Bool
  ) {
    let (x0, y0, x1, y1) = (Int(from.x), Int(from.y), Int(to.x), Int(to.y))
    guard max(x0, x1) > -256, max(y0, y1) > -256, min(x0, x1) < (width &+ 1) &* 256,
      min(y0, y1) < (height &+ 1) &* 256
    else { return }
    if abs(x1 &- x0) >= abs(y1 &- y0) {
      let edge = x0 < x1 ? EdgeSteps(x0, y0, x1, y1) : EdgeSteps(x1, y1, x0, y0)
      // Middles on an edge belong to the area at their right, here above a falling edge.
      let (top, bottom) = (window.rows.lowerBound, window.rows.upperBound)
      edge.forEach(in: window.columns, middlesComeFirst: edge.rises) { column, row, distance in
        guard row >= top &- 1, row < bottom, shows(column, row, column, row &+ 1) else { return }
        if row >= top { draw(distance, at: row &* width &+ column) }
        if row &+ 1 < bottom { draw(256 &- distance, at: (row &+ 1) &* width &+ column) }
      }
    } else {
      let edge = y0 < y1 ? EdgeSteps(y0, x0, y1, x1) : EdgeSteps(y1, x1, y0, x0)
      let (left, right) = (window.columns.lowerBound, window.columns.upperBound)
      edge.forEach(in: window.rows, middlesComeFirst: false) { row, column, distance in
        guard column >= left &- 1, column < right, shows(column, row, column &+ 1, row) else {
          return
        }
        if column >= left { draw(distance, at: row &* width &+ column) }
        if column &+ 1 < right { draw(256 &- distance, at: row &* width &+ column &+ 1) }
      }
    }
  }

  /// Draws a pixel at a distance in 1/256 px.
  @inline(__always)
  private mutating func draw(_ distance: Int, at index: Int) {
    guard let place = plane.baseAddress.map({ $0 + index }) else { return }
    let opacity = ramp[distance]
    if collectsPixels, place.pointee == 0, opacity > 0 {
      pixels.append(Int32(truncatingIfNeeded: index))
    }
    place.pointee = UInt16(
      truncatingIfNeeded: min(UInt32(place.pointee) &+ opacity, CoverageLogarithms.full))
  }

  /// Empties consecutive pixels, and calls `body` with the opacity of those that have one.
  ///
  /// - Parameter body: receives an opacity of 1 … 255.
  @inline(__always)
  mutating func take(_ range: Range<Int>, _ body: (_ pixel: Int, _ opacity: UInt32) -> Void) {
    guard let plane = plane.baseAddress else { return }
    var index = range.lowerBound
    while index < range.upperBound {
      if index &+ 4 <= range.upperBound,
        UnsafeRawPointer(plane + index).loadUnaligned(as: UInt64.self) == 0
      {
        index &+= 4
        continue
      }
      let opacity = UInt32(logarithms.coverage(plane[index]))
      plane[index] = 0
      if opacity > 0 { body(index, opacity) }
      index &+= 1
    }
  }

  /// Empties the pixels drawn since the last call, and calls `body` with their opacity.
  ///
  /// - Parameter body: receives an opacity of 1 … 255.
  @inline(__always)
  mutating func takePixels(_ body: (_ pixel: Int, _ opacity: UInt32) -> Void) {
    guard let plane = plane.baseAddress else { return }
    for pixel in pixels {
      let opacity = UInt32(logarithms.coverage(plane[Int(pixel)]))
      plane[Int(pixel)] = 0
      if opacity > 0 { body(Int(pixel), opacity) }
    }
    pixels.removeAll(keepingCapacity: true)
  }
}

/// The steps of an edge along its longer side `u`, from the middle of one pixel to the next, with its
/// place `v` across.
private struct EdgeSteps {
  private let u0: Int
  private let v0: Int
  private let u1: Int
  private let v1: Int

  /// Creates the steps of an edge in 1/256 px, from the end with the lesser `u`.
  @inline(__always)
  init(_ u0: Int, _ v0: Int, _ u1: Int, _ v1: Int) {
    (self.u0, self.v0, self.u1, self.v1) = (u0, v0, u1, v1)
  }

  /// Whether `v` increases along the edge.
  var rises: Bool { v1 > v0 }

  /// Calls `body` with each step, the last pixel across that lies before the edge, and the edge's
  /// distance from its middle in 1/256 px.
  ///
  /// A middle at the edge's end belongs to the edge that begins there.
  ///
  /// - Parameter middlesComeFirst: whether a pixel with its middle on the edge lies before it.
  /// - Complexity: O(steps).
  @inline(__always)
  func forEach(
    in range: Range<Int>, middlesComeFirst: Bool,
    _ body: (_ u: Int, _ v: Int, _ distance: Int) -> Void
  ) {
    let first = max((u0 &+ 127) >> 8, range.lowerBound)
    let end = min((u1 &+ 127) >> 8, range.upperBound)
    guard first < end else { return }
    let run = u1 &- u0
    let rise = v1 &- v0
    var (offset, rest) = CoverageAccumulator.floorDivision((first &* 256 &+ 128 &- u0) &* rise, run)
    let (step, stepRest) =
      end &- first > 1 ? CoverageAccumulator.floorDivision(256 &* rise, run) : (0, 0)
    for u in first..<end {
      // Rounded up, like the crossings by which areas find the middles inside.
      let crossing = v0 &+ offset &- 128 &+ (rest > 0 ? 1 : 0)
      let v = (rest == 0 && middlesComeFirst ? crossing : crossing &- 1) >> 8
      body(u, v, crossing &- v &* 256)
      offset = offset &+ step
      rest = rest &+ stepRest
      if rest >= run {
        rest = rest &- run
        offset = offset &+ 1
      }
    }
  }
}
