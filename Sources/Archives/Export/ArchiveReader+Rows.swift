package import MBTiles
import SQLite
import Tiling

extension ArchiveReader {
  /// Returns the reason why no row of the archive names a tile; `nil` where one does, and where
  /// there are no rows.
  ///
  /// - Returns: a clause such as `zoom_level is stored as text`.
  /// - Complexity: O(rows before the first that names a tile).
  package func reasonForNoTile() throws(ArchiveError) -> String? {
    try reading { () throws(SQLiteError) in
      let names = ["zoom_level", "tile_column", "tile_row"]
      let statement = try database.prepare(
        "SELECT \(names.joined(separator: ", ")) FROM tiles")
      var reason: String?
      while try statement.step() {
        if TileCoord(row: statement) != nil { return nil }
        if reason != nil { continue }
        let values = (0..<Int32(3)).map { statement.kind($0) }
        let strange = zip(names, values).filter { $0.1 != .integer }
        let texts = (0..<Int32(3)).map { statement.text($0) ?? "NULL" }
        reason =
          strange.isEmpty
          ? "the first has zoom_level \(texts[0]), tile_column \(texts[1]) and tile_row \(texts[2])"
          : "of the first, "
            + strange.map { "\($0.0) is \($0.1.words)" }.joined(separator: ", ")
      }
      return reason
    }
  }
}

extension ValueKind {
  /// The word for a value in messages about a non-integer.
  fileprivate var words: String {
    switch self {
    case .integer: "an integer"
    case .real: "a fraction (REAL)"
    case .text: "text (TEXT)"
    case .blob: "bytes (BLOB)"
    case .null: "NULL"
    }
  }
}
