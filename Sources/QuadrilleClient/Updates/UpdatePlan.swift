/// The files to fetch to bring an archive up to date.
public enum UpdatePlan: Hashable, Sendable {
  /// The archive is the newest one.
  case upToDate
  /// The deltas to apply, one after the other.
  case deltas([UpdateList.Delta])
  /// The whole archive.
  case whole(UpdateList.Archive)

  /// The bytes to fetch.
  public var bytes: Int {
    switch self {
    case .upToDate: 0
    case .deltas(let deltas): deltas.reduce(0) { $0 + $1.file.bytes }
    case .whole(let archive): archive.file.bytes
    }
  }

  /// Finds what takes the fewest bytes: the cheapest chain of deltas, or the whole archive where
  /// that has no more bytes. Of equally cheap chains, the one with fewer files counts, then the one
  /// whose names come first.
  ///
  /// Source: Dijkstra's algorithm; states are the nodes, deltas the edges.
  ///
  /// - Parameters:
  ///   - state: the state of the client's archive; `nil` if it has none.
  ///   - archive: the archive to get.
  ///   - deltas: those that belong to it.
  /// - Complexity: O(deltas × log(deltas)).
  public init(
    from state: ArchiveState?, to archive: UpdateList.Archive, by deltas: [UpdateList.Delta]
  ) {
    guard let state else {
      self = .whole(archive)
      return
    }
    guard state != archive.state else {
      self = .upToDate
      return
    }
    let edges = Dictionary(grouping: deltas, by: \.before)
    var settled: Set<ArchiveState> = []
    var waiting = PathHeap()
    waiting.insert(DeltaPath(end: state))
    while let path = waiting.popFirst() {
      guard path.bytes < archive.file.bytes else { break }
      guard settled.insert(path.end).inserted else { continue }
      if path.end == archive.state {
        self = .deltas(path.deltas)
        return
      }
      for delta in edges[path.end] ?? [] where !settled.contains(delta.after) {
        waiting.insert(DeltaPath(path, then: delta))
      }
    }
    self = .whole(archive)
  }
}

/// A chain of deltas from the client's state.
private final class DeltaPath {
  let end: ArchiveState
  let bytes: Int
  let count: Int
  private let last: (path: DeltaPath, delta: UpdateList.Delta)?

  init(end: ArchiveState) {
    self.end = end
    (bytes, count, last) = (0, 0, nil)
  }

  init(_ path: DeltaPath, then delta: UpdateList.Delta) {
    end = delta.after
    // A sum of sizes to 2⁵³ of at most 100,000 deltas could pass 2⁶³.
    bytes = min(path.bytes + delta.file.bytes, 1 << 54)
    count = path.count + 1
    last = (path, delta)
  }

  var deltas: [UpdateList.Delta] {
    var deltas: [UpdateList.Delta] = []
    var path = self
    while let (before, delta) = path.last {
      deltas.append(delta)
      path = before
    }
    return deltas.reversed()
  }

  static func < (left: DeltaPath, right: DeltaPath) -> Bool {
    if (left.bytes, left.count) != (right.bytes, right.count) {
      return (left.bytes, left.count) < (right.bytes, right.count)
    }
    return left.deltas.lazy.map { Array($0.file.name.utf8) }
      .lexicographicallyPrecedes(right.deltas.lazy.map { Array($0.file.name.utf8) }) {
        $0.lexicographicallyPrecedes($1)
      }
  }
}

/// Paths of which the cheapest comes first: a binary heap.
private struct PathHeap {
  private var paths: [DeltaPath] = []

  mutating func insert(_ path: DeltaPath) {
    paths.append(path)
    var index = paths.count - 1
    while index > 0, paths[index] < paths[(index - 1) / 2] {
      paths.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  mutating func popFirst() -> DeltaPath? {
    guard let first = paths.first, let last = paths.popLast() else { return nil }
    guard !paths.isEmpty else { return first }
    paths[0] = last
    var index = 0
    while 2 * index + 1 < paths.count {
      var child = 2 * index + 1
      if child + 1 < paths.count, paths[child + 1] < paths[child] { child += 1 }
      guard paths[child] < paths[index] else { break }
      paths.swapAt(index, child)
      index = child
    }
    return first
  }
}
