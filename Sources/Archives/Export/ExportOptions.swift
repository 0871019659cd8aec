import Runs
package import Tiling

/// A container for tiles.
package enum TileContainer: String, CaseIterable, Hashable, Sendable {
  /// An archive like the one that it is taken from.
  case mbtiles
  /// PMTiles, version 3.
  case pmtiles
  /// A GeoPackage with a table of tiles.
  case gpkg
  /// A folder of files, `z/x/y.png`.
  case folder

  /// The container that the ending of a path means; a folder where it means none.
  package init(ofPath path: String) {
    let lowered = path.lowercased()
    self = [.mbtiles, .pmtiles, .gpkg].first { lowered.hasSuffix(".\($0.rawValue)") } ?? .folder
  }
}

/// How rows are counted in the names of files.
package enum TileScheme: String, CaseIterable, Hashable, Sendable {
  /// Southward.
  case xyz
  /// Northward.
  case tms
}

/// What `extract` and `export` are asked for.
package struct ExportOptions: Sendable {
  /// The archive that tiles are taken from.
  package var archive: String
  /// Where they go.
  package var output: String
  package var container: TileContainer
  /// The first zoom; `nil` for the archive's.
  package var minZoom: Int?
  /// The last zoom; `nil` for the archive's.
  package var maxZoom: Int?
  /// Only tiles that meet this box.
  package var bounds: GeoBounds?
  /// Only tiles that meet the polygons of this GeoJSON file.
  package var polygonFile: String?
  /// Of a folder.
  package var scheme = TileScheme.xyz
  /// Whether equal tiles of a folder are one file with many names.
  package var linksEqualTiles = false
  /// Whether an earlier export is replaced by a folder.
  package var replacesFolder = false
  /// The folder of temporary files other than the result; `nil` for the result's own.
  package var temporaryFolder: String?
  /// Seconds since 1970 that a GeoPackage gives as the time of its last change.
  package var changeTime = 0

  package init(archive: String, output: String, container: TileContainer) {
    self.archive = archive
    self.output = output
    self.container = container
  }
}

/// What `extract` and `export` did.
package struct ExportSummary: Hashable, Sendable {
  package var output: String
  package var container: TileContainer
  /// Tiles that were taken, and how many the archive has in the zooms that were read.
  package var tiles: Int
  package var tilesRead: Int
  package var zooms: ClosedRange<Int>
  /// Bytes of the file, or of all files of a folder.
  package var bytes: Int
  /// Words on the container, such as the number of directories.
  package var detail = ""
  package var notes: [String] = []

  /// A line for people.
  package var text: String {
    let range =
      zooms.lowerBound == zooms.upperBound
      ? "zoom \(zooms.lowerBound)" : "zooms \(zooms.lowerBound) to \(zooms.upperBound)"
    let end = detail.isEmpty ? "" : ", \(detail)"
    return "\(output): \(ReportNumber.count(tiles)) of \(ReportNumber.count(tilesRead)) tiles, "
      + "\(range), \(ReportNumber.bytes(bytes))\(end)"
  }
}
