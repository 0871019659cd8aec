package import JSON
package import MBTiles
import Runs

extension TileChanges {
  /// The counts as a sentence: `12 added, 3 changed, 1 removed; 967,570 unchanged`.
  package var sentence: String { "\(differences); \(ReportNumber.count(unchanged)) unchanged" }

  /// The counts of the tiles that differ: `12 added, 3 changed, 1 removed`.
  var differences: String {
    "\(ReportNumber.count(added)) added, \(ReportNumber.count(changed)) changed, "
      + "\(ReportNumber.count(removed)) removed"
  }

  /// A table of the counts of every zoom, for people.
  package var table: String {
    var table = ReportTable([["zoom", "added", "changed", "removed", "unchanged"]], text: [])
    for zoom in zooms {
      table.rows.append(
        [zoom.zoom, zoom.added, zoom.changed, zoom.removed, zoom.unchanged]
          .map(ReportNumber.count))
    }
    table.rows.append(
      ["all"] + [added, changed, removed, unchanged].map(ReportNumber.count))
    return table.text
  }

  /// The counts as JSON, in total and by zoom.
  package var json: ReportJSON {
    .members([
      "added": .integer(added), "changed": .integer(changed), "removed": .integer(removed),
      "unchanged": .integer(unchanged),
      "zooms": .array(
        zooms.map { zoom in
          .members([
            "zoom": .integer(zoom.zoom), "added": .integer(zoom.added),
            "changed": .integer(zoom.changed), "removed": .integer(zoom.removed),
            "unchanged": .integer(zoom.unchanged),
          ])
        }),
    ])
  }
}
