/// The records to take from a file or database, as a pipeline names them.
package struct VectorSelection: Hashable, Sendable {
  /// The layer or table; `nil` for the only one.
  package var layer: String?

  /// A query instead of a layer.
  package var sql: String?

  /// The columns of coordinates of a table without geometries, such as a sheet.
  package var point: Point?

  /// Two columns of numbers that are a position.
  package struct Point: Hashable, Sendable {
    package var x: String
    package var y: String

    package init(x: String, y: String) {
      self.x = x
      self.y = y
    }
  }

  /// The coordinate reference system, instead of the one that the data names.
  package var system: String?

  /// The encoding of the texts of a shapefile that does not say it.
  package var encoding: String?

  /// The seconds without a sign of life after which a program is ended.
  package var timeout = 300.0

  package init() {}

  /// Returns what is wrong with a query; it must only read, and only the data itself; `nil` if
  /// nothing is.
  package static func refusal(ofQuery text: String) -> String? {
    let word = text.drop { $0.isWhitespace }.prefix { $0.isLetter }.lowercased()
    guard ["select", "with"].contains(word) else {
      return "'sql' is a query that reads, and begins with SELECT or WITH."
    }
    var quote: Character?
    var isBehindText = false
    for character in text.reversed().drop(while: { $0.isWhitespace || $0 == ";" }).reversed() {
      if let open = quote {
        if character == open {
          quote = nil
          isBehindText = open == "'"
        }
        continue
      }
      if character == "'" || character == "\"" {
        quote = character
      } else if character == ";" {
        return "'sql' is one query, and this has a ';' in it."
      } else if character == ".", isBehindText {
        // 'other.shp'.layer would read a file that was not hashed.
        return "'sql' reads its own data alone, and not other files: 'file'.layer is refused."
      }
      if !character.isWhitespace { isBehindText = false }
    }
    return quote == nil ? nil : "'sql' has a quote that is never closed."
  }

  /// Whether a text names a coordinate reference system without a file or an address: `EPSG:25832`,
  /// or one of PROJ's own, `+proj=laea +lat_0=52`.
  package static func isSystem(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z]+:[0-9A-Za-z]+(?:\+[0-9]+)?/) != nil
      || text.hasPrefix("+proj=") && !text.contains("grids=") && !text.contains("init=")
  }
}
