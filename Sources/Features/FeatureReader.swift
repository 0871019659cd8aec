/// A reader of one file or stream of records.
package protocol FeatureReader {
  /// The names of the properties that batches carry, in order. For formats with an open schema
  /// (GeoJSON) this grows while reading; columns never change their position.
  var propertyNames: [String] { get }

  /// The outcomes of records that never reach a batch (broken ones); grows while reading. `read`
  /// counts only those rejected here.
  var ledger: SourceLedger { get }

  /// The number of bytes of the file consumed so far, for progress.
  var bytesRead: Int { get }

  /// The size of the whole file in bytes, `nil` for streams and where it is unknown.
  var byteCount: Int? { get }

  /// The properties that spell the geometry rather than belong to the record: the columns of
  /// coordinates, in formats that have them.
  var geometryColumns: [String] { get }

  /// The properties that every record can have, whether or not they will be read: the columns of
  /// formats that know them before the first record, without those that the source does not select.
  var columnNames: [String] { get }

  /// The table or layer of the file that is read, as in feature keys; empty for formats with only
  /// one.
  var layer: String { get }

  /// Returns the part of the file that a record of the last batch comes from, such as the tile
  /// `3/4/5`; `nil` in formats with line numbers.
  func part(ofRow row: Int) -> String?

  /// Clears the batch and fills it with the next records, at most some thousand.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` when the file cannot be read further.
  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool
}

extension FeatureReader {
  package var byteCount: Int? { nil }
  package var geometryColumns: [String] { [] }
  package var columnNames: [String] { [] }
  package var layer: String { "" }
  package func part(ofRow row: Int) -> String? { nil }

  /// Whether the format knows its columns, and thus the names valid in `select:`, before the first
  /// record: CSV and GeoPackage do. Others have a column for every requested name.
  package var hasSchema: Bool { !geometryColumns.isEmpty || !layer.isEmpty }
}

/// A reader of the records of another one, which it changes or watches. It says of them what that one does,
/// unless it declares otherwise.
package protocol DerivedReader: FeatureReader {
  /// The other reader. Its last batch has the rows of this one, except where ``part(ofRow:)`` says otherwise.
  var base: any FeatureReader { get }
}

extension DerivedReader {
  package var propertyNames: [String] { base.propertyNames }
  package var ledger: SourceLedger { base.ledger }
  package var bytesRead: Int { base.bytesRead }
  package var byteCount: Int? { base.byteCount }
  package var geometryColumns: [String] { base.geometryColumns }
  package var columnNames: [String] { base.columnNames }
  package var layer: String { base.layer }
  package func part(ofRow row: Int) -> String? { base.part(ofRow: row) }
}
