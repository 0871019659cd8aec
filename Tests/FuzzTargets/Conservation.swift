import Features
import Ingest

/// The law of the whole ingest: every record is used, or counted under what became of it.
enum Conservation {
  /// Reads a source to columns, ids included.
  ///
  /// - Parameters:
  ///   - records: what the same reader gave by itself.
  ///   - keepsLast: which of two records with one id counts.
  static func check(
    _ reader: inout some FeatureReader, records: ReadRecords, keepsLast: Bool
  ) throws {
    var options = IngestOptions()
    options.tolerance = RejectTolerance(.max)
    options.id = records.names.first
    options.onDuplicateID = keepsLast ? .last : .first
    let source: IngestedSource
    do throws(SourceError) {
      source = try IngestStage.read(&reader, file: "fuzz", options: options)
    } catch {
      try require(
        records.error != nil || error.code == .configuration || error.code == .badData,
        "the stage refuses what the reader reads: \(error)")
      return
    }
    let ledger = source.ledger
    try require(ledger.balances, "the ledger does not balance: \(ledger)")
    try require(
      ledger.read == records.records.count + records.ledger.read,
      "\(ledger.read) records were read, and the reader gave \(records.records.count)")
    try require(
      source.points.recordCount <= ledger.used && source.shapes.count <= ledger.used,
      "\(ledger.used) records were used, and there are more in the columns")
  }
}
