import Features
import SpatialIndex

/// An end of a run of vertices.
struct RunEnd: BitwiseCopyable, Hashable {
  /// Twice the run's number, and one more for its last vertex.
  let rawValue: Int

  init(run: Int, isStart: Bool) {
    rawValue = 2 * run + (isStart ? 0 : 1)
  }

  init(rawValue: Int) {
    self.rawValue = rawValue
  }

  var run: Int { rawValue >> 1 }
  var isStart: Bool { rawValue & 1 == 0 }

  /// The other end of the run.
  var opposite: RunEnd { RunEnd(rawValue: rawValue ^ 1) }
}

/// A joiner of lines along the borders of tiles.
///
/// The end of a run on a border of its tile goes on with the beginning of a run with the same key:
/// first where both are the same point, then where they are on one border, in different tiles, and
/// no farther apart than the tolerance, in the order along the border. Such ends meet halfway. Where a
/// line crosses the border at a small angle, the distance counts across the line, since rounding
/// moves such a crossing far along the border. Last, two beginnings or two ends are joined likewise:
/// programs that merge the lines of a tile give them any direction.
///
/// A stretch along a border that both tiles have is kept once, by the tile behind it.
struct LineJoiner {
  /// A place on a border, for ends of one key.
  private struct Place: Hashable {
    let key: StableHash
    let vertex: WorldVertex
  }

  /// The distance, in world units, up to which ends are joined.
  let tolerance: Int

  /// The end that each end goes on with, by ``RunEnd/rawValue``; −1 where none does.
  private var partners: ContiguousArray<Int>

  /// Whether each run repeats one of the neighbour.
  private(set) var isRepeated: [Bool]

  private let owners: ContiguousArray<Int>

  init(_ pieces: TilePieces, tolerance: Int) {
    self.tolerance = tolerance
    owners = pieces.owners()
    partners = ContiguousArray(repeating: -1, count: 2 * owners.count)
    isRepeated = [Bool](repeating: false, count: owners.count)
  }

  /// Returns the end that an end goes on with, if one does.
  func partner(of end: RunEnd) -> RunEnd? {
    let partner = partners[end.rawValue]
    return partner < 0 ? nil : RunEnd(rawValue: partner)
  }

  /// Joins runs, and the features that have them.
  ///
  /// - Parameter places: the place of each tile.
  /// - Complexity: O(n log n) for n runs.
  mutating func join(
    _ pieces: inout TilePieces, places: [TilePlacement], _ sets: inout DisjointSets
  ) {
    dropRepeated(pieces, places)
    var starts: [Place: [Int]] = [:]
    var ends: [(place: Place, run: Int)] = []
    for run in owners.indices where isLine(pieces.runs[run]) && !isRepeated[run] {
      let range = pieces.vertexRange(run)
      let piece = pieces.pieces[owners[run]]
      let box = places[piece.tile].box
      let (start, end) = (pieces.vertices[range.lowerBound], pieces.vertices[range.upperBound - 1])
      if !box.sides(of: start).isEmpty {
        starts[Place(key: piece.key, vertex: start), default: []].append(run)
      }
      if !box.sides(of: end).isEmpty { ends.append((Place(key: piece.key, vertex: end), run)) }
    }
    for (place, run) in ends {
      let index = starts[place]?.prefix(Self.reach).firstIndex { $0 != run }
      guard let index, let next = starts[place]?.remove(at: index) else { continue }
      link(RunEnd(run: run, isStart: false), RunEnd(run: next, isStart: true), &sets)
    }
    joinNear(&pieces, places, turns: false, &sets)
    joinNear(&pieces, places, turns: true, &sets)
  }

  private func isLine(_ run: TilePieces.Run) -> Bool { run == .line || run == .borderLine }

  private mutating func link(_ one: RunEnd, _ other: RunEnd, _ sets: inout DisjointSets) {
    partners[one.rawValue] = other.rawValue
    partners[other.rawValue] = one.rawValue
    sets.join(owners[one.run], owners[other.run])
  }

  /// Drops the stretches along east and south sides that the neighbour has, too.
  private mutating func dropRepeated(_ pieces: TilePieces, _ places: [TilePlacement]) {
    struct Stretch: Hashable {
      let key: StableHash
      let start: WorldVertex
      let end: WorldVertex
    }
    var kept: Set<Stretch> = []
    var others: [(stretch: Stretch, run: Int)] = []
    for run in owners.indices where pieces.runs[run] == .borderLine {
      let range = pieces.vertexRange(run)
      let (start, end) = (pieces.vertices[range.lowerBound], pieces.vertices[range.upperBound - 1])
      let piece = pieces.pieces[owners[run]]
      let stretch = Stretch(key: piece.key, start: start, end: end)
      if places[piece.tile].box.side(start, end)?.isBefore == true {
        others.append((stretch, run))
      } else {
        kept.insert(stretch)
      }
    }
    for (stretch, run) in others where kept.contains(stretch) { isRepeated[run] = true }
  }

  // MARK: Ends that differ

  /// An end that is still free, by its border, key and place along the border.
  private struct FreeEnd {
    let border: TileBorder
    let key: StableHash
    let place: Int
    /// The distance along the border up to which it is joined.
    let reach: Int
    let isBefore: Bool
    let end: RunEnd

    static func precedes(_ one: FreeEnd, _ other: FreeEnd) -> Bool {
      if one.border != other.border { return one.border < other.border }
      if one.key != other.key {
        return (one.key.high, one.key.low) < (other.key.high, other.key.low)
      }
      return (one.place, one.end.rawValue) < (other.place, other.end.rawValue)
    }

    /// Whether a line may go on from one to the other.
    ///
    /// - Parameter turns: whether one of the lines is to be turned for it.
    func meets(_ other: FreeEnd, turns: Bool) -> Bool {
      border == other.border && key == other.key && isBefore != other.isBefore
        && (end.isStart == other.end.isStart) == turns && end.run != other.end.run
        && abs(place - other.place) <= min(reach, other.reach)
    }
  }

  private mutating func joinNear(
    _ pieces: inout TilePieces, _ places: [TilePlacement], turns: Bool,
    _ sets: inout DisjointSets
  ) {
    let free = freeEnds(pieces, places).sorted(by: FreeEnd.precedes)
    for index in free.indices where isFree(free[index].end) {
      let one = free[index]
      // The nearest of those that follow: those before have had their turn.
      let followers = free[(index + 1)...].prefix(Self.reach)
      let near = followers.prefix { $0.border == one.border && $0.key == one.key }
        .prefix { $0.place - one.place <= one.reach }
      guard let other = near.first(where: { isFree($0.end) && one.meets($0, turns: turns) }) else {
        continue
      }
      let (first, last) = (pieces.vertexIndex(one.end), pieces.vertexIndex(other.end))
      let (a, b) = (pieces.vertices[first], pieces.vertices[last])
      let middle = WorldVertex(x: (a.x + b.x) >> 1, y: (a.y + b.y) >> 1)
      pieces.vertices[first] = middle
      pieces.vertices[last] = middle
      link(one.end, other.end, &sets)
    }
  }

  /// Maximum number of free ends near one another that are looked through.
  private static let reach = 64

  private func isFree(_ end: RunEnd) -> Bool { partners[end.rawValue] < 0 }

  private func freeEnds(_ pieces: TilePieces, _ places: [TilePlacement]) -> [FreeEnd] {
    var free: [FreeEnd] = []
    for run in owners.indices where isLine(pieces.runs[run]) && !isRepeated[run] {
      let piece = pieces.pieces[owners[run]]
      let place = places[piece.tile]
      for end in [RunEnd(run: run, isStart: true), RunEnd(run: run, isStart: false)]
      where isFree(end) {
        let index = pieces.vertexIndex(end)
        let vertex = pieces.vertices[index]
        let inner = pieces.vertices[end.isStart ? index + 1 : index - 1]
        for side in place.box.sides(of: vertex) {
          free.append(
            FreeEnd(
              border: TileBorder(place.tile, side), key: piece.key,
              place: side.isVertical ? vertex.y : vertex.x, reach: reach(vertex, inner, side),
              isBefore: side.isBefore, end: end))
        }
      }
    }
    return free
  }

  /// Returns the tolerance across a line as a distance along the side that it crosses: at most the
  /// sixteenfold.
  private func reach(_ end: WorldVertex, _ inner: WorldVertex, _ side: TileSide) -> Int {
    let (dx, dy) = (Double(end.x - inner.x), Double(end.y - inner.y))
    let across = abs(side.isVertical ? dx : dy)
    let stretch = min((dx * dx + dy * dy).squareRoot() / max(across, 1), 16)
    return Int(Double(tolerance) * stretch)
  }
}

extension TilePieces {
  /// Returns the place in ``vertices`` of an end of a run.
  fileprivate func vertexIndex(_ end: RunEnd) -> Int {
    let range = vertexRange(end.run)
    return end.isStart ? range.lowerBound : range.upperBound - 1
  }
}
