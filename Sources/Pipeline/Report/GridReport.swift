import JSON
import MBTiles

extension GridSummary {
  /// What taps cost, for people.
  var sentence: String {
    "\(ReportNumber.count(tiles)) tiles answer by \(ReportNumber.count(distinct)) "
      + "\(isCompact ? "blocks of exact shapes" : "different grids") of "
      + "\(ReportNumber.bytes(bytes)) and \(ReportNumber.count(keys)) \(isCompact ? "features" : "keys") of "
      + ReportNumber.bytes(keyBytes)
  }

  /// The same for programs.
  var json: ReportJSON {
    .members([
      "tiles": .integer(tiles), "distinct": .integer(distinct), "bytes": .integer(bytes),
      "keys": .integer(keys), "keyBytes": .integer(keyBytes),
      "format": .string((isCompact ? TapFormat.compact : .utfgrid).rawValue),
    ])
  }
}
