package import Features
package import GDAL
import GeoPackages
package import Ingest
package import Runs

/// Records in a file of any format, or in a database, that GDAL's `ogr2ogr` converts to a GeoPackage
/// in longitude and latitude.
package struct OGRSource: FeatureSource {
  package static let type = "ogr"
  package static let version = 1
  package static let opensFiles = true
  package static let opensFolders = true

  /// Messages name the first one by default; members of zip files are chosen by all of them.
  package static let endings = [
    ".shp", ".fgb", ".kml", ".gpx", ".gml", ".topojson", ".tab", ".mif", ".parquet", ".geojson",
    ".gpkg",
  ]

  package let selection: VectorSelection

  package var conversion: VectorSelection? { selection }

  package static let keys = [
    KeySpecification(
      "layer", .string,
      "The layer of the file, or the table of the database; needed where there are several."),
    KeySpecification(
      "sql", .string,
      "A query instead of a layer: SELECT … in the dialect of the database, or in that of OGR."),
    KeySpecification(
      "x", .string,
      "The column of longitudes, or of x in 'crs', of a table without geometries, such as a sheet."),
    KeySpecification("y", .string, "The column of latitudes, or of y in 'crs', of such a table."),
    KeySpecification(
      "crs", .string,
      "The coordinate reference system of the positions, such as EPSG:25832, instead of the one "
        + "that the data names."),
    KeySpecification(
      "encoding", .string,
      "The encoding of the texts of a shapefile without a .cpg file, such as windows-1250."),
    KeySpecification(
      "timeout", .number(0.1...86_400), default: .number(300),
      "The seconds without a sign of life after which the conversion is ended."),
  ]

  package init(_ keyed: KeyedNode) throws(PipelineError) {
    var selection = VectorSelection()
    selection.layer = keyed.text("layer")
    selection.sql = keyed.text("sql")
    selection.system = keyed.text("crs")
    selection.encoding = try TextEncoding.value(of: keyed)?.systemName
    if let x = keyed.text("x"), let y = keyed.text("y") {
      selection.point = VectorSelection.Point(x: x, y: y)
    } else if let key = ["x", "y"].first(where: { keyed.node[$0] != nil }) {
      throw keyed.fault(key, "'x' and 'y' are the columns of coordinates. Set both.")
    }
    if selection.point != nil, selection.sql != nil {
      throw keyed.fault("x", "'x' and 'sql' both say where a record is. Keep one.")
    }
    selection.timeout = try keyed.value("timeout")
    if selection.layer != nil, selection.sql != nil {
      throw keyed.fault("layer", "'layer' and 'sql' both say which records are read. Keep one.")
    }
    if let layer = selection.layer, layer.hasPrefix("-") || layer.hasPrefix("@") {
      throw keyed.fault("layer", "the name of a layer begins with neither '-' nor '@'.")
    }
    if let refusal = selection.sql.flatMap(VectorSelection.refusal(ofQuery:)) {
      throw keyed.fault("sql", refusal)
    }
    if let system = selection.system, !VectorSelection.isSystem(system) {
      throw keyed.fault("crs", SystemKey.refusal)
    }
    self.selection = selection
  }

  /// Returns the texts in other encodings that a reader of converted records found.
  package static func foreignTexts(of reader: any FeatureReader) -> [UInt8] {
    (reader as? GeoPackageReader)?.foreignTexts ?? []
  }

  /// Whether the reader may read such a file; GDAL decides.
  package static func sniff(_ head: UnsafeRawBufferPointer) -> Bool { true }

  package func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader
  {
    try GeoPackageSource().reader(of: input, request)
  }
}
