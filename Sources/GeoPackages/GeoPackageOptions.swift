package import Expressions
package import Tiling

/// Options of a ``GeoPackageReader``.
package struct GeoPackageOptions {
  /// The table; `nil` for the only one of features, or otherwise of attributes.
  package var table: String?

  /// The columns to keep, which all must exist; `nil` keeps all.
  package var select: [String]?

  /// Columns that filters read, kept if they exist although they are not selected.
  package var tested: [String] = []

  /// The columns that will be read, of those that exist; `nil` for all.
  package var wanted: [String]?

  /// The box that the boxes of the records must touch, by the spatial index or, without one, by the
  /// envelopes; records without geometry are left out. Records may lie slightly outside: the caller
  /// checks exactly.
  package var bounds: GeoBounds?

  /// Conditions that SQLite checks as far as SQL can express them with the same meaning. The caller
  /// checks them again unless ``GeoPackageReader/checksFilters`` is true.
  package var filters: [CompiledFilter] = []

  /// Whether the records that bounds and filters kept from being read are counted at the end, as
  /// read and filtered; costs a pass over the table.
  package var countsFiltered = false

  /// Maximum number of records in one batch.
  package var batchRecords = 4096

  /// The size of values and positions in bytes at which a batch counts as full.
  package var batchBytes = 8 << 20

  package init() {}
}
