package import Features
import Files
import GeoPackages
package import Ingest
package import Runs

/// A table of a GeoPackage, OGC 12-128r19.
package struct GeoPackageSource: FeatureSource {
  package static let type = "gpkg"
  package static let version = 1
  package static let endings = [".gpkg"]
  package static let opensFiles = true
  package static let ownsIDs = true
  package static let mayHoldTiles = true

  /// The name that stands for all tables of features, or otherwise of attributes.
  package static let allTables = "*"

  /// The table; `nil` for the only one.
  package let table: String?

  /// Whether a view may be read; this runs SQL from the file.
  let allowsViews: Bool

  package static let keys = [
    KeySpecification(
      "table", .string,
      "The table of features or attributes; * for all of them; needed where there are several."),
    KeySpecification(
      "views", .boolean, default: .bool(false),
      "Whether the table may be a view, whose SQL comes with the file."),
  ]

  package init(_ keyed: KeyedNode) throws(PipelineError) {
    table = keyed.text("table")
    allowsViews = try keyed.value("views")
  }

  /// Creates the source of the only table of a file.
  init() { (table, allowsViews) = (nil, false) }

  package static func sniff(_ head: UnsafeRawBufferPointer) -> Bool {
    SQLiteHeader(head) != nil
  }

  package func reader(of input: SourceInput, _ request: ReadRequest) throws(SourceError)
    -> any FeatureReader
  {
    var options = GeoPackageOptions()
    options.wanted = request.wanted
    options.select = request.selected
    options.tested = request.tested
    options.bounds = request.bounds
    options.filters = request.conditions.map(\.filter)
    options.countsFiltered = request.countsFiltered
    return try open(try file(input), options)
  }

  private func open(
    _ file: GeoPackageFile, _ options: GeoPackageOptions
  ) throws(SourceError) -> any FeatureReader {
    if table == Self.allTables { return try GeoPackageTablesReader(file, options: options) }
    var options = options
    options.table = table
    return try GeoPackageReader(file, options: options)
  }

  private func file(_ input: SourceInput) throws(SourceError) -> GeoPackageFile {
    switch input {
    case .file(let path, let name):
      return try GeoPackageFile(path: path, name: name, allowsViews: allowsViews)
    case .open(_, let held as HeldFile, let name):
      return try GeoPackageFile(
        path: held.address, beside: held.path, name: name, allowsViews: allowsViews)
    default:
      throw SourceError(
        code: .configuration, file: input.name, message: "is not a file; a GeoPackage must be one")
    }
  }
}
