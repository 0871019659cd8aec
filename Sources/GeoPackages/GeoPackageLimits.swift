package import Ingest

/// Limits on the cost of reading an untrusted GeoPackage.
package struct GeoPackageLimits: Hashable, Sendable {
  /// Maximum bytes of one geometry, text or tile, and of one row.
  package var valueBytes = 64 << 20

  /// Seconds that one step may take before a record comes: opening, one batch, one count.
  /// ``secondsPerMegabyte`` of the file are added, since a filter may pass over all of it.
  package var seconds = 10.0

  /// Additional seconds per megabyte of the file: 50 MB/s, a slow disk.
  package var secondsPerMegabyte = 0.02

  /// Seconds that reading a view may take in total: its query may produce rows for ever.
  package var viewSeconds = 10.0

  /// Bytes by which SQLite's heap may grow while one step runs, including its page cache.
  package var heapBytes = 192 << 20

  /// Maximum number of positions of one geometry; each takes 16 bytes.
  package var positions = 1 << 22

  /// Maximum number of parts of one geometry: points, lines, rings.
  package var parts = 1 << 22

  /// Maximum number of columns of one table.
  package var columns = 2000

  /// Maximum number of tables that `gpkg_contents` lists.
  package var tables = 10_000

  /// Maximum number of tables that are read as one. The number of their columns together is limited
  /// like that of one table: every record has all of these.
  package var joinedTables = 500

  /// Maximum number of records that the spatial index may find before the table is read from end to
  /// end instead.
  package var indexHits = 1 << 23

  /// Maximum total size of the texts, geometries and pictures, as a multiple of the file's size.
  /// Rows of a crafted file can share their bytes; UTF-16 grows by half as UTF-8.
  package var inflation = 2

  package init() {}

  /// The limits on one geometry.
  package var geometry: GeometryLimits { GeometryLimits(positions: positions, parts: parts) }
}
