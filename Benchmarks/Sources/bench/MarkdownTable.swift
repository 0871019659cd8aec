/// A table ready for a README; its source is aligned for people, too.
struct MarkdownTable {
  /// The headings. The first column is flush left, the others, of numbers, flush right.
  var headings: [String]
  var rows: [[String]] = []

  init(_ headings: [String]) {
    self.headings = headings
  }

  var text: String {
    let widths = headings.indices.map { column in
      Swift.max(3, ([headings] + rows).map { $0[column].count }.max() ?? 0)
    }
    let rule = widths.indices.map { column in
      let dashes = String(repeating: "-", count: widths[column] - 1)
      return column == 0 ? dashes + "-" : dashes + ":"
    }
    return ([headings, rule] + rows).map { cells in
      let padded = cells.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - cells[column].count)
        return column == 0 ? cells[column] + blanks : blanks + cells[column]
      }
      return "| " + padded.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }
}
