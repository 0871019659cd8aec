/// A reducer of a shape's lines and outlines to a box, step by step: the scratch memory of one
/// tiler.
///
/// Edges that meet the box keep their ends; every run of such edges has one more edge at each end,
/// so that its joins are the same as in the whole line. Two runs with one edge between them become
/// one.
struct LineReducer {
  /// A vertex of a line, with its distance along the line.
  struct Vertex: BitwiseCopyable {
    var x: Int
    var y: Int
    /// The distance along the line at which the edge that leaves this vertex begins, in 1/256
    /// pixels; starts again at 0 at a ring's first vertex.
    var distance: Int
  }

  /// A run of vertices.
  struct Run: BitwiseCopyable {
    /// The end in the reducer's vertices; the run starts where the previous one ends.
    var end: Int
    var flags: LineRunFlags
    /// The length of the whole line or ring, in 1/256 pixels.
    var length: Int
  }

  /// A list of runs in the reducer's memory.
  struct Runs {
    var firstVertex: Int
    /// The indices of the runs.
    var runs: Range<Int>
  }

  private(set) var vertices = ContiguousArray<Vertex>()
  private(set) var runs = ContiguousArray<Run>()

  /// The number of edges skipped since the last edge that was kept: 0, 1, or 2 for more.
  private var gap = 2

  /// The start vertex of the edge before the current one; `nil` at the start of the run being
  /// read.
  private var previous: Vertex?

  /// Whether ``previous`` is the first vertex of the run that is read.
  private var isPreviousFirst = false

  /// The flags of the run that is read, and those of the run that is built.
  private var flags: LineRunFlags = []
  private var openFlags: LineRunFlags = []

  /// The length of the whole line that is read.
  private var length = 0

  init() {}

  /// Clears the memory and begins a shape.
  mutating func begin() {
    vertices.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
  }

  /// Adds a whole line or ring, and measures it.
  ///
  /// - Parameters:
  ///   - step: distances are rounded down to multiples of it: MapLibre stores those of a tile's
  ///     lines in units of 1/4,096 of the tile.
  mutating func add(
    _ line: Slice<UnsafeBufferPointer<ZoomVertex>>, as part: ShapePart, step: Int = 1
  ) {
    guard var last = line.first else { return }
    var distance = 0
    for vertex in line {
      distance += Self.length(dx: vertex.x - last.x, dy: vertex.y - last.y)
      vertices.append(Vertex(x: vertex.x, y: vertex.y, distance: distance / step * step))
      last = vertex
    }
    let flags: LineRunFlags =
      part.isClosedLine ? .isClosed : part.isLine ? [.startsLine, .endsLine] : []
    if part.isClosedLine, let first = line.first {
      distance += Self.length(dx: first.x - last.x, dy: first.y - last.y)
    }
    runs.append(Run(end: vertices.count, flags: flags, length: distance))
  }

  /// Returns the length of an edge, rounded to a whole 1/256 pixel; the same in both directions.
  static func length(dx: Int, dy: Int) -> Int {
    let (x, y) = (Double(dx), Double(dy))
    return Int((x * x + y * y).squareRoot().rounded())
  }

  /// All runs that were added.
  var all: Runs { Runs(firstVertex: 0, runs: 0..<runs.count) }

  /// Removes everything that was made after a list.
  mutating func release(after list: Runs) {
    let last = list.runs.isEmpty ? list.firstVertex : runs[list.runs.upperBound - 1].end
    vertices.removeLast(vertices.count - last)
    runs.removeLast(runs.count - list.runs.upperBound)
  }

  /// Reduces runs to the part that a box needs.
  ///
  /// - Complexity: O(vertices).
  mutating func reduce(_ list: Runs, to box: PlaneBox) -> Runs {
    let window = EdgeWindow(box, slack: 1)
    let firstRun = runs.count
    let firstVertex = vertices.count
    var start = list.firstVertex
    for index in list.runs {
      let run = runs[index]
      length = run.length
      if run.flags.contains(.isClosed) {
        reduceRing(start..<run.end, window)
      } else {
        reduceRun(start..<run.end, run.flags, window)
      }
      start = run.end
    }
    return Runs(firstVertex: firstVertex, runs: firstRun..<runs.count)
  }

  private mutating func reduceRun(
    _ run: Range<Int>, _ flags: LineRunFlags, _ window: EdgeWindow
  ) {
    beginRun(flags)
    for index in run.dropFirst() { visit(vertices[index - 1], vertices[index], window) }
    if gap < 2 { close(adding: flags.intersection(.endsLine)) }
  }

  /// Reduces a ring. If all its edges meet the box it stays a ring; otherwise it is read as a line
  /// that begins with an edge that misses the box, so that every edge that meets the box keeps
  /// both neighbours.
  private mutating func reduceRing(_ ring: Range<Int>, _ window: EdgeWindow) {
    let last = ring.upperBound - 1
    func next(_ index: Int) -> Int { index < last ? index + 1 : ring.lowerBound }
    let missing = ring.first { index in
      let (from, to) = (vertices[index], vertices[next(index)])
      return window.relation(ax: from.x, ay: from.y, bx: to.x, by: to.y) != .meets
    }
    guard let first = missing else {
      for index in ring { vertices.append(vertices[index]) }
      runs.append(Run(end: vertices.count, flags: .isClosed, length: length))
      return
    }
    beginRun([])
    var index = first
    for _ in 0...ring.count {
      visit(vertices[index], vertices[next(index)], window)
      index = next(index)
    }
    if gap < 2 { close(adding: []) }
  }

  private mutating func beginRun(_ flags: LineRunFlags) {
    self.flags = flags
    gap = 2
    previous = nil
    isPreviousFirst = false
  }

  /// Ends the run that is being built.
  private mutating func close(adding flags: LineRunFlags) {
    runs.append(Run(end: vertices.count, flags: openFlags.union(flags), length: length))
    gap = 2
  }

  private mutating func visit(_ from: Vertex, _ to: Vertex, _ window: EdgeWindow) {
    switch window.relation(ax: from.x, ay: from.y, bx: to.x, by: to.y) {
    case .meets: keep(from, to)
    case .misses, .passesWest: skip(from, to, window)
    case .isLong:
      let middle = Self.middle(from, to)
      visit(from, middle, window)
      visit(middle, to, window)
    }
  }

  private mutating func keep(_ from: Vertex, _ to: Vertex) {
    if gap == 2 {
      let isFirst = previous == nil || isPreviousFirst
      openFlags = isFirst ? flags.intersection(.startsLine) : []
      if let previous { vertices.append(previous) }
      vertices.append(from)
    }
    vertices.append(to)
    gap = 0
    remember(from)
  }

  private mutating func skip(_ from: Vertex, _ to: Vertex, _ window: EdgeWindow) {
    guard max(abs(to.x - from.x), abs(to.y - from.y)) <= window.limit else {
      return skipLong(from, to, window)
    }
    if gap == 0 {
      vertices.append(to)
      gap = 1
    } else if gap == 1 {
      close(adding: [])
    }
    remember(from)
  }

  /// Skips an edge of which only the pieces next to its ends matter.
  private mutating func skipLong(_ from: Vertex, _ to: Vertex, _ window: EdgeWindow) {
    var near = to
    var far = from
    while max(abs(near.x - from.x), abs(near.y - from.y)) > window.limit {
      near = Self.middle(from, near)
    }
    while max(abs(to.x - far.x), abs(to.y - far.y)) > window.limit {
      far = Self.middle(far, to)
    }
    if gap == 0 { vertices.append(near) }
    if gap < 2 { close(adding: []) }
    remember(far)
    isPreviousFirst = false
  }

  private mutating func remember(_ from: Vertex) {
    isPreviousFirst = previous == nil
    previous = from
  }

  /// Returns the point at which an edge is cut, as defined by ``EdgeWindow``.
  private static func middle(_ from: Vertex, _ to: Vertex) -> Vertex {
    let length = length(dx: to.x - from.x, dy: to.y - from.y)
    return Vertex(
      x: (from.x + to.x) >> 1, y: (from.y + to.y) >> 1, distance: from.distance + length / 2)
  }
}
