import Features
import SpatialIndex

/// A joiner of areas along the borders of tiles.
///
/// Stretches of a border at which two tiles cut features with one key are matched: first those whose
/// ends are as good as equal, then what overlaps of the others, from one end of the border to the
/// other. Matched stretches vanish on both sides; the rest stays as edges. Each feature's boundary
/// was closed before and loses as much on one side of a border as its neighbour on the other, so the
/// boundaries of features that are joined are closed again, whatever the tiles hold.
struct AreaJoiner {
  /// A directed edge that is left of a cut.
  struct Edge {
    let piece: Int
    let start: WorldVertex
    let end: WorldVertex
  }

  /// A point of a piece.
  struct Place: Hashable {
    let piece: Int
    let vertex: WorldVertex
  }

  /// The stretches of one key on one side of a border.
  private typealias Cuts = ArraySlice<TilePieces.Cut>

  /// The distance, in world units, up to which ends count as equal.
  let tolerance: Int

  /// The edges that stay.
  private(set) var edges = ContiguousArray<Edge>()

  /// The new places of points, halfway between those of two tiles that differ.
  private(set) var moves: [Place: WorldVertex] = [:]

  init(tolerance: Int) {
    self.tolerance = tolerance
  }

  /// Maximum number of stretches with nearly the same beginning that are looked through.
  private static let reach = 256

  /// Joins the features of pieces.
  ///
  /// - Complexity: O(n log n) for n cuts.
  mutating func join(_ pieces: TilePieces, _ sets: inout DisjointSets) {
    let cuts = pieces.cuts.sorted { one, other in
      let (a, b) = (pieces.pieces[one.piece].key, pieces.pieces[other.piece].key)
      if one.border != other.border { return one.border < other.border }
      if a != b { return (a.high, a.low) < (b.high, b.low) }
      let (s, t) = (one.stretch, other.stretch)
      if s.side != t.side { return s.side.isBefore }
      return (s.from, s.to, one.piece) < (t.from, t.to, other.piece)
    }
    var start = 0
    while start < cuts.count {
      let key = pieces.pieces[cuts[start].piece].key
      var (middle, end) = (start, start)
      while end < cuts.count, cuts[end].border == cuts[start].border,
        pieces.pieces[cuts[end].piece].key == key
      {
        if cuts[end].stretch.side.isBefore { middle = end + 1 }
        end += 1
      }
      match(cuts[start..<middle], cuts[max(start, middle)..<end], &sets)
      start = end
    }
  }

  /// Matches the stretches on both sides of a border.
  private mutating func match(_ before: Cuts, _ behind: Cuts, _ sets: inout DisjointSets) {
    guard !before.isEmpty, !behind.isEmpty else {
      for cut in before + behind { leave(cut, cut.stretch.from, cut.stretch.to) }
      return
    }
    var isTaken = [Bool](repeating: false, count: behind.count)
    var left: [TilePieces.Cut] = []
    var first = behind.startIndex
    for cut in before {
      // Those that begin too early for this one do for all that follow.
      while first < behind.endIndex,
        isTaken[first - behind.startIndex]
          || behind[first].stretch.from < cut.stretch.from - tolerance
      {
        first += 1
      }
      let twin = twin(of: cut, in: behind[first...], isTaken, offset: behind.startIndex)
      guard let twin else {
        left.append(cut)
        continue
      }
      isTaken[twin - behind.startIndex] = true
      meet(cut, behind[twin])
      sets.join(cut.piece, behind[twin].piece)
    }
    let others = behind.indices.filter { !isTaken[$0 - behind.startIndex] }.map { behind[$0] }
    sweep(left, others, &sets)
  }

  /// Returns the free stretch whose ends differ least; `nil` if none is as good as equal.
  private func twin(
    of cut: TilePieces.Cut, in behind: Cuts, _ isTaken: [Bool], offset: Int
  ) -> Int? {
    var best: (index: Int, distance: Int)?
    for index in behind.prefix(Self.reach).indices where !isTaken[index - offset] {
      let stretch = behind[index].stretch
      guard stretch.from <= cut.stretch.from + tolerance else { break }
      let far = abs(stretch.to - cut.stretch.to)
      let distance = abs(stretch.from - cut.stretch.from) + far
      if far <= tolerance, distance < best?.distance ?? .max { best = (index, distance) }
    }
    return best?.index
  }

  /// Moves the ends of two stretches to the middle between them.
  private mutating func meet(_ one: TilePieces.Cut, _ other: TilePieces.Cut) {
    for (a, b) in [
      (one.stretch.from, other.stretch.from), (one.stretch.to, other.stretch.to),
    ] where a != b {
      let middle = one.stretch.point((a + b) >> 1)
      moves[Place(piece: one.piece, vertex: one.stretch.point(a))] = middle
      moves[Place(piece: other.piece, vertex: other.stretch.point(b))] = middle
    }
  }

  /// Matches what overlaps by more than the tolerance, from one end of the border to the other.
  private mutating func sweep(
    _ before: [TilePieces.Cut], _ behind: [TilePieces.Cut], _ sets: inout DisjointSets
  ) {
    var (i, j) = (0, 0)
    var from = before.first?.stretch.from ?? 0
    var otherFrom = behind.first?.stretch.from ?? 0
    func advance(_ cuts: [TilePieces.Cut], _ index: inout Int, _ from: inout Int) {
      index += 1
      if index < cuts.count { from = cuts[index].stretch.from }
    }
    while i < before.count, j < behind.count {
      let (one, other) = (before[i], behind[j])
      let start = max(from, otherFrom)
      let end = min(one.stretch.to, other.stretch.to)
      if end - start > tolerance {
        leave(one, from, start)
        leave(other, otherFrom, start)
        sets.join(one.piece, other.piece)
        (from, otherFrom) = (end, end)
      }
      if one.stretch.to <= other.stretch.to {
        leave(one, from, one.stretch.to)
        advance(before, &i, &from)
      } else {
        leave(other, otherFrom, other.stretch.to)
        advance(behind, &j, &otherFrom)
      }
    }
    while i < before.count {
      leave(before[i], from, before[i].stretch.to)
      advance(before, &i, &from)
    }
    while j < behind.count {
      leave(behind[j], otherFrom, behind[j].stretch.to)
      advance(behind, &j, &otherFrom)
    }
  }

  /// Keeps a part of a stretch as an edge.
  private mutating func leave(_ cut: TilePieces.Cut, _ from: Int, _ to: Int) {
    guard from < to else { return }
    var stretch = cut.stretch
    (stretch.from, stretch.to) = (from, to)
    edges.append(Edge(piece: cut.piece, start: stretch.start, end: stretch.end))
  }
}
