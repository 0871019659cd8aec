import MBTiles

extension GridSummary {
  /// What taps cost, for people.
  var sentence: String {
    "\(ReportNumber.count(tiles)) tiles answer by \(ReportNumber.count(distinct)) different grids of "
      + "\(ReportNumber.bytes(bytes)) and \(ReportNumber.count(keys)) keys of "
      + ReportNumber.bytes(keyBytes)
  }

  /// The same for programs.
  var json: ReportJSON {
    .members([
      "tiles": .integer(tiles), "distinct": .integer(distinct), "bytes": .integer(bytes),
      "keys": .integer(keys), "keyBytes": .integer(keyBytes),
    ])
  }
}
