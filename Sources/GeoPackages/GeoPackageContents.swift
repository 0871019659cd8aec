import Features
import SQLite

/// One row of `gpkg_contents`: a table that the file offers.
package struct GeoPackageContents: Hashable, Sendable {
  /// The content of a table.
  package enum Kind: Hashable, Sendable {
    case features
    case attributes
    case tiles
    /// A type defined by an extension, by its name.
    case other(String)

    init(_ text: String) {
      switch text {
      case "features": self = .features
      // `aspatial` registered attributes before GeoPackage 1.2.
      case "attributes", "aspatial": self = .attributes
      case "tiles": self = .tiles
      default: self = .other(text)
      }
    }
  }

  /// The table's name as the file spells it in `gpkg_contents`.
  package var table: String
  package var kind: Kind

  /// Returns all registered tables, sorted by name.
  ///
  /// - Throws: ``SourceError`` `badData` where the list is missing.
  static func list(of file: GeoPackageFile) throws(SourceError) -> [GeoPackageContents] {
    guard try file.entry("gpkg_contents")?.isTable == true else {
      throw file.bad("is no GeoPackage: it has no table 'gpkg_contents'")
    }
    let limit = file.limits.tables
    return try file.run("list the tables in 'gpkg_contents'") { database throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT substr(table_name, 1, 1000) COLLATE BINARY AS n, substr(data_type, 1, 100) "
          + "FROM gpkg_contents WHERE table_name IS NOT NULL ORDER BY n LIMIT \(limit)")
      var contents: [GeoPackageContents] = []
      while try statement.step() {
        contents.append(
          GeoPackageContents(
            table: statement.text(0) ?? "", kind: Kind(statement.text(1) ?? "")))
      }
      return contents
    }
  }
}

extension GeoPackageFile {
  /// Returns the registered table with a name, or the only one of a kind.
  ///
  /// - Parameters:
  ///   - table: the name given by the user; `nil` for the only one there is.
  ///   - kinds: the acceptable kinds, most preferred first.
  /// - Throws: ``SourceError`` `configuration` that names the tables, or `badData` if there is none.
  func pick(
    _ table: String?, of kinds: [GeoPackageContents.Kind]
  ) throws(SourceError) -> GeoPackageContents {
    let candidates = contents.filter { kinds.contains($0.kind) }
    let words = kinds == [.tiles] ? "tiles" : "features or attributes"
    if let table {
      if let exact = candidates.first(where: { $0.table == table }) { return exact }
      if let same = candidates.first(where: { SQLName.areEqual($0.table, table) }) { return same }
      let found = contents.first { SQLName.areEqual($0.table, table) }
      let what = found.map { _ in "'\(table)' holds no \(words)" } ?? "has no table '\(table)'"
      throw SourceError(
        code: .configuration, file: name, message: "\(what); \(listing(candidates, words))")
    }
    for kind in kinds {
      let same = candidates.filter { $0.kind == kind }
      if same.count == 1 { return same[0] }
      if same.count > 1 {
        throw SourceError(
          code: .configuration, file: name,
          message: "has \(same.count) tables of \(words). Set 'table:' to one"
            + (kind == .tiles ? "; " : ", or to \"*\" for all of them; ") + listing(same, words))
      }
    }
    throw bad("has no table of \(words)" + tilesHint(besides: kinds))
  }

  /// Returns advice for a file with tiles but without the wanted tables; empty for others.
  func tilesHint(besides kinds: [GeoPackageContents.Kind]) -> String {
    guard !kinds.contains(.tiles), contents.contains(where: { $0.kind == .tiles }) else {
      return ""
    }
    return "; it holds tiles, which a source of 'type: image' with 'url:' draws"
  }

  private func listing(_ contents: [GeoPackageContents], _ words: String) -> String {
    guard !contents.isEmpty else { return "there are no \(words) in it" }
    let names = contents.prefix(20).map { Self.singleLine($0.table) }.joined(separator: ", ")
    return "tables are \(names)\(contents.count > 20 ? ", …" : "")"
  }
}
