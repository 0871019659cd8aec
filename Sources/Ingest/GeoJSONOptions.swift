package import JSON

/// Options of the GeoJSON readers: what they keep, and their limits.
package struct GeoJSONOptions: Hashable, Sendable {
  /// The properties to keep, in the order of the columns; `nil` for all, in the order of first
  /// occurrence in the file.
  package var wanted: [String]?

  /// Maximum number of distinct property names in one file.
  package var maximumProperties = 4096

  /// Maximum number of positions of one feature.
  package var maximumPositions = 1 << 24

  /// Maximum bytes of one property value that is an array or object.
  package var nestedValueBytes = 1 << 20

  /// Maximum bytes of one line, or of one text after a record separator.
  package var lineBytes = 64 << 20

  /// Maximum number of records in one batch.
  package var batchRecords = 4096

  /// The bytes of values and positions beyond which a batch is full, whatever the number of
  /// records.
  package var batchBytes = 8 << 20

  /// Whether a Feature without the member `geometry` is refused, as RFC 7946 demands.
  package var requiresGeometry = true

  /// Whether batches tell where records lie in the file: features of a collection, and texts of a
  /// sequence with one record.
  package var locates = false

  /// Whether any `crs` member is accepted, since the pipeline names the reference system.
  package var ignoresReferenceSystem = false

  /// The limits of the JSON tokenizer.
  package var json = JSONTokenizer.Limits()

  /// Creates options that keep the properties with these names, or all.
  package init(wanted: [String]? = nil) {
    self.wanted = wanted
  }
}
