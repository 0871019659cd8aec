/// A reader of a sheet of an OpenDocument spreadsheet (ISO/IEC 26300-1, chapter 9).
struct DocumentReader: SheetReader {
  private var scanner: XMLScanner
  private var nextRow = 0

  /// The nesting depth of tables at the scanner's position: cells may contain tables, too.
  private var depth = 0

  /// The number of times that the last row is still to be repeated.
  private var repeats = 0

  /// - Parameter content: `content.xml` from the tag of the sheet on.
  init(_ content: UnsafeRawBufferPointer) { scanner = XMLScanner(content) }

  mutating func read(into row: inout SheetRow) -> Bool {
    if repeats > 0 {
      repeats -= 1
      row.number += 1
      return row.number < SheetRow.rowLimit
    }
    row.removeAll()
    var column = 0
    while let event = scanner.next() {
      if scanner.isNamed("table"), event != .text {
        depth += event == .start ? 1 : -1
        if depth == 0 { return false }
      }
      guard depth == 1 else { continue }
      if event == .start, scanner.isNamed("table-row") {
        column = 0
        repeats = count("number-rows-repeated") - 1
        row.number = nextRow
        nextRow += repeats + 1
      } else if event == .start,
        scanner.isNamed("table-cell") || scanner.isNamed("covered-table-cell")
      {
        readCell(into: &row, &column)
      } else if event == .end, scanner.isNamed("table-row") {
        guard row.number < SheetRow.rowLimit else { return false }
        if !row.cells.isEmpty { return true }
        repeats = 0
      }
    }
    return false
  }

  private func count(_ name: StaticString) -> Int {
    min(max(scanner.attribute(name).flatMap { Int($0) } ?? 1, 1), SheetRow.rowLimit)
  }

  private mutating func readCell(into row: inout SheetRow, _ column: inout Int) {
    let times = count("number-columns-repeated")
    let stored: String? =
      switch scanner.attribute("value-type") {
      case "float", "percentage", "currency":
        scanner.attribute("value").map(SheetNumber.text)
      case "date": scanner.attribute("date-value")
      case "boolean": scanner.attribute("boolean-value")
      default: nil
      }
    var text: [UInt8] = []
    // The nesting depth of annotations and drawings in a cell, whose text is not the cell's.
    var hidden = 0
    var isParagraph = false
    reading: while let event = scanner.next() {
      if scanner.isNamed("annotation") || scanner.isNamed("frame"), event != .text {
        hidden += event == .start ? 1 : -1
      }
      guard hidden == 0 else { continue }
      switch event {
      case .start where scanner.isNamed("p"):
        if !text.isEmpty { text.append(0x20) }
        isParagraph = true
      case .start where scanner.isNamed("s") || scanner.isNamed("line-break"): text.append(0x20)
      case .end where scanner.isNamed("p"): isParagraph = false
      case .end where scanner.isNamed("table-cell") || scanner.isNamed("covered-table-cell"):
        break reading
      case .text where isParagraph: scanner.appendText(to: &text)
      default: break
      }
    }
    if let stored { text = Array(stored.utf8) }
    if !text.isEmpty {
      for place in 0..<min(times, SheetRow.columnLimit) { row.append(text, column: column + place) }
    }
    column = min(column + times, SheetRow.columnLimit)
  }
}
