import Clustering
import Features
import MBTiles
import Rendering

/// Remembers which features grids name, and writes what their keys stand for.
final class TapEntries {
  private let plan: TapPlan

  /// What is used of a source.
  private struct Used {
    var points: ContiguousArray<Bool>
    var shapes: ContiguousArray<Bool>
    /// Rows of clusters by zoom.
    var clusters: [Int: ContiguousArray<Bool>] = [:]
  }

  private var used: [Used]

  /// Rows of one job.
  private static let batchSize = 1024

  init(_ plan: TapPlan) {
    self.plan = plan
    used = plan.sources.map { source in
      let counts = source.rowCounts
      return Used(
        points: ContiguousArray(repeating: false, count: counts.points),
        shapes: ContiguousArray(repeating: false, count: counts.shapes))
    }
  }

  /// Takes note of the features of a batch's grids.
  func note(_ grids: PaintedGrids, zoom: Int) {
    let levels = plan.sources.map { $0.level(zoom) }
    for features in grids.features {
      for feature in features {
        let level = levels[feature.source]
        switch plan.sources[feature.source].item(feature, level) {
        case .point(let row): used[feature.source].points[row] = true
        case .shape(let row): used[feature.source].shapes[row] = true
        case .cluster(_, let row):
          used[feature.source].clusters[
            zoom, default: ContiguousArray(repeating: false, count: level?.count ?? 0)][row] = true
        }
      }
    }
  }

  /// Some rows of a source whose entries are to be written.
  private struct Job: Sendable {
    let source: Int
    var items: [TapSource.Item]
    var level: ClusterLevel?
    var members: ClusterMembers?

    /// The first members of a cluster.
    func firstMembers(of item: TapSource.Item) -> [Int] {
      guard case .cluster(_, let row) = item else { return [] }
      return members?.members(of: row) ?? []
    }
  }

  /// Writes all entries: source by source its points, its shapes, then clusters by zoom.
  ///
  /// - Complexity: O(features that are used), and O(points) for each zoom with clusters.
  func write(to writer: ArchiveWriter, threads: Int, _ cancellation: Cancellation) throws {
    var jobs = jobs[...]
    var seen: Set<ContentHash> = []
    try OrderedWork<Job, [(key: [UInt8], json: [UInt8])]>(threads: threads, limit: threads * 4).run(
      worker: { [plan] in
        { job in
          let source = plan.sources[job.source]
          return job.items.map { item in
            let key = source.key(of: item, job.level)
            return (key, source.entry(of: item, key: key, job.level, job.firstMembers(of: item)))
          }
        }
      },
      next: { [plan] in
        guard var job = jobs.popFirst() else { return nil }
        // Made when they are needed: the members of all zooms at once would be much.
        if let level = job.level, job.members == nil {
          let members = plan.sources[job.source].members(level)
          job.members = members
          for index in jobs.indices {
            guard jobs[index].level?.zoom == level.zoom, jobs[index].source == job.source else {
              break
            }
            jobs[index].members = members
          }
        }
        return job
      },
      consume: { entries in
        try cancellation.check()
        for entry in entries {
          // The rows of one record share a key, and the first row's entry.
          let hash = entry.key.withUnsafeBytes { ContentHash($0) }
          if seen.insert(hash).inserted { try writer.addEntry(key: entry.key, json: entry.json) }
        }
      })
  }

  private var jobs: [Job] {
    var jobs: [Job] = []
    func add(
      _ source: Int, _ rows: ContiguousArray<Bool>, _ level: ClusterLevel?,
      _ item: (Int) -> TapSource.Item
    ) {
      var job = Job(source: source, items: [], level: level)
      for row in rows.indices where rows[row] {
        job.items.append(item(row))
        guard job.items.count == Self.batchSize else { continue }
        jobs.append(job)
        job.items = []
      }
      if !job.items.isEmpty { jobs.append(job) }
    }
    for (index, source) in plan.sources.enumerated() {
      add(index, used[index].points, nil) { .point($0) }
      add(index, used[index].shapes, nil) { .shape($0) }
      for (zoom, rows) in used[index].clusters.sorted(by: { $0.key < $1.key }) {
        add(index, rows, source.level(zoom)) { .cluster(zoom: zoom, row: $0) }
      }
    }
    return jobs
  }
}
