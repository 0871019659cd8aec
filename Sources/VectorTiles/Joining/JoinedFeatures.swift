import Features
import SpatialIndex
import Tiling

/// The features that pieces have been joined to, in the order in which they are drawn.
struct JoinedFeatures {
  private let pieces: TilePieces
  private let areas: AreaJoiner
  private let lines: LineJoiner

  /// The pieces of each feature, ascending, one feature after the other.
  private var members = ContiguousArray<Int>()

  /// The end of each feature's pieces in ``members``.
  private var memberEnds = ContiguousArray<Int>()

  /// The edges that are left of each piece's cuts, as indexes into those of ``areas``.
  private var edges: [Int: [Int]] = [:]

  init(
    _ pieces: TilePieces, areas: AreaJoiner, lines: LineJoiner, _ sets: inout DisjointSets
  ) {
    self.pieces = pieces
    self.areas = areas
    self.lines = lines
    // Features are numbered by their first pieces.
    var numbers = ContiguousArray<Int>()
    var lists: [[Int]] = []
    for piece in pieces.pieces.indices {
      let first = sets.first(of: piece)
      if first == piece {
        numbers.append(lists.count)
        lists.append([piece])
      } else {
        numbers.append(numbers[first])
        lists[numbers[first]].append(piece)
      }
    }
    var sequences: [ContiguousArray<Int>] = []
    var tile: Int?
    for piece in pieces.pieces.indices {
      if pieces.pieces[piece].tile != tile { sequences.append([]) }
      tile = pieces.pieces[piece].tile
      sequences[sequences.count - 1].append(numbers[piece])
    }
    for feature in FeatureOrder.merged(sequences, count: lists.count) {
      members.append(contentsOf: lists[feature])
      memberEnds.append(members.count)
    }
    for (index, edge) in areas.edges.enumerated() { edges[edge.piece, default: []].append(index) }
  }

  var indices: Range<Int> { memberEnds.indices }

  /// The first piece of each feature.
  var firstPieces: ContiguousArray<Int> {
    ContiguousArray(indices.map { members[memberRange($0).lowerBound] })
  }

  private func memberRange(_ feature: Int) -> Range<Int> {
    (feature == 0 ? 0 : memberEnds[feature - 1])..<memberEnds[feature]
  }

  /// Appends a feature to a column as a record.
  ///
  /// - Parameter tile: the tile that has it whole; `nil` for a joined one.
  func append(_ feature: Int, to geometry: inout GeometryColumn, tile: UInt64?) {
    let range = memberRange(feature)
    let members = members[range]
    let first = geometry.parts.count
    let single: GeometryColumn.Kind
    let multiple: GeometryColumn.Kind
    switch pieces.pieces[members[range.lowerBound]].type {
    case .unknown: return geometry.endRecord(.none, tile: tile)
    case .point:
      appendPoints(members, to: &geometry)
      (single, multiple) = (.point, .multiPoint)
    case .line:
      appendLines(members, to: &geometry)
      (single, multiple) = (.lineString, .multiLineString)
    case .polygon:
      appendAreas(members, to: &geometry)
      (single, multiple) = (.polygon, .multiPolygon)
    }
    let heads = geometry.parts[first...].count { $0 != .innerRing && $0 != .tile }
    geometry.endRecord(heads == 0 ? .none : heads == 1 ? single : multiple, tile: tile)
  }

  private func append(
    _ vertices: some Sequence<WorldVertex>, as part: GeometryColumn.Part,
    to geometry: inout GeometryColumn
  ) {
    var ends: (first: WorldVertex, last: WorldVertex)?
    for vertex in vertices {
      if let ends { addBetween(ends.last, vertex, to: &geometry) }
      geometry.add(LngLat(vertex))
      ends = (ends?.first ?? vertex, vertex)
    }
    if let ends, part != .line { addBetween(ends.last, ends.first, to: &geometry) }
    geometry.endPart(part)
  }

  /// Divides an edge that is as long as half the world: as degrees, it would go the other way round.
  private func addBetween(_ a: WorldVertex, _ b: WorldVertex, to geometry: inout GeometryColumn) {
    let (width, height) = (b.x - a.x, b.y - a.y)
    guard abs(width) >= WorldVertex.turn / 2 else { return }
    for third in 1...2 {
      geometry.add(
        LngLat(WorldVertex(x: a.x + width / 3 * third, y: a.y + height / 3 * third)))
    }
  }

  private func appendPoints(_ members: ArraySlice<Int>, to geometry: inout GeometryColumn) {
    for piece in members {
      for run in pieces.runRange(piece) {
        for vertex in pieces.vertices[pieces.vertexRange(run)] {
          append(CollectionOfOne(vertex), as: .point, to: &geometry)
        }
      }
    }
  }

  // MARK: Lines

  private func appendLines(_ members: ArraySlice<Int>, to geometry: inout GeometryColumn) {
    var isUsed: Set<Int> = []
    for run in members.flatMap({ pieces.runRange($0) })
    where !lines.isRepeated[run] && !isUsed.contains(run) {
      if pieces.runs[run] == .tileLine {
        let vertices = pieces.vertices[pieces.vertexRange(run)]
        append(vertices.prefix(1), as: .tile, to: &geometry)
        append(vertices.dropFirst(), as: .line, to: &geometry)
        continue
      }
      appendLine(from: beginning(ofLineWith: run), &isUsed, to: &geometry)
    }
  }

  /// Returns the end at which the line with a run begins, in the direction of the run; of a closed
  /// line the run's own beginning.
  private func beginning(ofLineWith run: Int) -> RunEnd {
    let own = RunEnd(run: run, isStart: true)
    var start = own
    while let before = lines.partner(of: start) {
      start = before.opposite
      if start == own { break }
    }
    return start
  }

  /// Appends the runs that follow one another from an end on.
  private func appendLine(
    from start: RunEnd, _ isUsed: inout Set<Int>, to geometry: inout GeometryColumn
  ) {
    var line = ContiguousArray<WorldVertex>()
    var next: RunEnd? = start
    while let end = next, isUsed.insert(end.run).inserted {
      let run = pieces.vertices[pieces.vertexRange(end.run)]
      if end.isStart {
        for vertex in run where line.last != vertex { line.append(vertex) }
      } else {
        for vertex in run.reversed() where line.last != vertex { line.append(vertex) }
      }
      next = lines.partner(of: end.opposite)
    }
    if line.count > 1 { append(line, as: .line, to: &geometry) }
  }

  // MARK: Areas

  private func appendAreas(_ members: ArraySlice<Int>, to geometry: inout GeometryColumn) {
    var linker = RingLinker()
    var group = RingGroup()
    for piece in members {
      for run in pieces.runRange(piece) {
        let vertices = pieces.vertices[pieces.vertexRange(run)]
        switch pieces.runs[run] {
        case .outerRing: append(vertices, as: .outerRing, to: &geometry)
        case .innerRing: append(vertices, as: .innerRing, to: &geometry)
        case .looseHole: group.append(ContiguousArray(vertices))
        default:
          linker.append(
            vertices, start: moved(vertices[vertices.startIndex], of: piece),
            end: moved(vertices[vertices.endIndex - 1], of: piece))
        }
      }
      for index in edges[piece] ?? [] {
        let edge = areas.edges[index]
        let (start, end) = (moved(edge.start, of: piece), moved(edge.end, of: piece))
        if start != end { linker.append([start, end], start: start, end: end) }
      }
    }
    linker.forEachRing { group.append($0) }
    group.forEach { part, ring in append(ring, as: part, to: &geometry) }
  }

  /// Returns the new place of a vertex.
  private func moved(_ vertex: WorldVertex, of piece: Int) -> WorldVertex {
    areas.moves.isEmpty
      ? vertex : areas.moves[AreaJoiner.Place(piece: piece, vertex: vertex)] ?? vertex
  }
}
