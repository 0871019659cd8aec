import Runs
package import Tiling

/// A container for tiles.
package enum TileContainer: String, CaseIterable, Hashable, Sendable {
  /// An archive of the same layout as the source.
  case mbtiles
  /// PMTiles, version 3.
  case pmtiles
  /// A GeoPackage with a table of tiles.
  case gpkg
  /// A folder of files, `z/x/y.png`.
  case folder

  /// Creates the container for the extension of a path; a folder for any other extension.
  package init(ofPath path: String) {
    let lowered = path.lowercased()
    self = [.mbtiles, .pmtiles, .gpkg].first { lowered.hasSuffix(".\($0.rawValue)") } ?? .folder
  }
}

/// The options of `extract` and `export`.
package struct ExportOptions: Sendable {
  /// The archive from which tiles are read.
  package var archive: String
  /// The path of the result.
  package var output: String
  package var container: TileContainer
  /// The first zoom; `nil` for the archive's.
  package var minZoom: Int?
  /// The last zoom; `nil` for the archive's.
  package var maxZoom: Int?
  /// The box that limits the tiles to those that touch it.
  package var bounds: GeoBounds?
  /// A GeoJSON file whose polygons limit the tiles to those that touch them.
  package var polygonFile: String?
  /// Whether the result is to be a folder whatever its name is.
  package var isFolderChosen = false
  /// The tile scheme of a folder.
  package var scheme = TileScheme.xyz
  /// Whether equal tiles of a folder are hard links to one file.
  package var linksEqualTiles = false
  /// How a folder is brought up to date; `nil` for a new one.
  package var publication: FolderPublication?
  /// Whether an earlier export is replaced by a folder.
  package var replacesFolder = false
  /// The folder of temporary files other than the result; `nil` for the result's own.
  package var temporaryFolder: String?
  /// The time of the last change of a GeoPackage, in seconds since 1970.
  package var changeTime = 0

  package init(archive: String, output: String, container: TileContainer) {
    self.archive = archive
    self.output = output
    self.container = container
  }
}

/// The result of `extract` and `export`.
package struct ExportSummary: Hashable, Sendable {
  package var output: String
  package var container: TileContainer
  /// The numbers of exported tiles, and of the archive's tiles in the zooms that were read.
  package var tiles: Int
  package var tilesRead: Int
  package var zooms: ClosedRange<Int>
  /// The size in bytes of the file, or of all files of a folder.
  package var bytes: Int
  /// A description of the container, such as the number of directories.
  package var detail = ""
  package var notes: [String] = []

  /// The result as a line for people.
  package var text: String {
    let range =
      zooms.lowerBound == zooms.upperBound
      ? "zoom \(zooms.lowerBound)" : "zooms \(zooms.lowerBound) to \(zooms.upperBound)"
    let end = detail.isEmpty ? "" : ", \(detail)"
    return "\(output): \(ReportNumber.count(tiles)) of \(ReportNumber.count(tilesRead)) tiles, "
      + "\(range), \(ReportNumber.bytes(bytes))\(end)"
  }
}
