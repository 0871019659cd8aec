/// The drivers of GDAL that may read images. All others are disabled, above all those that fetch
/// something.
enum RasterDrivers {
  private static let files: Set = [
    "AAIGrid", "BMP", "DTED", "EHdr", "ENVI", "GIF", "GRIB", "GTiff", "HDF5", "HDF5Image", "HFA",
    "JP2OpenJPEG", "JPEG", "PNG", "SRTMHGT", "USGSDEM", "WEBP", "netCDF",
  ]

  /// The drivers of intermediate files, and those without which the programs themselves do not
  /// work.
  private static let needed: Set = ["MEM", "Memory", "VRT"]

  /// Returns the value of `GDAL_SKIP` that leaves the allowed drivers.
  ///
  /// - Parameter formats: the output of `gdalinfo --formats`.
  static func skipped(of formats: String) -> String {
    DriverList.skipped(of: formats, allowed: files.union(needed))
  }
}
