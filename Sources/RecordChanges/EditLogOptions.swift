package import Ingest

/// Options for reading a log of edits; the defaults are those of `edits: FILE`.
package struct EditLogOptions: Sendable {
  /// The column or property that is the key, the source's `id:`; `nil` for the id of a GeoJSON
  /// Feature, which a CSV log has in its column ``identifierColumn``.
  package var key: String?

  /// The column or member with the operation: see ``EditOperation``; an absent one means `upsert`.
  package var operation = "op"

  /// The column or member with the time of the edit.
  package var time = "time"

  /// The options for reading a CSV log, taken from its source if that is CSV. A log always has a
  /// header line and may lack columns.
  package var csv = CSVOptions()

  /// The options for reading a GeoJSON log.
  package var geoJSON = GeoJSONOptions()

  /// The columns of a source with a fixed set of columns. A CSV log with an `upsert`, which
  /// replaces a whole record, must have them all.
  package var sourceColumns: [String] = []

  /// Whether records have a position, so that a CSV log with an `upsert` must have coordinates.
  package var hasGeometry = true

  package var limits = EditLimits()

  package init() {}

  /// The column of a CSV log that holds the ids of Features.
  package static let identifierColumn = "id"
}

/// Limits on the size of a log, since all of it is kept in memory; one beyond them is refused.
package struct EditLimits: Hashable, Sendable {
  /// Maximum number of entries in all files of a log.
  package var entries = 1 << 20

  /// Maximum bytes of keys, values and positions (16 each).
  package var bytes = 256 << 20

  /// Maximum number of files of a log.
  package var files = 1000
}

/// The forms of a log's file.
package enum EditLogForm: String, CaseIterable, Sendable {
  case csv
  case geojsonseq
}
