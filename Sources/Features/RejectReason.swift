/// The reason why a record could not be used; the raw value is the key in reports.
package enum RejectReason: String, CaseIterable, Hashable, Sendable {
  /// A coordinate column without a number of the JSON grammar.
  case invalidCoordinate = "invalid_coordinate"
  /// A latitude beyond ±90°.
  case latitudeOutOfRange = "latitude_out_of_range"
  /// A longitude beyond ±540°, which no wrapping makes valid.
  case longitudeOutOfRange = "longitude_out_of_range"
  /// Fewer or more fields than the header or `columns:`.
  case raggedRow = "ragged_row"
  /// A quoted field that is not closed, or text after its closing quote.
  case invalidQuoting = "invalid_quoting"
  /// Bytes that are not text in the file's encoding.
  case invalidEncoding = "invalid_encoding"
  /// A value that does not have the type that `types:` gives its column.
  case invalidValue = "invalid_value"
  /// A field or record over the size limit.
  case tooLarge = "too_large"
  /// JSON that violates the grammar (newline-delimited files: the line).
  case invalidJSON = "invalid_json"
  /// A tile that is damaged, so that none of its features can be read.
  case invalidTile = "invalid_tile"
  /// A GeoJSON object that is not a feature or whose geometry violates RFC 7946.
  case invalidGeometry = "invalid_geometry"
  /// A duplicate feature key, refused by `onDuplicateId`.
  case duplicateKey = "duplicate_key"
  /// An entry of a log of edits without a key, or with an invalid operation or time.
  case invalidEdit = "invalid_edit"
  /// A point without the property by which `line` joins or orders points.
  case noTrack = "no_track"
  /// A point without the instant by which `time` divides records into frames.
  case noInstant = "no_instant"
}
