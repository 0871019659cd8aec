package import Expressions
package import Tiling

/// What a ``GeoPackageReader`` reads.
package struct GeoPackageOptions {
  /// The table; `nil` for the only one of features, or else of attributes.
  package var table: String?

  /// The columns to keep, which all must exist; `nil` keeps all.
  package var select: [String]?

  /// Columns that filters read, kept if they exist although they are not selected.
  package var tested: [String] = []

  /// The columns that somebody will read, of those that exist; `nil` for all.
  package var wanted: [String]?

  /// Only records whose box touches this one, by the spatial index or else by the envelopes; those
  /// without geometry are left out. What is read may lie a hair outside: the caller checks exactly.
  package var bounds: GeoBounds?

  /// Conditions that SQLite checks as far as they can be said in SQL with the same meaning. The
  /// caller asks them again unless ``GeoPackageReader/checksFilters`` is true.
  package var filters: [CompiledFilter] = []

  /// Counts at the end the records that bounds and filters kept from being read, as read and
  /// filtered; costs a pass over the table.
  package var countsFiltered = false

  /// Records of one batch.
  package var batchRecords = 4096

  /// Bytes of values and positions after which a batch is full.
  package var batchBytes = 8 << 20

  package init() {}
}
