package import Files

// The readers and commands for formats that no reader of records reads.
extension FileSignature {
  /// Whether it is a format of records that every GDAL reads, for sources of `type: ogr`; Parquet and
  /// Arrow are left to those who know that theirs does.
  package var isConverted: Bool {
    switch self {
    case .shapefile, .flatGeobuf, .zippedShapefile, .zippedKML, .spreadsheet: true
    default: false
    }
  }

  /// Returns the command that converts the file into a readable one, and the settings for the
  /// result.
  package func conversion(of file: String) -> String {
    let toGeoPackage = "ogr2ogr -f GPKG -t_srs EPSG:4326 data.gpkg"
    return switch self {
    case .shapefile, .flatGeobuf, .zippedShapefile, .zippedKML: "Set 'type: ogr'."
    case .spreadsheet: "Set 'type: csv', and name a sheet of several: 'data: \(file)/SHEET'."
    case .arrow: "\(toGeoPackage) \(file), and 'type: gpkg'."
    case .parquet:
      "\(toGeoPackage) \(file), and 'type: gpkg'; for a table without geometry, "
        + "duckdb -c \"COPY (FROM '\(file)') TO 'data.csv'\", and 'type: csv'."
    case .oldSpreadsheet:
      "ogr2ogr -f CSV data.csv \(file), and 'type: csv'; add the name of a sheet if there are "
        + "several."
    case .sqlite: "Set 'type: gpkg'."
    case .zip: "unzip \(file), and name the file in it."
    case .gzip: "gunzip \(file)"
    case .zstandard: "unzstd \(file)"
    case .bzip2: "bunzip2 \(file)"
    case .gif: "\(imageConversion(of: file) ?? ""), and 'type: image'."
    case .png, .jpeg, .webp, .tiff, .netCDF, .hdf5, .grib, .jpeg2000, .textGrid:
      "It is a source of 'type: image'."
    case .pmtiles: "It holds finished tiles: quadrille preview \(file) shows them."
    case .pdf: "Export its content as CSV or GeoJSON."
    }
  }

  /// Returns the command that converts an image into a readable one; `nil` for anything but an
  /// image, or for one that needs none.
  package func imageConversion(of file: String) -> String? {
    switch self {
    case .gif: "gdal_translate -of PNG \(file) image.png"
    case .tiff:
      "gdal_translate -of PNG \(file) image.png; a file that says itself where it lies needs no place "
        + "in the pipeline, and is read as it is"
    default: nil
    }
  }
}
