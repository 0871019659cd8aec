import Features
package import JSON
package import MBTiles
import Runs

/// The plan of a build: exact counts, estimated bytes and time.
package struct PlanSummary: Hashable, Sendable {
  /// The tiles of one zoom.
  package struct Zoom: Hashable, Sendable {
    package var zoom: Int

    /// The points represented by clusters and lone points at this zoom: all that are used.
    package var points = 0

    /// The drawn points: clusters, and points that stand alone.
    package var clusters = 0

    /// The number of rows of the archive, including empty tiles.
    package var tiles = 0

    /// The number of rows with the shared transparent tile.
    package var empty = 0

    package init(zoom: Int) {
      self.zoom = zoom
    }
  }

  /// The tileset's name.
  package var pipeline: String

  /// The archive's path.
  package var archive: String

  /// The layout, `dedup` or `flat`: the outcome of `auto`.
  package var layout: ArchiveLayout

  /// The sources in the order of the pipeline file.
  package var sources: [SourceReport] = []

  /// The zooms, ascending.
  package var zooms: [Zoom] = []

  /// The estimated size of the archive in bytes, including the data for hit tests.
  package var estimatedBytes = 0

  /// The part of that for hit tests; `nil` without any.
  package var estimatedTapBytes: Int?

  /// What the pipeline's budget decided, a sentence; `nil` without one.
  package var budgetNote: String?

  /// The estimated wall-clock seconds of the build.
  package var estimatedSeconds = 0.0

  package init(pipeline: String, archive: String, layout: ArchiveLayout) {
    self.pipeline = pipeline
    self.archive = archive
    self.layout = layout
  }

  /// The total number of rows of the archive.
  package var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
}

extension PlanSummary {
  /// The plan as text for people.
  package var summary: String {
    var records = ReportTable([["source", "read", "used", "rejected"]])
    for source in sources where source.image == nil {
      let ledger = source.ledger
      records.rows.append(
        [source.name]
          + [ledger.read, ledger.used, ledger.rejectedTotal].map(ReportNumber.count))
    }
    var table = ReportTable([["zoom", "points", "clusters", "tiles", "empty"]], text: [])
    for zoom in zooms {
      table.rows.append(
        [zoom.zoom, zoom.points, zoom.clusters, zoom.tiles, zoom.empty].map(ReportNumber.count))
    }
    let empty = zooms.reduce(0) { $0 + $1.empty }
    table.rows.append(["all", "", "", ReportNumber.count(tileCount), ReportNumber.count(empty)])
    let size = ReportNumber.bytes(estimatedBytes)
    let time = ReportNumber.seconds(estimatedSeconds)
    let taps = estimatedTapBytes.map { " (\(ReportNumber.bytes($0)) of it for taps)" } ?? ""
    let head =
      "\(pipeline): \(ReportNumber.count(tileCount)) tiles, about \(size)\(taps) and \(time)"
    let parts = [
      head, records.rows.count > 1 ? records.text : nil, sources.imageTable, table.text,
      "  archive  \(archive) (\(layout.rawValue))", budgetNote,
    ]
    return parts.compactMap(\.self).joined(separator: "\n\n")
  }

  /// The plan as JSON, with the same keys as the report.
  package var json: ReportJSON {
    var tiles: [ReportJSON.Member] = [
      .init("planned", .integer(tileCount)), .init("estimatedBytes", .integer(estimatedBytes)),
    ]
    if let estimatedTapBytes {
      tiles.append(.init("estimatedTapBytes", .integer(estimatedTapBytes)))
    }
    if let budgetNote { tiles.append(.init("budget", .string(budgetNote))) }
    return .members([
      "pipeline": .string(pipeline),
      "zooms": .array(
        zooms.map {
          .members([
            "zoom": .integer($0.zoom), "points": .integer($0.points),
            "clusters": .integer($0.clusters), "tiles": .integer($0.tiles),
            "empty": .integer($0.empty),
          ])
        }),
      "tiles": .object(tiles),
      "estimatedSeconds": .seconds(estimatedSeconds),
      "archive": .members(["path": .string(archive), "layout": .string(layout.rawValue)]),
    ])
  }
}
