import Children
import Features
package import SystemPackage

/// A program of GDAL, run as a child process: GDAL is not linked, so that its crashes do not end
/// this program.
package enum GDALProgram: String, Sendable {
  case ogrinfo
  case ogr2ogr
  case gdalinfo
  case gdalwarp
  case translate = "gdal_translate"
  case gdaltransform

  /// The file of the program; `nil` where it is not installed.
  package var path: FilePath? { InstalledProgram.path(of: rawValue) }

  /// Returns the file of the program.
  ///
  /// - Throws: ``SourceError`` `configuration` with the package to install.
  func installed(toRead file: String) throws(SourceError) -> FilePath {
    if let path { return path }
    throw SourceError(
      code: .configuration, file: file,
      message: "is read by \(rawValue), a program of GDAL that is not installed; install it: "
        + "apt-get install gdal-bin, or brew install gdal")
  }
}
