/// Why a record could not be used; the raw value is the key in reports.
package enum RejectReason: String, CaseIterable, Hashable, Sendable {
  /// A coordinate column holds no number of the JSON grammar.
  case invalidCoordinate = "invalid_coordinate"
  /// A latitude beyond ±90°.
  case latitudeOutOfRange = "latitude_out_of_range"
  /// A longitude beyond ±540°: no wrap makes that a place.
  case longitudeOutOfRange = "longitude_out_of_range"
  /// Fewer or more fields than the header or `columns:` has.
  case raggedRow = "ragged_row"
  /// A quoted field that is not closed, or text after its closing quote.
  case invalidQuoting = "invalid_quoting"
  /// Bytes that are not text in the file's encoding.
  case invalidEncoding = "invalid_encoding"
  /// A value that is not of the type that `types:` gives its column.
  case invalidValue = "invalid_value"
  /// A field or record over the size limit.
  case tooLarge = "too_large"
  /// JSON that breaks the grammar (newline-delimited files: the line).
  case invalidJSON = "invalid_json"
  /// A GeoJSON object that is no feature or whose geometry breaks RFC 7946.
  case invalidGeometry = "invalid_geometry"
  /// A feature key that occurred before, refused by `onDuplicateId`.
  case duplicateKey = "duplicate_key"
  /// An entry of a log of edits without a key, or whose operation or time is none.
  case invalidEdit = "invalid_edit"
  /// A point without the property by which `line` joins or orders points.
  case noTrack = "no_track"
}
