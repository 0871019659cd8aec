import Clustering
import Columns
import Definition
import Features
import JSON
import Reuse
import SourceStages

/// The clusters of a source at all zooms, as far as two builds compare them.
struct ClusterStates: Sendable {
  /// The clusters of a zoom by ascending identifier.
  struct Zoom: Sendable {
    let number: Int

    /// The `cluster_id` of grid clusters and areas, which is their cell; for clusters by radius a hash
    /// of the identifier of their first record.
    var ids: Column<UInt64> = []

    /// A hash of position, count and aggregates.
    var hashes: Column<UInt64> = []

    /// The row of each cluster in its level; empty in zooms of an earlier build.
    var rows: Column<UInt32> = []

    init(number: Int) { self.number = number }

    /// Calls `body` with each identifier of both zooms, ascending, and what each has of it.
    ///
    /// - Complexity: O(clusters of both).
    func compare(
      with old: Zoom, _ body: (_ id: UInt64, _ hash: UInt64?, _ row: Int?, _ old: UInt64?) -> Void
    ) {
      var (own, other) = (0, 0)
      while own < ids.count || other < old.ids.count {
        let (id, oldID) = (
          own < ids.count ? ids[own] : .max, other < old.ids.count ? old.ids[other] : .max
        )
        let isOwn = own < ids.count && id <= oldID
        let isOld = other < old.ids.count && oldID <= id
        body(
          min(id, oldID), isOwn ? hashes[own] : nil, isOwn ? Int(rows[own]) : nil,
          isOld ? old.hashes[other] : nil)
        own += isOwn ? 1 : 0
        other += isOld ? 1 : 0
      }
    }
  }

  let name: String
  private(set) var zooms: [Zoom] = []

  /// Creates the states of the zooms that have clusters.
  ///
  /// - Complexity: O(*n* log *n*) for *n* clusters.
  init(_ source: ClusteredSource) {
    name = source.source.definition.name
    guard let pyramid = source.pyramid else { return }
    let hasCells = source.source.definition.records?.cluster?.hasStableIDs == true
    let records = source.source.points.records
    for number in pyramid.zooms where number <= pyramid.clusterMaxZoom {
      guard let level = pyramid.level(number) else { continue }
      let rows = (0..<level.count).filter { level.isCluster($0) }
      let ids = rows.map { row -> UInt64 in
        if hasCells { return level.ids[row] }
        var hash = StableHash()
        hash.combine(records.identifier(Int(level.firstMembers[row])))
        return hash.high
      }
      var zoom = Zoom(number: number)
      for place in rows.indices.sorted(by: { (ids[$0], $0) < (ids[$1], $1) }) {
        zoom.ids.append(ids[place])
        zoom.hashes.append(level.contentHash(of: rows[place]))
        zoom.rows.append(UInt32(truncatingIfNeeded: rows[place]))
      }
      zooms.append(zoom)
    }
  }

  private init(name: String) { self.name = name }

  func zoom(_ number: Int) -> Zoom? { zooms.first { $0.number == number } }

  // MARK: Artifacts

  static func artifact(of states: [ClusterStates]) -> ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append([states.count] as Column)
    for state in states {
      writer.append(Column(state.name.utf8))
      writer.append(Column(state.zooms.map(\.number)))
      for zoom in state.zooms {
        writer.append(zoom.ids)
        writer.append(zoom.hashes)
      }
    }
    return writer
  }

  /// Reads the states of all sources, by name.
  static func all(
    _ reader: inout ArtifactReader
  ) throws(ArtifactDamage) -> [String: ClusterStates] {
    let damage = ArtifactDamage("clusters do not fit together")
    guard let count = try reader.column(of: Int.self).first, count >= 0 else { throw damage }
    var all: [String: ClusterStates] = [:]
    for _ in 0..<count {
      let bytes = try reader.column(of: UInt8.self)
      var state = ClusterStates(name: String(decoding: bytes, as: UTF8.self))
      for number in try reader.column(of: Int.self) {
        var zoom = Zoom(number: number)
        zoom.ids = try reader.column(of: UInt64.self)
        zoom.hashes = try reader.column(of: UInt64.self)
        guard zoom.ids.count == zoom.hashes.count else { throw damage }
        state.zooms.append(zoom)
      }
      all[state.name] = state
    }
    return all
  }
}

extension ClusterLevel {
  /// Returns a hash of what layers and taps can show of an item.
  fileprivate func contentHash(of row: Int) -> UInt64 {
    var hash = StableHash()
    hash.combine(longitudes[row])
    hash.combine(latitudes[row])
    hash.combine(UInt64(counts[row]))
    for column in aggregates.indices {
      hash.combine(JSONWriter.text(aggregate(column, of: row)))
    }
    return hash.high
  }
}
