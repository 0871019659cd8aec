import Clustering
import Columns
import MBTiles
import Runs
import Tiling

/// A writer of the data of the keys that grids name, in the order of the keys: one that applying a
/// delta reproduces, and that does not depend on the grids.
struct TapEntries {
  private let plan: TapPlan

  /// The features whose keys grids name, and the keys.
  private var uses: Column<Use> = []
  private var keys: [UInt8] = []

  /// The first members of the clusters, as many as may be for each; `.max` where there are fewer.
  private var members: Column<UInt32> = []

  /// A feature that grids name.
  private struct Use: BitwiseCopyable {
    /// The first bytes of the key after the ones that all keys share, for a fast comparison.
    var prefix: UInt64 = 0
    let keyStart: Int
    let keyEnd: Int
    let source: Int32
    /// The kind: ``TapEntries/point``, ``TapEntries/shape``, or the zoom of a cluster.
    let kind: Int32
    let row: Int
    /// The place of a cluster's first member in ``TapEntries/members``.
    var memberStart = 0

    var item: TapSource.Item {
      switch kind {
      case TapEntries.point: .point(row)
      case TapEntries.shape: .shape(row)
      default: .cluster(zoom: Int(kind), row: row)
      }
    }
  }

  private static let point: Int32 = -1
  private static let shape: Int32 = -2

  /// The number of entries of one job.
  private static let batchSize = 1024

  /// Collects the features whose keys grids name.
  ///
  /// - Parameter used: the hashes (``GridKey``) of the keys.
  /// - Complexity: O(n log n) over the features, and O(points) for each zoom with clusters.
  init(_ plan: TapPlan, used: Set<UInt64>) throws {
    self.plan = plan
    for index in plan.sources.indices {
      let source = plan.sources[index]
      let counts = source.rowCounts
      for row in 0..<counts.points where source.firstRow(ofPoint: row) == row {
        append(.point(row), (Self.point, row), of: index, nil, used)
      }
      for row in 0..<counts.shapes where source.firstRow(ofShape: row) == row {
        append(.shape(row), (Self.shape, row), of: index, nil, used)
      }
      for zoom in 0...TileCoord.maxZoom {
        guard let level = source.level(zoom) else { continue }
        appendClusters(of: index, level, used)
      }
    }
    sort()
    guard uses.count >= used.count else {
      throw PipelineError(.badData, "grids name features that the sources do not have.")
    }
  }

  /// Appends the clusters of a zoom that grids name, with their members.
  private mutating func appendClusters(
    of index: Int, _ level: TapSource.Level, _ used: Set<UInt64>
  ) {
    let first = uses.count
    let zoom = level.clusters.zoom
    for row in 0..<level.clusters.count where level.clusters.isCluster(row) {
      let item = TapSource.Item.cluster(zoom: zoom, row: row)
      append(item, (Int32(truncatingIfNeeded: zoom), row), of: index, level, used)
    }
    guard uses.count > first else { return }
    let known = plan.sources[index].members(level)
    for use in first..<uses.count {
      uses[use].memberStart = members.count
      let rows = known.members(of: uses[use].row)
      for row in rows { members.append(UInt32(truncatingIfNeeded: row)) }
      members.append(repeating: .max, count: ClusterMembers.limit - rows.count)
    }
  }

  private mutating func append(
    _ item: TapSource.Item, _ place: (kind: Int32, row: Int), of source: Int,
    _ level: TapSource.Level?,
    _ used: Set<UInt64>
  ) {
    let start = keys.count
    plan.sources[source].appendKey(of: item, level, to: &keys)
    guard used.contains(GridKey.hash(keys[start...])) else {
      keys.removeLast(keys.count - start)
      return
    }
    uses.append(
      Use(
        keyStart: start, keyEnd: keys.count, source: Int32(truncatingIfNeeded: source),
        kind: place.kind, row: place.row))
  }

  // MARK: Order

  /// Sorts the uses by their keys, each key once: a feature of vector tiles has the entry of its last
  /// source, since the tiles of deeper zooms have more of its properties.
  private mutating func sort() {
    let shared = sharedBytes
    var sorted = Array(uses)
    keys.withUnsafeBytes { keys in
      for index in sorted.indices {
        sorted[index].prefix = Self.prefix(
          keys, sorted[index].keyStart + shared..<sorted[index].keyEnd)
      }
      func precedes(_ one: Use, _ other: Use) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        let order = Self.compare(
          UnsafeRawBufferPointer(rebasing: keys[one.keyStart..<one.keyEnd]),
          UnsafeRawBufferPointer(rebasing: keys[other.keyStart..<other.keyEnd]))
        if order != 0 { return order < 0 }
        return (one.source, one.row) < (other.source, other.row)
      }
      sorted.sort(by: precedes)
    }
    uses = []
    for use in sorted {
      if let last = uses.last, isSame(last, use) {
        if plan.sources[Int(use.source)].sharesKeys { uses[uses.count - 1] = use }
      } else {
        uses.append(use)
      }
    }
  }

  private func isSame(_ one: Use, _ other: Use) -> Bool {
    one.prefix == other.prefix
      && keys[one.keyStart..<one.keyEnd].elementsEqual(keys[other.keyStart..<other.keyEnd])
  }

  /// The number of bytes with which all keys begin.
  private var sharedBytes: Int {
    guard let first = uses.first else { return 0 }
    var shared = first.keyEnd - first.keyStart
    for use in uses {
      shared = min(shared, use.keyEnd - use.keyStart)
      while keys[use.keyStart..<use.keyStart + shared]
        != keys[first.keyStart..<first.keyStart + shared]
      {
        shared -= 1
      }
    }
    return shared
  }

  private static func prefix(_ keys: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64 {
    var prefix: UInt64 = 0
    for place in range.lowerBound..<range.lowerBound + 8 {
      prefix = prefix << 8 | (place < range.upperBound ? UInt64(keys[place]) : 0)
    }
    return prefix
  }

  /// Returns a negative number if bytes precede others, a positive one if they follow, otherwise 0.
  private static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int
  {
    for (byte, next) in zip(one, other) where byte != next { return byte < next ? -1 : 1 }
    return one.count - other.count
  }

  // MARK: Entries

  /// Entries one after the other, with their keys.
  private struct Batch: Sendable {
    var keys: [[UInt8]] = []
    var entries: [[UInt8]] = []
  }

  /// Writes all entries.
  func write(to sink: any GridEntrySink, threads: Int, _ cancellation: Cancellation) throws {
    var start = 0
    try OrderedWork<Range<Int>, Batch>(threads: threads, limit: threads * 4).run(
      worker: { [self] in
        let levels = plan.sources.map(\.levels)
        return { range in batch(range, levels) }
      },
      next: {
        guard start < uses.count else { return nil }
        let end = min(start + Self.batchSize, uses.count)
        defer { start = end }
        return start..<end
      },
      consume: { batch in
        try cancellation.check()
        for (key, entry) in zip(batch.keys, batch.entries) {
          try sink.addEntry(key: key, json: entry)
        }
      })
  }

  private func batch(_ range: Range<Int>, _ levels: [[TapSource.Level?]]) -> Batch {
    var batch = Batch()
    for index in range {
      let use = uses[index]
      let source = Int(use.source)
      var entry: [UInt8] = []
      entry.reserveCapacity(256)
      plan.sources[source].appendEntry(
        of: use.item, use.kind < 0 ? nil : levels[source][Int(use.kind)], members(of: use),
        to: &entry)
      batch.entries.append(entry)
      batch.keys.append(Array(keys[use.keyStart..<use.keyEnd]))
    }
    return batch
  }

  private func members(of use: Use) -> [Int] {
    guard use.kind >= 0 else { return [] }
    return members[use.memberStart..<use.memberStart + ClusterMembers.limit]
      .filter { $0 != .max }.map { Int($0) }
  }
}
