import MBTiles
import SQLite

/// The names of the images or grids that only one of two archives has.
struct NameDifference {
  /// A table whose rows are named by the MD5 of their bytes.
  enum Table: String {
    case images
    case grids

    fileprivate var selection: String {
      switch self {
      case .images: "SELECT tile_id FROM images ORDER BY tile_id"
      case .grids: "SELECT grid_id FROM grid_utfgrid ORDER BY grid_id"
      }
    }

    /// The query for the bytes of the row with a name.
    var contentSelection: String {
      switch self {
      case .images: "SELECT tile_data FROM images WHERE tile_id = ?1"
      case .grids: "SELECT grid_utfgrid FROM grid_utfgrid WHERE grid_id = ?1"
      }
    }
  }

  /// The names of the old archive that the new one lacks, ascending.
  private(set) var dropped: ContiguousArray<MD5Digest> = []

  /// The names of the new archive that the old one lacks.
  private(set) var fresh = ImageIndex()

  /// Compares the names of both in order.
  ///
  /// - Complexity: O(rows of both); only differing names are kept, 24 bytes each.
  init(_ table: Table, old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    let before = try NameCursor(old, table)
    let after = try NameCursor(new, table)
    while before.name != nil || after.name != nil {
      if let name = before.name, after.name.map({ name < $0 }) ?? true {
        dropped.append(name)
        try before.step()
      } else if let name = after.name, before.name.map({ name < $0 }) ?? true {
        if fresh.number(of: name) == nil { fresh.add(name) }
        try after.step()
      } else {
        try before.step()
        try after.step()
      }
    }
  }

  /// A cursor over the names of one archive's rows, ascending: only the index is read.
  private final class NameCursor {
    private(set) var name: MD5Digest?
    private let reader: ArchiveReader
    private let table: Table
    private let statement: Statement

    init(_ reader: ArchiveReader, _ table: Table) throws(ArchiveError) {
      self.reader = reader
      self.table = table
      statement = try reader.prepare(table.selection)
      try step()
    }

    func step() throws(ArchiveError) {
      guard try reader.reading(.whole, { () throws(SQLiteError) in try statement.step() }) else {
        name = nil
        return
      }
      name = statement.withBytes(0) { MD5Digest(hexadecimal: $0) }
      guard name != nil else {
        throw ArchiveError(.content(.misnamedRow(table: table.rawValue)), path: reader.path)
      }
    }
  }
}
