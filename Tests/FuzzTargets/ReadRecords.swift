import Features
import Tiling

/// All that a reader gives until its end or error, so that two ways of reading can be compared.
struct ReadRecords: Hashable {
  /// A value as it is stored.
  struct Value: Hashable {
    var name: String
    var kind: PropertyColumn.Kind
    var bytes: [UInt8]
  }

  /// A record; missing properties are left out, since columns may appear late.
  struct Record: Hashable {
    var line: Int
    var file: String?
    var id: Value?
    var kind: GeometryColumn.Kind
    var parts: [GeometryColumn.Part]
    /// The bits of longitude and latitude in turn, part by part.
    var positions: [[UInt64]]
    var values: [Value]
  }

  var records: [Record] = []
  var names: [String] = []
  var ledger = SourceLedger()
  var error: String?

  /// Reads to the end.
  ///
  /// - Complexity: O(values).
  init(_ reader: inout some FeatureReader) {
    var batch = FeatureBatch()
    do {
      while try reader.read(into: &batch) {
        for row in 0..<batch.count { records.append(Record(batch, row)) }
      }
    } catch {
      self.error = error.description
    }
    names = reader.propertyNames
    ledger = reader.ledger
  }

  /// A source that was refused before its first record.
  init(refusal: SourceError) {
    error = refusal.description
  }

  /// Checks that another way of reading gave the same.
  ///
  /// - Parameter way: what was different about it.
  func checkEqual(_ other: ReadRecords, _ way: String) throws(FuzzFailure) {
    try require(
      other.error == error, "\(way): \(other.error ?? "no error"), not \(error ?? "none")")
    try require(other.names == names, "\(way): columns \(other.names), not \(names)")
    try require(other.ledger == ledger, "\(way): \(other.ledger), not \(ledger)")
    let place = zip(records, other.records).first { $0 != $1 }
    try require(
      other.records == records,
      "\(way): \(other.records.count) records, not \(records.count), first "
        + (place.map { "\($1), not \($0)" } ?? "equal"))
  }

  /// Checks what holds for every reader.
  func checkCounts() throws(FuzzFailure) {
    try require(ledger.balances, "the ledger does not balance: \(ledger)")
    try require(
      ledger.read == ledger.rejectedTotal + ledger.repeated + ledger.filtered,
      "a reader counts what it does not give and nothing else: \(ledger)")
    try require(!(error ?? "").contains("\n"), "an error of more than one line: \(error ?? "")")
    for record in records {
      try require(record.parts.count == record.positions.count, "parts without positions")
    }
  }
}

extension ReadRecords.Record {
  init(_ batch: FeatureBatch, _ row: Int) {
    line = batch.lines[row]
    file = batch.file(row)
    id = ReadRecords.Value(batch.ids, row)
    kind = batch.geometry.kinds[row]
    let range = batch.geometry.partRange(row)
    parts = range.map { batch.geometry.parts[$0] }
    positions = range.map { part in
      batch.geometry.positionRange(part).flatMap { index in
        let position = batch.geometry.positions[index]
        return [position.longitude.bitPattern, position.latitude.bitPattern]
      }
    }
    values = batch.columns.compactMap { ReadRecords.Value($0, row) }
  }
}

extension ReadRecords.Value {
  /// The value of a row; `nil` where it is missing.
  init?(_ column: PropertyColumn, _ row: Int) {
    guard row < column.count, column.kinds[row] != .missing else { return nil }
    self.init(
      name: column.name, kind: column.kinds[row], bytes: column.withBytes(row) { Array($0) })
  }
}
