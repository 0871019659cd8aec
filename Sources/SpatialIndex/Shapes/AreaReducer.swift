import Tiling

/// A reducer of a polygon's contours to a box, step by step: the scratch memory of one tiler.
///
/// The result of the even-odd rule inside the box stays exactly as it was: edges that meet the box
/// keep their ends, and the parts between them, outside the box, are replaced by corners of a
/// frame around it. One bit records whether all other edges wind around the box an odd number of
/// times; if so, the frame itself becomes a contour. So a reduced polygon depends only on its
/// edges that meet the box and on that bit, not on the steps.
struct AreaReducer {
  /// A list of contours in the reducer's memory.
  struct Contours {
    /// The first vertex of the first contour.
    var firstVertex: Int
    /// The indices of the contours' ends.
    var contours: Range<Int>
  }

  /// The distance between the box and its frame in units: a pixel.
  private static let frame = 256

  private(set) var vertices = ContiguousArray<ZoomVertex>()

  /// The end of each contour in ``vertices``.
  private(set) var ends = ContiguousArray<Int>()

  /// Whether the box is inside the area enclosed by all edges that miss it.
  private var isAround = false

  /// The start of the contour that is being built, and whether its last vertex is the end of an
  /// edge that has just been kept.
  private var contourStart = 0
  private var isRunning = false

  init() {}

  /// Clears the memory and begins a polygon.
  mutating func begin() {
    vertices.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Adds a ring of the polygon.
  mutating func add(_ ring: Slice<UnsafeBufferPointer<ZoomVertex>>) {
    vertices.append(contentsOf: ring)
    ends.append(vertices.count)
  }

  /// All rings that were added.
  var all: Contours { Contours(firstVertex: 0, contours: 0..<ends.count) }

  /// Removes everything that was made after a list.
  mutating func release(after list: Contours) {
    let last = list.contours.isEmpty ? list.firstVertex : ends[list.contours.upperBound - 1]
    vertices.removeLast(vertices.count - last)
    ends.removeLast(ends.count - list.contours.upperBound)
  }

  /// Reduces contours to the part that a box needs.
  ///
  /// - Returns: the new list, and whether the whole box is covered; if it is, or if none of it is,
  ///   the list is empty.
  /// - Complexity: O(vertices).
  mutating func reduce(_ list: Contours, to box: PlaneBox) -> (contours: Contours, isFull: Bool) {
    let window = EdgeWindow(box, slack: 0)
    let firstContour = ends.count
    let firstVertex = vertices.count
    isAround = false
    var start = list.firstVertex
    for contour in list.contours {
      let end = ends[contour]
      reduce(start..<end, window)
      start = end
    }
    var reduced = Contours(firstVertex: firstVertex, contours: firstContour..<ends.count)
    guard isAround else { return (reduced, false) }
    if reduced.contours.isEmpty { return (reduced, true) }
    appendFrame(box)
    reduced.contours = firstContour..<ends.count
    return (reduced, false)
  }

  private mutating func reduce(_ contour: Range<Int>, _ window: EdgeWindow) {
    guard contour.count >= 2 else { return }
    contourStart = vertices.count
    isRunning = false
    // Edges stay in the order of the ring, so that the result does not depend on the steps.
    for index in contour.dropLast() { visit(vertices[index], vertices[index + 1], window) }
    visit(vertices[contour.upperBound - 1], vertices[contour.lowerBound], window)
    guard vertices.count > contourStart else { return }
    if vertices[vertices.count - 1] == vertices[contourStart] {
      vertices.removeLast()
    } else {
      connect(to: vertices[contourStart], window)
    }
    ends.append(vertices.count)
  }

  /// Keeps or skips an edge, or recurses into its halves.
  private mutating func visit(_ from: ZoomVertex, _ to: ZoomVertex, _ window: EdgeWindow) {
    switch window.relation(ax: from.x, ay: from.y, bx: to.x, by: to.y) {
    case .meets: keep(from, to, window)
    case .misses: isRunning = false
    case .passesWest:
      isRunning = false
      isAround.toggle()
    case .isLong:
      let middle = ZoomVertex(x: (from.x + to.x) >> 1, y: (from.y + to.y) >> 1)
      visit(from, middle, window)
      visit(middle, to, window)
    }
  }

  private mutating func keep(_ from: ZoomVertex, _ to: ZoomVertex, _ window: EdgeWindow) {
    if !isRunning {
      if vertices.count == contourStart {
        vertices.append(from)
      } else if vertices[vertices.count - 1] != from {
        connect(to: from, window)
        vertices.append(from)
      }
      isRunning = true
    }
    vertices.append(to)
  }

  /// Connects the last vertex to another, both outside, around the box by corners of its frame.
  private mutating func connect(to target: ZoomVertex, _ window: EdgeWindow) {
    let last = vertices[vertices.count - 1]
    let from = window.zone(last.x, last.y)
    let to = window.zone(target.x, target.y)
    if from.isDisjoint(with: to) {
      if let corner = Self.corners.first(where: {
        !$0.isDisjoint(with: from) && !$0.isDisjoint(with: to)
      }) {
        pass(corner, window)
      } else if from.contains(.west) || from.contains(.north) {
        pass([.north, .west], window)
        pass(from.contains(.west) ? [.north, .east] : [.south, .west], window)
      } else {
        pass(from.contains(.east) ? [.north, .east] : [.south, .west], window)
        pass([.north, .west], window)
      }
    }
    count(vertices[vertices.count - 1], target, window)
  }

  private static let corners: [OutsideZone] = [
    [.north, .west], [.north, .east], [.south, .east], [.south, .west],
  ]

  /// Appends a corner of the frame.
  private mutating func pass(_ corner: OutsideZone, _ window: EdgeWindow) {
    let box = window.box
    let vertex = ZoomVertex(
      x: corner.contains(.west) ? box.minX - Self.frame : box.maxX + Self.frame,
      y: corner.contains(.north) ? box.minY - Self.frame : box.maxY + Self.frame)
    count(vertices[vertices.count - 1], vertex, window)
    vertices.append(vertex)
  }

  /// Flips ``isAround`` if a new edge passes west of the box. The edges that it replaces were
  /// counted when they were skipped, so the bit keeps the difference.
  private mutating func count(_ from: ZoomVertex, _ to: ZoomVertex, _ window: EdgeWindow) {
    if window.relation(ax: from.x, ay: from.y, bx: to.x, by: to.y) == .passesWest {
      isAround.toggle()
    }
  }

  private mutating func appendFrame(_ box: PlaneBox) {
    let (west, east) = (box.minX - Self.frame, box.maxX + Self.frame)
    let (north, south) = (box.minY - Self.frame, box.maxY + Self.frame)
    vertices.append(ZoomVertex(x: west, y: north))
    vertices.append(ZoomVertex(x: east, y: north))
    vertices.append(ZoomVertex(x: east, y: south))
    vertices.append(ZoomVertex(x: west, y: south))
    ends.append(vertices.count)
  }
}
