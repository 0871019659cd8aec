import Clustering
import Features
import MBTiles
import Runs
import Scenes

/// A record of the features that grids reference, which writes the entries of their keys in the
/// order in which the archive's grids first reference them: an order that applying a delta
/// reproduces.
final class TapEntries {
  private let plan: TapPlan

  /// A feature that grids reference.
  private struct Use: Sendable {
    let source: Int32
    /// The kind: ``TapEntries/point``, ``TapEntries/shape``, or the zoom of a cluster.
    let kind: Int32
    let row: Int

    var item: TapSource.Item {
      switch kind {
      case TapEntries.point: .point(row)
      case TapEntries.shape: .shape(row)
      default: .cluster(zoom: Int(kind), row: row)
      }
    }

    /// Returns the first members of a cluster.
    func firstMembers(_ members: ClusterMembers?) -> [Int] {
      guard case .cluster(_, let row) = item else { return [] }
      return members?.members(of: row) ?? []
    }
  }

  private static let point: Int32 = -1
  private static let shape: Int32 = -2

  /// The features of a source that are used.
  private struct Seen {
    var points: Column<Bool>
    var shapes: Column<Bool>

    /// The used rows of the zoom's clusters.
    var clusters: Column<Bool> = []
  }

  private var seen: [Seen]

  /// The uses in the order of first use: zooms of clusters ascend.
  private var uses: Column<Use> = []

  /// The zoom of the clusters in ``seen``.
  private var zoom = -1

  /// The number of uses of one job.
  private static let batchSize = 1024

  init(_ plan: TapPlan) {
    self.plan = plan
    seen = plan.sources.map { source in
      let counts = source.rowCounts
      return Seen(
        points: Column(repeating: false, count: counts.points),
        shapes: Column(repeating: false, count: counts.shapes))
    }
  }

  /// Records the features of a batch's grids; zooms ascend.
  func note(_ grids: PaintedGrids, zoom: Int) {
    let levels = plan.sources.map { $0.level(zoom) }
    if zoom != self.zoom {
      self.zoom = zoom
      for (index, level) in levels.enumerated() {
        seen[index].clusters = Column(repeating: false, count: level?.count ?? 0)
      }
    }
    for feature in grids.features.joined() {
      let source = feature.source
      let kind: Int32
      let row: Int
      let isNew: Bool
      switch plan.sources[source].item(feature, levels[source]) {
      case .point(let number):
        kind = Self.point
        row = number
        isNew = Self.mark(row, in: &seen[source].points)
      case .shape(let number):
        kind = Self.shape
        row = number
        isNew = Self.mark(row, in: &seen[source].shapes)
      case .cluster(let zoom, let number):
        kind = Int32(truncatingIfNeeded: zoom)
        row = number
        isNew = Self.mark(row, in: &seen[source].clusters)
      }
      if isNew {
        uses.append(Use(source: Int32(truncatingIfNeeded: source), kind: kind, row: row))
      }
    }
  }

  /// Marks a row; `false` if it was marked already.
  private static func mark(_ row: Int, in rows: inout Column<Bool>) -> Bool {
    guard !rows[row] else { return false }
    rows[row] = true
    return true
  }

  /// Uses whose entries are to be written, with the levels and members of their clusters' zoom by
  /// source.
  private struct Job: Sendable {
    let uses: ArraySlice<Use>
    var levels: [ClusterLevel?]
    var members: [ClusterMembers?]
  }

  /// Writes all entries.
  ///
  /// - Complexity: O(used features), and O(points) for each zoom with clusters.
  func write(to writer: ArchiveWriter, threads: Int, _ cancellation: Cancellation) throws {
    var jobs = TapJobs(plan, lastUses)
    var seen: Set<ContentHash> = []
    try OrderedWork<Job, [(key: [UInt8], json: [UInt8])]>(threads: threads, limit: threads * 4).run(
      worker: { [plan] in
        { job in
          job.uses.map { use in
            let number = Int(use.source)
            let (source, level) = (plan.sources[number], job.levels[number])
            let key = source.key(of: use.item, level)
            let entry = source.entry(
              of: use.item, level, use.firstMembers(job.members[number]))
            return (key, entry)
          }
        }
      },
      next: { jobs.next() },
      consume: { entries in
        try cancellation.check()
        for entry in entries {
          // The rows of one record share a key, and the entry of the row that is used first.
          let hash = entry.key.withUnsafeBytes { ContentHash($0) }
          if seen.insert(hash).inserted { try writer.addEntry(key: entry.key, json: entry.json) }
        }
      })
  }

  /// The uses, each key of vector tiles once: where it is used first, as the feature that is used
  /// last, since the tiles of deeper zooms know more of it.
  private var lastUses: [Use] {
    var uses = Array(uses)
    guard plan.sources.contains(where: \.sharesKeys) else { return uses }
    var places: [ContentHash: Int] = [:]
    var isRepeated = [Bool](repeating: false, count: uses.count)
    for (index, use) in uses.enumerated() where plan.sources[Int(use.source)].sharesKeys {
      let key = plan.sources[Int(use.source)].key(of: use.item, nil)
      let hash = key.withUnsafeBytes { ContentHash($0) }
      if let first = places[hash] {
        uses[first] = use
        isRepeated[index] = true
      } else {
        places[hash] = index
      }
    }
    return zip(uses, isRepeated).filter { !$0.1 }.map(\.0)
  }

  /// A division of the uses into jobs, each with clusters of one zoom at most.
  private struct TapJobs {
    private let plan: TapPlan
    private let uses: [Use]
    private var start = 0
    private var zoom: Int32 = -1
    private var levels: [ClusterLevel?]
    private var members: [ClusterMembers?]

    init(_ plan: TapPlan, _ uses: [Use]) {
      self.plan = plan
      self.uses = uses
      levels = plan.sources.map { _ in nil }
      members = levels.map { _ in nil }
    }

    /// Returns the next job; `nil` at the end.
    mutating func next() -> Job? {
      guard start < uses.count else { return nil }
      var end = start
      var clusters: Int32 = -1
      while end < min(uses.count, start + TapEntries.batchSize) {
        let kind = uses[end].kind
        if kind >= 0, clusters >= 0, kind != clusters { break }
        clusters = max(clusters, kind)
        end += 1
      }
      if clusters >= 0 { prepare(clusters, start..<end) }
      defer { start = end }
      return Job(uses: uses[start..<end], levels: levels, members: members)
    }

    /// Prepares the members for the clusters of some uses: those of all zooms at once would take
    /// much memory.
    private mutating func prepare(_ zoom: Int32, _ range: Range<Int>) {
      if zoom != self.zoom {
        self.zoom = zoom
        levels = plan.sources.map { $0.level(Int(zoom)) }
        members = levels.map { _ in nil }
      }
      for use in uses[range] where use.kind >= 0 {
        let source = Int(use.source)
        guard members[source] == nil, let level = levels[source] else { continue }
        members[source] = plan.sources[source].members(level)
      }
    }
  }
}
