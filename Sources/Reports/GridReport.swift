import Definition
import JSON
package import MBTiles
import Runs

extension GridSummary {
  /// The size of the grids for hit tests as a sentence, for people.
  package var sentence: String {
    "\(ReportNumber.count(tiles)) tiles answer by \(ReportNumber.count(distinct)) "
      + "\(isCompact ? "blocks of exact shapes" : "different grids") of "
      + "\(ReportNumber.bytes(bytes)) and \(ReportNumber.count(keys)) \(isCompact ? "features" : "keys") of "
      + ReportNumber.bytes(keyBytes)
  }

  /// The same as JSON, for programs.
  var json: ReportJSON {
    .members([
      "tiles": .integer(tiles), "distinct": .integer(distinct), "bytes": .integer(bytes),
      "keys": .integer(keys), "keyBytes": .integer(keyBytes),
      "format": .string((isCompact ? TapFormat.compact : .utfgrid).rawValue),
    ])
  }
}
