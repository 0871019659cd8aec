import Features
import Ingest
import Tiling

/// The records that a reader hands out, by the names of their properties and not by their places.
struct RecordDump: Equatable {
  /// `[#ID] KIND PART(X Y, …)… NAME=VALUE…`, names sorted; values as text, null ones left out.
  var records: [String] = []
  /// `FILE:LINE` of each record, the file only where it is not the reader's own.
  var places: [String] = []
  var ledger = SourceLedger()

  init(_ reader: some FeatureReader) throws {
    var reader = reader
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      for row in 0..<batch.count {
        records.append(Self.line(batch, row))
        places.append((batch.file(row).map { "\($0):" } ?? "") + "\(batch.lines[row])")
      }
      precondition(
        Array(reader.propertyNames.prefix(batch.columns.count)) == batch.columns.map(\.name))
    }
    ledger = reader.ledger
  }

  static func == (left: RecordDump, right: RecordDump) -> Bool { left.records == right.records }

  private static func line(_ batch: FeatureBatch, _ row: Int) -> String {
    var parts: [String] = []
    if let id = batch.ids.text(row) { parts.append("#\(id)") }
    parts.append("\(batch.geometry.kinds[row])")
    for part in batch.geometry.partRange(row) {
      let positions = batch.geometry.positionRange(part).map {
        let position = batch.geometry.positions[$0]
        return "\(position.longitude) \(position.latitude)"
      }
      parts.append("\(batch.geometry.parts[part])(\(positions.joined(separator: ", ")))")
    }
    let values = batch.columns.compactMap { column in
      column.text(row).map { "\(column.name)=\($0)" }
    }
    return (parts + values.sorted()).joined(separator: " ")
  }
}
