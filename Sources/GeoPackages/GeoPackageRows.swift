import Expressions
import SQLite

/// The rows of a table that a reader requests, one after the other by ascending key.
///
/// Column 0 is the key (null for views), 1 the bytes of the geometry, 2 the geometry or null where
/// it is too large, and the properties follow.
struct GeoPackageRows: ~Copyable {
  /// The index of the first column with a property.
  static let firstProperty: Int32 = 3

  let statement: Statement
  /// The keys to look up, ascending; `nil` reads all.
  private let keys: [Int64]?
  private var nextKey = 0

  /// Prepares the query.
  ///
  /// - Parameters:
  ///   - keys: the keys to look up, ascending; `nil` for the whole table.
  ///   - condition: an additional condition on the rows.
  /// - Throws: the error of SQLite.
  init(
    of table: GeoPackageTable, columns: [String], keys: [Int64]?, condition: SQLCondition?,
    maximumBytes: Int, on database: Database
  ) throws(SQLiteError) {
    let geometry = table.geometry.flatMap(SQLName.quoted)
    var selected = [table.order ?? "NULL"]
    // The length of a blob is known without reading it.
    selected.append(geometry.map { "length(\($0))" } ?? "NULL")
    selected.append(
      geometry.map { "CASE WHEN length(\($0)) <= \(maximumBytes) THEN \($0) END" } ?? "NULL")
    selected += columns.compactMap(SQLName.quoted)
    var conditions: [String] = []
    if keys != nil, let order = table.order { conditions.append("\(order) = ?") }
    if let condition { conditions.append(condition.text) }
    var sql = "SELECT \(selected.joined(separator: ", ")) FROM \(SQLName.quoted(table.name) ?? "")"
    // An index could be wrong, and using it would require a sort.
    if !table.isView { sql += " NOT INDEXED" }
    if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
    if let order = table.order { sql += " ORDER BY \(order)" }
    let statement = try database.prepare(sql)
    var place: Int32 = keys == nil ? 1 : 2
    for parameter in condition?.parameters ?? [] {
      switch parameter {
      case .number(let number): try statement.bind(number, at: place)
      case .text(let text): try statement.bind(text, at: place)
      }
      place += 1
    }
    self.keys = keys
    self.statement = statement
  }

  /// Moves to the next row; returns false at the end.
  mutating func next() throws(SQLiteError) -> Bool {
    guard let keys else { return try statement.step() }
    while nextKey < keys.count {
      statement.reset()
      try statement.bind(keys[nextKey], at: 1)
      nextKey += 1
      if try statement.step() { return true }
    }
    return false
  }
}
