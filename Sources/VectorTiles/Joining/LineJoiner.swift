import Features
import SpatialIndex

/// A joiner of lines along the borders of tiles.
///
/// The end of a run on a border of its tile goes on with the beginning of a run with the same key:
/// first where both are the same point, then where they are on one border, in different tiles, and
/// no farther apart than the tolerance, in the order along the border. Such ends meet halfway. Where a
/// line crosses the border at a small angle, the distance counts across the line, since rounding
/// moves such a crossing far along the border. Lines keep their direction, so beginnings are never
/// joined with beginnings.
///
/// A stretch along a border that both tiles have is kept once, by the tile behind it.
struct LineJoiner {
  /// An end of a run on a border of its tile.
  private struct End {
    let run: Int
    let isStart: Bool
  }

  /// A place on a border, for ends of one key.
  private struct Place: Hashable {
    let key: StableHash
    let vertex: WorldVertex
  }

  /// The distance, in world units, up to which ends are joined.
  let tolerance: Int

  /// The run that goes on each run; −1 where none does.
  private(set) var nexts: ContiguousArray<Int>

  /// Whether each run goes on another.
  private(set) var continues: [Bool]

  /// Whether each run repeats one of the neighbour.
  private(set) var isRepeated: [Bool]

  private let owners: ContiguousArray<Int>

  init(_ pieces: TilePieces, tolerance: Int) {
    self.tolerance = tolerance
    owners = pieces.owners()
    nexts = ContiguousArray(repeating: -1, count: owners.count)
    continues = [Bool](repeating: false, count: owners.count)
    isRepeated = [Bool](repeating: false, count: owners.count)
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
      link(run, next, &sets)
    }
    joinNear(&pieces, places, &sets)
  }

  private func isLine(_ run: TilePieces.Run) -> Bool { run == .line || run == .borderLine }

  private mutating func link(_ run: Int, _ next: Int, _ sets: inout DisjointSets) {
    nexts[run] = next
    continues[next] = true
    sets.join(owners[run], owners[next])
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
    let end: End

    static func precedes(_ one: FreeEnd, _ other: FreeEnd) -> Bool {
      if one.border != other.border { return one.border < other.border }
      if one.key != other.key {
        return (one.key.high, one.key.low) < (other.key.high, other.key.low)
      }
      return (one.place, one.end.run) < (other.place, other.end.run)
    }

    /// Whether a line may go on from one to the other.
    func meets(_ other: FreeEnd) -> Bool {
      border == other.border && key == other.key && isBefore != other.isBefore
        && end.isStart != other.end.isStart && abs(place - other.place) <= min(reach, other.reach)
    }
  }

  private mutating func joinNear(
    _ pieces: inout TilePieces, _ places: [TilePlacement], _ sets: inout DisjointSets
  ) {
    let free = freeEnds(pieces, places).sorted(by: FreeEnd.precedes)
    for index in free.indices where isFree(free[index].end) {
      let one = free[index]
      // The nearest of those that follow: those before have had their turn.
      let followers = free[(index + 1)...].prefix(Self.reach)
      let near = followers.prefix { $0.border == one.border && $0.key == one.key }
        .prefix { $0.place - one.place <= one.reach }
      guard let other = near.first(where: { isFree($0.end) && one.meets($0) }) else { continue }
      let (run, next) =
        one.end.isStart ? (other.end.run, one.end.run) : (one.end.run, other.end.run)
      let last = pieces.vertexRange(run).upperBound - 1
      let first = pieces.vertexRange(next).lowerBound
      let (a, b) = (pieces.vertices[last], pieces.vertices[first])
      let middle = WorldVertex(x: (a.x + b.x) >> 1, y: (a.y + b.y) >> 1)
      pieces.vertices[last] = middle
      pieces.vertices[first] = middle
      link(run, next, &sets)
    }
  }

  /// Maximum number of free ends near one another that are looked through.
  private static let reach = 64

  private func isFree(_ end: End) -> Bool {
    end.isStart ? !continues[end.run] : nexts[end.run] < 0
  }

  private func freeEnds(_ pieces: TilePieces, _ places: [TilePlacement]) -> [FreeEnd] {
    var free: [FreeEnd] = []
    for run in owners.indices where isLine(pieces.runs[run]) && !isRepeated[run] {
      let range = pieces.vertexRange(run)
      let piece = pieces.pieces[owners[run]]
      let place = places[piece.tile]
      for end in [End(run: run, isStart: true), End(run: run, isStart: false)] where isFree(end) {
        let index = end.isStart ? range.lowerBound : range.upperBound - 1
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
