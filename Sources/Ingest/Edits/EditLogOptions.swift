/// How to read a log of edits; the defaults are those of `edits: FILE`.
package struct EditLogOptions: Sendable {
  /// The column or property that is the key, the source's `id:`; `nil` for the id of a GeoJSON
  /// Feature, which a CSV log has in its column ``identifierColumn``.
  package var key: String?

  /// The column or member that says what to do: see ``EditOperation``; nothing means `upsert`.
  package var operation = "op"

  /// The column or member with the time of the edit.
  package var time = "time"

  /// How a CSV log is read: as its source if that is CSV. A log always has a line of names and may
  /// lack columns.
  package var csv = CSVOptions()

  /// What is kept of a GeoJSON log.
  package var geoJSON = GeoJSONOptions()

  /// The columns of a source whose columns are fixed. A CSV log with an `upsert`, which replaces a
  /// whole record, must have them all.
  package var sourceColumns: [String] = []

  /// Whether records have a place, so that a CSV log with an `upsert` must have coordinates.
  package var hasGeometry = true

  package var limits = EditLimits()

  package init() {}

  /// The column of a CSV log that is the id of Features.
  package static let identifierColumn = "id"
}

/// How much a log may hold, since all of it is kept in memory; beyond, it is refused.
package struct EditLimits: Hashable, Sendable {
  /// Entries of all files of a log.
  package var entries = 1 << 20

  /// Bytes of keys, values and positions (16 each).
  package var bytes = 256 << 20

  /// Files of a log.
  package var files = 1000

  package init() {}
}

/// The forms of a log's file.
package enum EditLogForm: String, CaseIterable, Sendable {
  case csv
  case geojsonseq
}
