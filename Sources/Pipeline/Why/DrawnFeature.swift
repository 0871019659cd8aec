import Clustering
import Features
import Rendering

/// A feature of a zoom as it is explained: a record, or a cluster of points.
struct DrawnFeature: Hashable {
  /// A cluster of points.
  struct Cluster: Hashable {
    var id: UInt64
    var count: Int

    /// The first deeper zoom at which it is more than one item.
    var expansionZoom: Int
  }

  /// The index of its source.
  var source: Int

  /// `nil` for a record that stands alone.
  var cluster: Cluster?

  /// The record; of a cluster one of its members.
  var record: RecordNumber

  init(_ feature: TapFeature, of sources: [ClusteredSource], zoom: Int) {
    source = feature.source
    if feature.isShape {
      record = RecordNumber(number: feature.row, isShape: true)
      return
    }
    let clustered = sources[feature.source]
    var point = feature.row
    if let level = clustered.symbols(at: zoom).level {
      point = Int(level.firstMembers[feature.row])
      if level.isCluster(feature.row) {
        cluster = Cluster(
          id: level.ids[feature.row], count: Int(level.counts[feature.row]),
          expansionZoom: Int(level.expansionZooms[feature.row]))
      }
    }
    record = RecordNumber(number: clustered.source.points.record(of: point), isShape: false)
  }
}

extension DrawnFeature.Cluster {
  /// `cluster of 57 points, splits at zoom 7`.
  var words: String {
    "cluster of \(ReportNumber.count(count)) points, splits at zoom \(expansionZoom)"
  }

  var json: ReportJSON {
    .members([
      // A number beyond 2⁶³ has no place in JSON that everybody reads.
      "id": .string("\(id)"), "points": .integer(count), "expansionZoom": .integer(expansionZoom),
    ])
  }
}
