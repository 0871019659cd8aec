import Features
import Ingest

// CSV files of edits: a header line, then one entry per record.
extension EditLogBuilder {
  /// Adds all entries of a CSV file.
  mutating func readCSV(_ source: ByteSource) throws(SourceError) {
    try open(source.name)
    let keyName = options.key ?? EditLogOptions.identifierColumn
    var reader = try CSVReader(source, options: csvOptions(keyName: keyName))
    let names = reader.propertyNames
    // A log that was just restarted is still empty.
    if reader.schema.names.isEmpty { return }
    guard let keyColumn = names.firstIndex(of: keyName) else {
      throw reader.missing(keyName, ", which would say which record an entry is about")
    }
    let operation = names.firstIndex(of: options.operation)
    let time = names.firstIndex(of: options.time)
    if operation != nil { noteOwnColumn(options.operation) }
    if time != nil { noteOwnColumn(options.time) }
    let own = [operation, time, options.key == nil ? keyColumn : nil].compactMap { $0 }
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      for row in 0..<batch.count {
        let claim = Claim(
          operation: operation.flatMap { batch.columns[$0].text(row) },
          time: time.flatMap { batch.columns[$0].text(row) })
        if (claim.operation ?? "upsert") == EditOperation.upsert.rawValue {
          try requireWholeRecords(reader.schema, file: source.name, line: batch.lines[row])
        }
        try take(
          batch, row, claim: claim, keyColumn: keyColumn, own: own, isSparse: true)
      }
    }
    add(reader.ledger)
  }

  /// Throws if an entry that replaces a record would lose values for which its file has no column.
  private func requireWholeRecords(
    _ schema: CSVSchema, file: String, line: Int
  ) throws(SourceError) {
    let lost = options.sourceColumns.first { !schema.names.contains($0) }
    let problem: String
    if options.hasGeometry, schema.coordinates == nil, schema.geometry == nil {
      problem = "the log has no columns of coordinates"
    } else if let lost {
      problem = "the log has no column '\(lost)', which the source has"
    } else {
      return
    }
    throw SourceError(
      code: .configuration, file: file, line: line,
      message: "an upsert replaces the whole record, but \(problem). Add what is missing, or write "
        + "'update' as the operation ('\(options.operation)') to change only what the log has.")
  }

  /// Returns the source's options for a file that has additional columns and may lack others.
  private func csvOptions(keyName: String) -> CSVOptions {
    var csv = options.csv
    csv.columns = nil
    csv.gap = nil
    csv.skip = 0
    csv.header = true
    csv.allowsMissingColumns = true
    csv.allowsEmpty = true
    csv.hasGeometry = options.hasGeometry
    let needed = [keyName, options.operation, options.time]
    csv.tested += needed
    csv.wanted = csv.wanted.map { $0 + needed }
    return csv
  }
}
