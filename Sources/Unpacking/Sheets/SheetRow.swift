import Features

/// A row of a sheet: the texts of its cells that are not empty.
struct SheetRow {
  /// A cell, whose text ends at a place of ``bytes``.
  struct Cell {
    let column: Int
    let end: Int
  }

  /// The number of the row, from 0.
  var number = 0

  private(set) var cells: [Cell] = []
  private(set) var bytes: [UInt8] = []

  /// The largest sheets of spreadsheet programs: 2^20 rows of 2^14 columns.
  static let rowLimit = 1 << 20
  static let columnLimit = 1 << 14

  mutating func removeAll() {
    cells.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends a cell after the last; line ends become spaces, so that a row is a line.
  mutating func append(_ text: some Sequence<UInt8>, column: Int) {
    guard column < Self.columnLimit else { return }
    let start = bytes.count
    for byte in text { bytes.append(byte < 0x20 ? 0x20 : byte) }
    guard bytes.count > start else { return }
    cells.append(Cell(column: column, end: bytes.count))
  }

  /// Appends the row as a line of CSV with a field for each column of a range, or an empty line where
  /// none of them has a cell.
  func write(columns: Range<Int>, to line: inout [UInt8]) {
    guard cells.contains(where: { columns.contains($0.column) }) else {
      return line.append(UInt8(ascii: "\n"))
    }
    var (column, start) = (columns.lowerBound, 0)
    for cell in cells {
      guard columns.contains(cell.column) else {
        start = cell.end
        continue
      }
      while column < cell.column {
        line.append(UInt8(ascii: ","))
        column += 1
      }
      Self.write(bytes[start..<cell.end], to: &line)
      start = cell.end
    }
    while column < columns.upperBound - 1 {
      line.append(UInt8(ascii: ","))
      column += 1
    }
    line.append(UInt8(ascii: "\n"))
  }

  private static func write(_ text: ArraySlice<UInt8>, to line: inout [UInt8]) {
    let isPlain = !text.contains { [0x22, 0x2C].contains($0) }
    guard !isPlain else { return line += text }
    line.append(0x22)
    for byte in text {
      if byte == 0x22 { line.append(byte) }
      line.append(byte)
    }
    line.append(0x22)
  }
}

/// A reader of the rows of one sheet.
protocol SheetReader {
  /// Reads the next row that is not empty.
  ///
  /// - Returns: whether there is one.
  mutating func read(into row: inout SheetRow) -> Bool
}

/// The numbers of cells as texts.
enum SheetNumber {
  /// Returns the shortest form of a number: programs write 46.9 as 46.899999999999999.
  static func text(_ stored: String) -> String {
    guard let number = Double(stored), number.isFinite else { return stored }
    return number.shortestText
  }
}
