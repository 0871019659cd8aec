/// One column of a table: its name and its declared type.
package struct GeoPackageColumn: Hashable, Sendable {
  /// The types of OGC 12-128r19, table 1, as far as values differ by them.
  package enum ValueType: String, Hashable, Sendable {
    case boolean, integer, real, text, date, datetime, blob
    /// A type that the standard does not define; values have the type in which they are stored.
    case other
  }

  package var name: String
  /// The type as the table's definition spells it.
  package var declared: String
  package var type: ValueType

  /// Creates a column by its declared type: `TEXT(20)` is a text, `TINYINT` an integer.
  package init(name: String, declared: String) {
    self.name = name
    self.declared = declared
    let word = declared.prefix { $0 != "(" && $0 != " " }.uppercased()
    type =
      switch word {
      case "BOOLEAN", "BOOL": .boolean
      case "TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER", "BIGINT": .integer
      case "FLOAT", "DOUBLE", "REAL", "NUMERIC", "DECIMAL": .real
      case "TEXT", "VARCHAR", "CHAR", "NVARCHAR": .text
      case "DATE": .date
      case "DATETIME", "TIMESTAMP": .datetime
      case "BLOB", "BINARY", "VARBINARY": .blob
      default: .other
      }
  }
}
