/// What reading a foreign GeoPackage may cost.
package struct GeoPackageLimits: Hashable, Sendable {
  /// Bytes of one geometry, text or tile, and of one row.
  package var valueBytes = 64 << 20

  /// Seconds that one step may take while no record comes: opening, one batch, one count. To it
  /// come ``secondsPerMegabyte`` of the file, since a filter may pass over all of it.
  package var seconds = 10.0

  /// 50 MB/s, a slow disk.
  package var secondsPerMegabyte = 0.02

  /// Seconds that all of a view may take: its query may produce rows for ever.
  package var viewSeconds = 10.0

  /// Bytes by which SQLite's heap may grow while one step runs, its page cache included.
  package var heapBytes = 192 << 20

  /// Positions of one geometry; each takes 16 bytes.
  package var positions = 1 << 22

  /// Parts of one geometry: points, lines, rings.
  package var parts = 1 << 22

  /// Columns of one table.
  package var columns = 2000

  /// Tables that `gpkg_contents` lists.
  package var tables = 10_000

  /// Tables that are read as one, whose columns together are as bounded as those of one table: every
  /// record has all of these.
  package var joinedTables = 500

  /// Records that the spatial index may find before the table is read from end to end instead.
  package var indexHits = 1 << 23

  /// How many times the bytes of the file its texts, geometries and pictures may add up to. Rows
  /// of a crafted file can share their bytes; UTF-16 grows by half as UTF-8.
  package var inflation = 2

  package init() {}
}
