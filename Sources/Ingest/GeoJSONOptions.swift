package import JSON

/// What the GeoJSON readers keep, and their limits.
package struct GeoJSONOptions: Hashable, Sendable {
  /// The properties to keep, in the order of the columns; `nil` for all, in the order in which the
  /// file first names them.
  package var wanted: [String]?

  /// Different property names of one file.
  package var maximumProperties = 4096

  /// Positions of one feature.
  package var maximumPositions = 1 << 24

  /// Bytes of one property value that is an array or object.
  package var nestedValueBytes = 1 << 20

  /// Bytes of one line, or of one text behind a record separator.
  package var lineBytes = 64 << 20

  /// Records of one batch.
  package var batchRecords = 4096

  /// Bytes of values and positions after which a batch is full whatever the number of records.
  package var batchBytes = 8 << 20

  /// Whether a Feature without the member `geometry` is refused, as RFC 7946 has it.
  package var requiresGeometry = true

  /// What the JSON itself may demand.
  package var json = JSONTokenizer.Limits()

  /// Keeps the properties of these names, or all.
  package init(wanted: [String]? = nil) {
    self.wanted = wanted
  }
}
