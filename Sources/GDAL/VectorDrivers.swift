/// The drivers of GDAL that may read records. All others are disabled, above all drivers that
/// fetch something and drivers whose files name other files.
enum VectorDrivers {
  /// The drivers of files.
  private static let files: Set = [
    "Arrow", "DGN", "DXF", "ESRI Shapefile", "ESRIJSON", "FlatGeobuf", "GeoJSON", "GeoJSONSeq",
    "GeoRSS", "GML", "GPKG", "GPX", "JML", "KML", "LIBKML", "MapInfo File", "ODS", "OGR_GMT",
    "OpenFileGDB", "OSM", "Parquet", "S57", "SQLite", "TopoJSON", "XLSX",
  ]

  /// The drivers whose tables have a key column of their own.
  static let keyed: Set = ["GPKG", "OpenFileGDB", "PostgreSQL", "SQLite"]

  /// The driver of KML, whose features have their own styles.
  static let styled = "LIBKML"

  /// The driver that is told the encoding of texts.
  static let shapefile = "ESRI Shapefile"

  /// The drivers without which the programs themselves do not work.
  private static let needed: Set = ["GPKG", "Memory", "MEM"]

  /// Returns the value of `GDAL_SKIP` that leaves the allowed drivers.
  ///
  /// - Parameter formats: the output of `ogrinfo --formats`, lines such as
  ///   `  GPX -vector- (rw+v): GPX`.
  static func skipped(of formats: String, forDatabase: Bool) -> String {
    let allowed = forDatabase ? needed.union(["PostgreSQL"]) : files.union(needed)
    return DriverList.skipped(of: formats, allowed: allowed)
  }
}
