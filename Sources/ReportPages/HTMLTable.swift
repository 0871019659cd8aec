/// A table with a caption for screen readers, a head, and a row header in each row.
struct HTMLTable {
  let caption: String
  let columns: [String]

  /// The rows; the first cell is the row's name.
  var rows: [[HTMLNode]] = []

  /// The last row, set apart; empty for none.
  var foot: [HTMLNode] = []

  /// The indices of the columns of text; the others, of numbers, are right-aligned.
  let textColumns: Set<Int>

  init(_ caption: String, columns: [String], textColumns: Set<Int> = [0]) {
    self.caption = caption
    self.columns = columns
    self.textColumns = textColumns
  }

  mutating func add(_ cells: [String]) { rows.append(cells.map(HTMLNode.text)) }

  /// The table, in a box that scrolls where the window is narrower.
  var node: HTMLNode {
    let head = columns.enumerated().map { index, name in
      HTMLNode.tag("th", ["scope": "col", "class": side(index)], text: name)
    }
    var parts: [HTMLNode] = [
      .tag("caption", text: caption), .tag("thead", [:], [.tag("tr", [:], head)]),
      .tag("tbody", [:], rows.map(row)),
    ]
    if !foot.isEmpty { parts.append(.tag("tfoot", [:], [row(foot)])) }
    return .tag(
      "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": caption],
      [.tag("table", [:], parts)])
  }

  private func row(_ cells: [HTMLNode]) -> HTMLNode {
    .tag(
      "tr", [:],
      cells.enumerated().map { index, cell in
        index == 0
          ? .tag("th", ["scope": "row", "class": side(index)], [cell])
          : .tag("td", ["class": side(index)], [cell])
      })
  }

  private func side(_ column: Int) -> String { textColumns.contains(column) ? "text" : "number" }
}
