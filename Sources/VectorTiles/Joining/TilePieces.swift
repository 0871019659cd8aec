import Features
import SpatialIndex
import Tiling

/// The features of many tiles, each cut to its tile's own square or whole, as columns.
///
/// A piece is a feature in one tile. Pieces come in the order of their tiles, in each in the order of
/// its features.
struct TilePieces {
  /// The role of a run of vertices.
  enum Run: UInt8 {
    /// Points, each vertex one.
    case points
    /// A line.
    case line
    /// A line as its tile has it, after a position in the tile.
    case tileLine
    /// A stretch of a line along a border of its tile: the neighbour has it, too.
    case borderLine
    /// A whole outer ring.
    case outerRing
    /// A whole hole of the last outer ring.
    case innerRing
    /// A whole hole whose outer ring is cut.
    case looseHole
    /// A part of a ring between two cuts.
    case chain
  }

  /// One feature in one tile.
  struct Piece {
    /// The hash of all that pieces of one feature have in common: type, id and properties.
    let key: StableHash
    /// The index of its tile in the order in which they came.
    let tile: Int
    let type: VectorTileFeature.GeometryType
    /// The end of its runs.
    let runEnd: Int
  }

  /// A stretch of a tile's side at which an area was cut.
  struct Cut {
    let border: TileBorder
    let piece: Int
    var stretch: SideStretch
  }

  private(set) var pieces = ContiguousArray<Piece>()
  private(set) var runs = ContiguousArray<Run>()

  /// The end of each run in ``vertices``.
  private(set) var vertexEnds = ContiguousArray<Int>()
  var vertices = ContiguousArray<WorldVertex>()

  /// The cuts of all areas.
  private(set) var cuts = ContiguousArray<Cut>()

  /// Whether lines stay as their tiles have them.
  private let keepsLines: Bool

  private var ring = RingCutter()
  private var coverage = BorderCoverage()

  /// - Parameter keepsLines: whether lines stay as their tiles have them.
  init(keepsLines: Bool) {
    self.keepsLines = keepsLines
  }

  /// Returns the runs of a piece.
  func runRange(_ piece: Int) -> Range<Int> {
    (piece == 0 ? 0 : pieces[piece - 1].runEnd)..<pieces[piece].runEnd
  }

  /// Returns the vertices of a run.
  func vertexRange(_ run: Int) -> Range<Int> {
    (run == 0 ? 0 : vertexEnds[run - 1])..<vertexEnds[run]
  }

  /// Returns the piece of each run.
  ///
  /// - Complexity: O(runs).
  func owners() -> ContiguousArray<Int> {
    var owners = ContiguousArray<Int>()
    owners.reserveCapacity(runs.count)
    for piece in pieces.indices {
      owners.append(contentsOf: repeatElement(piece, count: runRange(piece).count))
    }
    return owners
  }

  /// Appends a feature, cut to the tile's square.
  ///
  /// - Returns: whether anything of it is left.
  /// - Complexity: O(vertices), and O(n log n) for its n edges on the tile's border.
  mutating func append(
    _ feature: VectorTileFeature, _ place: TilePlacement, tile: Int, key: StableHash
  ) -> Bool {
    let first = runs.count
    let firstCut = cuts.count
    switch feature.type {
    case .unknown: break
    case .point: appendPoints(feature, place)
    case .line:
      for part in feature.parts.indices {
        if keepsLines {
          appendWholeLine(feature, part, place)
        } else {
          appendLine(feature, part, place)
        }
      }
    case .polygon: appendArea(feature, place)
    }
    guard runs.count > first || cuts.count > firstCut else { return false }
    pieces.append(Piece(key: key, tile: tile, type: feature.type, runEnd: runs.count))
    return true
  }

  /// Appends a feature whole, unless nothing of it lies in the tile's square; of points only those that
  /// do.
  ///
  /// - Returns: whether it was appended.
  /// - Complexity: as for ``append(_:_:tile:key:)``.
  mutating func appendWhole(
    _ feature: VectorTileFeature, _ place: TilePlacement, tile: Int, key: StableHash
  ) -> Bool {
    let counts = (runs: runs.count, vertices: vertices.count, cuts: cuts.count)
    guard append(feature, place, tile: tile, key: key) else { return false }
    guard feature.type == .line || feature.type == .polygon else { return true }
    pieces.removeLast()
    runs.removeLast(runs.count - counts.runs)
    vertexEnds.removeLast(vertexEnds.count - counts.runs)
    vertices.removeLast(vertices.count - counts.vertices)
    cuts.removeLast(cuts.count - counts.cuts)
    for part in feature.parts.indices {
      let start = vertices.count
      for index in feature.vertexRange(part) {
        let vertex = place.vertex(feature.vertices[index])
        if vertices.count == start || vertices.last != vertex { vertices.append(vertex) }
      }
      guard feature.type == .polygon else {
        endRun(.line)
        continue
      }
      endRun(feature.parts[part] == .innerRing ? .innerRing : .outerRing)
    }
    pieces.append(Piece(key: key, tile: tile, type: feature.type, runEnd: runs.count))
    return true
  }

  private mutating func endRun(_ run: Run) {
    runs.append(run)
    vertexEnds.append(vertices.count)
  }

  private mutating func appendPoints(_ feature: VectorTileFeature, _ place: TilePlacement) {
    let start = vertices.count
    for position in feature.vertices where place.owns(position) {
      vertices.append(place.vertex(position))
    }
    if vertices.count > start { endRun(.points) }
  }

  // MARK: Lines

  private mutating func appendWholeLine(
    _ feature: VectorTileFeature, _ part: Int, _ place: TilePlacement
  ) {
    let start = vertices.count
    for index in feature.vertexRange(part) {
      let vertex = place.vertex(feature.vertices[index])
      if vertices.count == start { vertices.append(place.inside(vertex)) }
      if vertices.count == start + 1 || vertices.last != vertex { vertices.append(vertex) }
    }
    if vertices.count > start + 2 {
      endRun(.tileLine)
    } else {
      vertices.removeLast(vertices.count - start)
    }
  }

  private mutating func appendLine(
    _ feature: VectorTileFeature, _ part: Int, _ place: TilePlacement
  ) {
    var start = vertices.count
    func isOpen(_ vertices: ContiguousArray<WorldVertex>) -> Bool { vertices.count > start }
    let range = feature.vertexRange(part)
    guard let first = range.first else { return }
    var previous = place.vertex(feature.vertices[first])
    for index in range.dropFirst() {
      let vertex = place.vertex(feature.vertices[index])
      defer { previous = vertex }
      guard vertex != previous else { continue }
      guard let (a, b) = place.box.part(previous, vertex) else {
        if isOpen(vertices) { endLine(from: &start, .line) }
        continue
      }
      if place.box.side(a, b) != nil {
        if isOpen(vertices) { endLine(from: &start, .line) }
        vertices.append(a)
        vertices.append(b)
        endLine(from: &start, .borderLine)
        continue
      }
      if isOpen(vertices), vertices.last != a { endLine(from: &start, .line) }
      if !isOpen(vertices) { vertices.append(a) }
      vertices.append(b)
      // What follows begins outside, and may come back at this very point.
      if b != vertex { endLine(from: &start, .line) }
    }
    if isOpen(vertices) { endLine(from: &start, .line) }
  }

  private mutating func endLine(from start: inout Int, _ run: Run) {
    endRun(run)
    start = vertices.count
  }

  // MARK: Areas

  private mutating func appendArea(_ feature: VectorTileFeature, _ place: TilePlacement) {
    var outerIsWhole = false
    for part in feature.parts.indices {
      let isHole = feature.parts[part] == .innerRing
      ring.ring.removeAll(keepingCapacity: true)
      for index in feature.vertexRange(part) {
        let vertex = place.vertex(feature.vertices[index])
        if ring.ring.last != vertex { ring.ring.append(vertex) }
      }
      let isWhole = appendRing(
        isHole ? (outerIsWhole ? .innerRing : .looseHole) : .outerRing, place)
      if !isHole { outerIsWhole = isWhole }
    }
    var coverage = BorderCoverage()
    swap(&coverage, &self.coverage)
    coverage.drain(place.box) { stretch, isAgainst in
      if isAgainst {
        vertices.append(stretch.end)
        vertices.append(stretch.start)
        endRun(.chain)
      } else {
        cuts.append(
          Cut(
            border: TileBorder(place.tile, stretch.side), piece: pieces.count, stretch: stretch))
      }
    }
    swap(&coverage, &self.coverage)
  }

  /// Cuts the ring and appends what is left.
  ///
  /// - Returns: whether it is a whole ring.
  private mutating func appendRing(_ run: Run, _ place: TilePlacement) -> Bool {
    let box = ring.ring.reduce(into: PlaneBox.empty) { $0.include(x: $1.x, y: $1.y) }
    guard box.touches(place.box) else { return false }
    if !place.box.strictlyContains(box) { ring.cut(to: place.box) }
    let vertices = ring.ring
    guard vertices.count > 2 else { return false }
    let count = vertices.count
    func side(_ index: Int) -> TileSide? {
      place.box.side(vertices[index], vertices[index + 1 < count ? index + 1 : 0])
    }
    guard let cut = vertices.indices.first(where: { side($0) != nil }) else {
      self.vertices.append(contentsOf: vertices)
      endRun(run)
      return true
    }
    let start = self.vertices.count
    for step in 0..<count {
      let index = (cut + step) % count
      let next = vertices[index + 1 < count ? index + 1 : 0]
      if let side = side(index) {
        if self.vertices.count > (vertexEnds.last ?? 0) { endRun(.chain) }
        coverage.add(side, from: vertices[index], to: next)
      } else {
        if self.vertices.count == (vertexEnds.last ?? 0) { self.vertices.append(vertices[index]) }
        self.vertices.append(next)
      }
    }
    if self.vertices.count > max(vertexEnds.last ?? 0, start) { endRun(.chain) }
    return false
  }
}

extension PlaneBox {
  /// Returns the part of an edge in the box, borders included; `nil` if it is at most a point.
  fileprivate func part(_ a: WorldVertex, _ b: WorldVertex) -> (WorldVertex, WorldVertex)? {
    var (start, end) = (a, b)
    guard
      Self.cut(&start, &end, by: { $0.x >= minX }, { PlaneCut.atX(minX, $0, $1) }),
      Self.cut(&start, &end, by: { $0.x <= maxX }, { PlaneCut.atX(maxX, $0, $1) }),
      Self.cut(&start, &end, by: { $0.y >= minY }, { PlaneCut.atY(minY, $0, $1) }),
      Self.cut(&start, &end, by: { $0.y <= maxY }, { PlaneCut.atY(maxY, $0, $1) }), start != end
    else { return nil }
    return (start, end)
  }

  /// Keeps the part of an edge on one side; returns false if nothing is left.
  private static func cut(
    _ a: inout WorldVertex, _ b: inout WorldVertex, by isInside: (WorldVertex) -> Bool,
    _ crossing: (WorldVertex, WorldVertex) -> WorldVertex
  ) -> Bool {
    switch (isInside(a), isInside(b)) {
    case (true, true): return true
    case (false, false): return false
    case (true, false): b = crossing(a, b)
    case (false, true): a = crossing(a, b)
    }
    return true
  }
}
