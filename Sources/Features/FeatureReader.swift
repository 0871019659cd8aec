/// A reader of one file or stream of records.
package protocol FeatureReader {
  /// The names of the properties that batches carry, in order. For formats with an open schema
  /// (GeoJSON) this grows while reading; columns never change their place.
  var propertyNames: [String] { get }

  /// What became of the records that never reach a batch (broken ones); grows while reading.
  /// `read` counts only those rejected here.
  var ledger: SourceLedger { get }

  /// Bytes of the file consumed so far, for progress.
  var bytesRead: Int { get }

  /// Bytes of the whole file, `nil` for streams and where nobody knows.
  var byteCount: Int? { get }

  /// Properties that spell the geometry and are none of the record's own: the columns of
  /// coordinates, in formats that have such.
  var geometryColumns: [String] { get }

  /// The properties that every record has once somebody reads them: the columns of formats that know
  /// these before the first record, without those that the source does not select.
  var columnNames: [String] { get }

  /// The table or layer of the file that is read, as feature keys have it; empty for formats with
  /// only one.
  var layer: String { get }

  /// Clears the batch and fills it with the next records, some thousand at most.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` when the file cannot be read on.
  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool
}

extension FeatureReader {
  package var byteCount: Int? { nil }
  package var geometryColumns: [String] { [] }
  package var columnNames: [String] { [] }
  package var layer: String { "" }
}
