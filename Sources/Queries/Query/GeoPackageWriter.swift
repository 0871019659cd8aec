import Archives
import MBTiles
import OrderedCollections
import Runs
import SQLite
import SystemPackage

/// A writer of features as a GeoPackage 1.4: a table per source, each with an R-tree.
///
/// The same features give the same bytes: the clock is not read, `last_change` is the start of 1970
/// unless the caller sets another time.
final class GeoPackageWriter: FeatureWriter {
  private let database: Database
  private let tables: [GeoPackageTableWriter]
  private let lastChange: String
  /// The name of the file in messages.
  private let name: FilePath

  /// The limit on properties: SQLite's default limit on columns, minus those that a table has in
  /// addition to its properties.
  private static let columnLimit = 1_990

  /// - Parameters:
  ///   - path: a file that does not exist yet, or is empty.
  ///   - name: the final path of the file, for messages.
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
        return try GeoPackageTableWriter(name, for: layer, in: database)
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

  /// Returns a source's name without characters and prefixes that GeoPackage and SQLite reserve.
  private static func tableName(_ source: String) -> String {
    let name = source.replacing("\0", with: "_")
    let lowered = name.lowercased()
    let isReserved = ["gpkg_", "sqlite_", "rtree_"].contains { lowered.hasPrefix($0) }
    return isReserved || name.isEmpty ? "_\(name)" : name
  }
}
