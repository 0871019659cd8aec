/// The columns for the styles of a KML file's features, named as in simplestyle. GDAL keeps a
/// style as a text such as `PEN(c:#FF0000FF,w:4.0px);BRUSH(fc:#00FF007F)`.
enum StyleColumns {
  /// The column of the style as a whole.
  static let whole = "OGR_STYLE"

  /// Returns the query for the rows of a layer with their colours, in the dialect of SQLite.
  static func query(from layer: String) -> String {
    let columns = [
      ("stroke", color(after: "PEN(c:")),
      ("stroke-width", number(after: ",w:")),
      ("fill", color(after: "BRUSH(fc:")),
      ("marker-color", markerColor),
    ]
    let list = columns.map { "\($0.1) AS \($0.0.quotedName)" }.joined(separator: ", ")
    return "SELECT *, \(list) FROM \(layer.quotedName)"
  }

  /// Returns an expression for the colour after a word, `#rrggbbaa`; null without one.
  private static func color(after word: String) -> String {
    "CASE WHEN instr(\(whole), '\(word)#') > 0 THEN "
      + "substr(\(whole), instr(\(whole), '\(word)#') + \(word.count), 9) END"
  }

  /// The colour of an icon follows its address, which may contain anything but a quotation mark.
  private static let markerColor =
    "CASE WHEN instr(\(whole), 'SYMBOL(') > 0 AND instr(\(whole), '\",c:#') > 0 THEN "
    + "substr(\(whole), instr(\(whole), '\",c:#') + 4, 9) END"

  private static func number(after word: String) -> String {
    "CASE WHEN instr(\(whole), 'PEN(') > 0 AND instr(\(whole), '\(word)') > 0 THEN "
      + "CAST(substr(\(whole), instr(\(whole), '\(word)') + \(word.count)) AS DOUBLE) END"
  }
}

extension String {
  /// The text as the name of a table or column in SQL.
  var quotedName: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
