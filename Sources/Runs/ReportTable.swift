/// A table of text for people, each column as wide as its widest cell.
package struct ReportTable {
  /// The first row names the columns.
  package var rows: [[String]]

  /// The indices of the left-aligned columns; the others, of numbers, are right-aligned.
  private let textColumns: Set<Int>

  /// - Parameter textColumns: the indices of the left-aligned columns.
  package init(_ rows: [[String]] = [], text textColumns: Set<Int> = [0]) {
    self.rows = rows
    self.textColumns = textColumns
  }

  /// The lines, indented by two spaces; no spaces at line ends.
  package var text: String {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
    }
    let lines = rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - cell.count)
        line += "  " + (textColumns.contains(column) ? cell + blanks : blanks + cell)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    return lines.joined(separator: "\n")
  }
}
