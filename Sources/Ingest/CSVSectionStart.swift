import Features

/// A guess at where the first record of a section of a CSV file begins, from the text around it.
///
/// The record that a position cuts begins after the last line end before it, unless that line end
/// stands between quotes. So the lines before are tried backwards, and the first is taken from which
/// the next records look like records: as many fields as the file has columns, and no quote inside
/// an unquoted field. A wrong guess costs time and nothing else.
struct CSVSectionStart {
  private let form: CSVForm
  private let rows: CSVRows

  /// The numbers of bytes before and after the position that are examined: the second if the first
  /// reaches no line end.
  private static let reaches = [4 << 10, 256 << 10]
  /// Maximum number of lines that are tried.
  private static let lineLimit = 64
  /// Number of records that are examined.
  private static let recordLimit = 4

  /// - Parameter rows: rows without any record, as scratch memory.
  init(_ form: CSVForm, _ rows: CSVRows) {
    self.form = form
    self.rows = rows
  }

  /// Returns the place where a buffer ends at `position` and the record that it cuts begins; `nil`
  /// without a line end in reach.
  func guess(in store: ByteStore, near position: Int) throws(SourceError) -> CSVPlace? {
    for reach in Self.reaches {
      let first = max(position - reach, 0)
      let source = ByteSource(store, from: first, chunk: reach)
      _ = try source.fill(keeping: 0, adding: position - first)
      _ = try source.fill(keeping: source.buffer.count)
      let head = position - first
      guard source.buffer.count >= head else { return nil }
      if let begin = begin(in: source.buffer, before: head) {
        return CSVPlace(offset: first + begin, bufferEnd: position, line: 0)
      }
    }
    return nil
  }

  private func begin(in buffer: UnsafeRawBufferPointer, before head: Int) -> Int? {
    let feeds = begins(in: buffer, before: head) { $0 == 10 }
    // Files of old spreadsheets end their lines by a carriage return alone.
    let begins =
      !feeds.isEmpty
      ? feeds
      : begins(in: buffer, before: head) { $0 == 13 }.filter { $0 < buffer.count && $0 < head }
    guard buffer.contains(UInt8(ascii: "\"")) else { return begins.first }
    return begins.first { looksRight(buffer, from: $0) } ?? begins.first
  }

  /// Returns the positions after the last line ends, the last first.
  private func begins(
    in buffer: UnsafeRawBufferPointer, before head: Int, _ isEnd: (UInt8) -> Bool
  ) -> [Int] {
    var begins: [Int] = []
    var index = head
    while index > 0, begins.count < Self.lineLimit {
      if isEnd(buffer[index - 1]) { begins.append(index) }
      index -= 1
    }
    return begins
  }

  private func looksRight(_ buffer: UnsafeRawBufferPointer, from begin: Int) -> Bool {
    let fields = rows.openRow
    var finder = form.scanner.makeFinder()
    var extent = CSVScanner.Extent()
    var next = begin
    for _ in 0..<Self.recordLimit {
      switch form.scanner.scan(
        buffer, from: next, isLast: false, into: fields, extent: &extent, finder: &finder)
      {
      case .needsMore: return true
      case .rejected: return false
      case .blank: break
      case .record:
        guard
          extent.fieldCount == fields.count || form.gap != nil && extent.fieldCount > fields.count
        else { return false }
        for field in fields where !field.isQuoted {
          let text = buffer[Int(field.start)..<field.end]
          if text.contains(UInt8(ascii: "\"")) { return false }
        }
      }
      next = extent.next
    }
    return true
  }
}
