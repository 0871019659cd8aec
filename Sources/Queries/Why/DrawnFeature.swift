import Baking
import Clustering
import Features
import JSON
import OrderedCollections
import Runs
import Scenes
import SourceStages

/// A drawn feature of a zoom in an explanation: a record, or a cluster of points.
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

  /// The cluster; `nil` for a record that stands alone.
  var cluster: Cluster?

  /// The record; for a cluster the first ones in the order of the file, or a single one where
  /// points are joined by radius, see ``ClusterMembers``.
  var records: [RecordNumber]

  /// - Parameter members: the members of the clusters of the feature's source at the zoom.
  init(
    _ feature: TapFeature, of sources: [ClusteredSource], zoom: Int, members: ClusterMembers?
  ) {
    source = feature.source
    let clustered = sources[feature.source]
    if feature.isShape {
      let record = clustered.source.shapes.record(of: feature.row)
      records = [RecordNumber(number: record, isShape: true)]
      return
    }
    var points = [feature.row]
    if let level = clustered.symbols(at: zoom).level {
      points = [Int(level.firstMembers[feature.row])]
      if level.isCluster(feature.row) {
        cluster = Cluster(
          id: level.ids[feature.row], count: Int(level.counts[feature.row]),
          expansionZoom: Int(level.expansionZooms[feature.row]))
        points = members?.members(of: feature.row) ?? points
      }
    }
    // Several points of a cluster may belong to one record.
    records = OrderedSet(points.map { clustered.source.points.record(of: $0) })
      .map { RecordNumber(number: $0, isShape: false) }
  }
}

extension DrawnFeature.Cluster {
  /// A description, such as `cluster of 57 points, splits at zoom 7`.
  var words: String {
    "cluster of \(ReportNumber.count(count)) points, splits at zoom \(expansionZoom)"
  }

  var json: ReportJSON {
    .members([
      // Not every JSON reader accepts a number beyond 2⁶³.
      "id": .string("\(id)"), "points": .integer(count), "expansionZoom": .integer(expansionZoom),
    ])
  }
}
