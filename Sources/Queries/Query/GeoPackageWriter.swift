import Archives
import MBTiles
import OrderedCollections
import Runs
import SQLite
import SystemPackage

/// Features as a GeoPackage 1.4: a table a source, each with an R-tree.
///
/// The same features give the same bytes: no clock is read, `last_change` is the start of 1970
/// unless the caller says otherwise.
final class GeoPackageWriter: FeatureWriter {
  private let database: Database
  private let tables: [GeoPackageTable]
  private let lastChange: String
  /// The file as messages name it.
  private let name: FilePath

  /// SQLite's default limit on columns, less those that a table has besides its properties.
  private static let columnLimit = 1_990

  /// - Parameters:
  ///   - path: a file that does not exist yet, or is empty.
  ///   - name: the file that it will become, for messages.
  /// - Throws: ``PipelineError`` for too many properties, `ArchiveError` where the file cannot be
  ///   written; so do the methods.
  init(path: String, name: FilePath, schema: QuerySchema, lastChange: String) throws {
    for layer in schema.layers where layer.columns.count > Self.columnLimit {
      throw PipelineError(
        .usage,
        "source '\(layer.name)' has \(layer.columns.count) properties and a GeoPackage takes "
          + "\(Self.columnLimit). Name some with --select.")
    }
    (database, tables) = try DatabaseFailure.wrap(writing: name) {
      let database = try Database(path: path, mode: .create)
      try database.execute(GeoPackageSchema.base())
      var taken: Set<String> = []
      let tables = try schema.layers.map { layer in
        let name = UniqueNames.make(Self.tableName(layer.name), among: &taken) { $0.lowercased() }
        return try GeoPackageTable(name, for: layer, in: database)
      }
      return (database, tables)
    }
    self.lastChange = lastChange
    self.name = name
  }

  func write(_ view: RecordView) throws {
    try DatabaseFailure.wrap(writing: name) { try tables[view.source].write(view) }
  }

  func end() throws {
    try DatabaseFailure.wrap(writing: name) {
      for table in tables { try table.finish(in: database, lastChange: lastChange) }
      try database.execute("COMMIT;")
    }
  }

  /// A source's name without what GeoPackage and SQLite keep for themselves.
  private static func tableName(_ source: String) -> String {
    let name = source.replacing("\0", with: "_")
    let lowered = name.lowercased()
    let isReserved = ["gpkg_", "sqlite_", "rtree_"].contains { lowered.hasPrefix($0) }
    return isReserved || name.isEmpty ? "_\(name)" : name
  }
}
