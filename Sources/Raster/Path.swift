/// A closed outline of straight edges in 1/256 px, x rightward and y downward.
///
/// Curves are flattened when they are added, so a path consists of its vertices alone. Everything
/// is computed from differences of coordinates: the same shape moved by any number of 1/256 px has
/// exactly the same vertices moved. Contours are closed implicitly.
@usableFromInline
package struct Path: Equatable, Sendable {
  /// One vertex, in 1/256 px.
  @usableFromInline
  package struct Point: Hashable, Sendable {
    @usableFromInline package var x: Int32
    @usableFromInline package var y: Int32

    @inlinable
    package init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }
  }

  /// The number of units per pixel.
  package static let unitsPerPixel: Int32 = 256

  /// The limit to which coordinates are clamped: ±2³⁰ units (±2²² px), so that no product of two of
  /// their differences exceeds 64 bits.
  package static let limit: Int32 = 1 << 30

  /// The vertices of all contours, one contour after the other, none repeated at its end.
  package private(set) var points: ContiguousArray<Point> = []

  /// The index of the first vertex of each contour, ascending.
  package private(set) var contourStarts: ContiguousArray<Int> = []

  /// Whether a contour is open; after a close the next edge starts a contour where the last one
  /// started.
  private var isOpen = false

  package init() {}

  package var isEmpty: Bool { points.isEmpty }

  /// Begins a contour.
  package mutating func move(toX x: Int32, y: Int32) {
    dropLonelyPoint()
    contourStarts.append(points.count)
    points.append(Path.clamped(x: Int(x), y: Int(y)))
    isOpen = true
  }

  /// Adds a straight edge; an empty path starts at the origin.
  package mutating func addLine(toX x: Int32, y: Int32) {
    openIfNeeded()
    append(x: Int(x), y: Int(y))
  }

  /// Closes the contour: later edges begin a new one at the same start.
  package mutating func close() {
    if let start = contourStarts.last, points.count > start + 1, points.last == points[start] {
      points.removeLast()
    }
    isOpen = false
  }

  /// Adds all contours of another path.
  package mutating func append(_ other: Path) {
    guard !other.isEmpty else { return }
    dropLonelyPoint()
    let base = points.count
    points.append(contentsOf: other.points)
    for start in other.contourStarts { contourStarts.append(base + start) }
    isOpen = false
  }

  /// Returns the outline translated, exactly, as long as no coordinate exceeds ``limit``.
  ///
  /// - Complexity: O(vertices).
  package func translated(dx: Int32, dy: Int32) -> Path {
    guard dx != 0 || dy != 0 else { return self }
    var moved = self
    for index in moved.points.indices {
      let point = moved.points[index]
      moved.points[index] = Path.clamped(x: Int(point.x) + Int(dx), y: Int(point.y) + Int(dy))
    }
    return moved
  }

  /// The smallest box around all vertices in 1/256 px, both ends included; nil without vertices.
  ///
  /// - Complexity: O(vertices).
  package var bounds: (minX: Int32, minY: Int32, maxX: Int32, maxY: Int32)? {
    guard let first = points.first else { return nil }
    var box = (minX: first.x, minY: first.y, maxX: first.x, maxY: first.y)
    for point in points {
      box.minX = min(box.minX, point.x)
      box.minY = min(box.minY, point.y)
      box.maxX = max(box.maxX, point.x)
      box.maxY = max(box.maxY, point.y)
    }
    return box
  }

  /// The point at which the next edge starts.
  var currentPoint: Point {
    guard let last = points.last, let start = contourStarts.last else { return Point(x: 0, y: 0) }
    return isOpen ? last : points[start]
  }

  mutating func openIfNeeded() {
    guard !isOpen else { return }
    let start = currentPoint
    move(toX: start.x, y: start.y)
  }

  /// Appends a vertex to the open contour, unless it repeats the last one.
  mutating func append(x: Int, y: Int) {
    let point = Path.clamped(x: x, y: y)
    if point != points.last { points.append(point) }
  }

  /// Drops a contour that consists of a move alone, so that every contour bounds an area or is a
  /// line.
  private mutating func dropLonelyPoint() {
    guard let start = contourStarts.last, start == points.count - 1 else { return }
    points.removeLast()
    contourStarts.removeLast()
  }

  private static func clamped(x: Int, y: Int) -> Point {
    let limit = Int(Path.limit)
    return Point(
      x: Int32(truncatingIfNeeded: min(max(x, -limit), limit)),
      y: Int32(truncatingIfNeeded: min(max(y, -limit), limit)))
  }
}
