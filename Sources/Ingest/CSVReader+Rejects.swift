import Features

// The reasons why a record is refused, in words, with line and column.
extension CSVReader {
  /// Rejects a record that broke off: the rest of its line is skipped, and with an open quote also
  /// the lines that it swallowed.
  mutating func reject(_ problem: CSVProblem, _ extent: CSVScanner.Extent) {
    let text = Self.sentence(
      for: problem, limits: cursor.scanner.limits, lines: extent.innerLines)
    reject(problem.reason, at: problem.position, text)
  }

  mutating func rejectRagged(_ extent: CSVScanner.Extent) {
    let columns = schema.names.count
    if extent.fieldCount > columns { tooLong += 1 } else { tooShort += 1 }
    var text = "\(extent.fieldCount) fields where the file has \(columns) columns"
    if extent.fieldCount == columns + 1, endsWithDelimiter(extent) {
      text += "; the line ends with a delimiter, which opens one more empty field"
    }
    reject(.raggedRow, at: nil, text)
  }

  /// Validates the text of a record that may hold more than ASCII; rejects the record if it is
  /// malformed.
  mutating func isValidText(_ extent: CSVScanner.Extent) -> Bool {
    let record = UnsafeRawBufferPointer(rebasing: cursor.buffer[cursor.index..<extent.next])
    guard let invalid = UTF8Validation.firstInvalid(in: record) else { return true }
    let name = cursor.source.encoding.name
    reject(
      .invalidEncoding, at: cursor.index + invalid,
      "the bytes here are not \(name). "
        + "Set 'encoding:' (\(TextEncoding.names.joined(separator: ", ")))")
    return false
  }

  /// Rejects a record with a NUL byte: no text has one, whatever its fields.
  mutating func rejectNUL(_ extent: CSVScanner.Extent, at place: Int) {
    let advice = NULBytes.advice(cursor.buffer, cursor.index..<extent.next, at: place)
    reject(.invalidEncoding, at: place, "there are NUL bytes here. \(advice)")
  }

  mutating func rejectCoordinate(_ place: Int, isLongitude: Bool) {
    let field = rows.openRow[place]
    let kind = isLongitude ? "longitude" : "latitude"
    var text =
      isNull(field, cursor.buffer)
      ? "the \(kind) is empty" : "the \(kind) is no number: \(excerpt(field))"
    let bytes = self.text(field, cursor.buffer)
    if form.decimal == .point, TextTraits.isDecimalComma(bytes) {
      text += "; for decimal commas, set 'decimal: \",\"'"
    } else if let fault = CoordinateFault(bytes, isLongitude: isLongitude) {
      text += "; \(fault.words)"
    }
    reject(.invalidCoordinate, at: Int(field.start), text)
  }

  mutating func rejectGeometry(_ field: CSVField, _ refusal: GeometryRefusal) {
    let start = Int(field.start)
    reject(
      refusal.reason, at: min(start + refusal.offset, max(field.end - 1, start)),
      "\(refusal.message): \(excerpt(field))")
  }

  mutating func rejectValue(_ column: CSVSchema.Kept) {
    let field = rows.openRow[column.place]
    let wanted = column.type == .boolean ? "neither true nor false" : "no number"
    reject(
      .invalidValue, at: Int(field.start),
      "column '\(column.name)' holds \(excerpt(field)), which is \(wanted)")
  }

  /// Whether a field fits the type that `types:` gives its column; null always does.
  func hasType(_ column: CSVSchema.Kept, _ field: CSVField) -> Bool {
    if isNull(field, cursor.buffer) { return true }
    switch column.type {
    case .number:
      return (number(field, cursor.buffer) ?? localizedNumber(field, cursor.buffer)) != nil
    case .boolean:
      // Spreadsheets write TRUE, some languages True.
      let text = text(field, cursor.buffer).lazy.map { $0 | 0x20 }
      return text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8)
    case .string, nil: return true
    }
  }

  /// The words for text that is not in the encoding of the file.
  package static let wrongEncoding = "it is not text in the file's encoding. Set 'encoding:'."

  static func sentence(for problem: CSVProblem, limits: CSVLimits, lines: Int) -> String {
    let skipped =
      switch lines {
      case 0: ""
      case 1: "; 1 more line is skipped with it"
      default: "; \(lines) more lines are skipped with it"
      }
    switch problem.reason {
    case .tooLarge:
      return "a field over \(limits.field) bytes or a record over \(limits.record)"
        + "; is a quote not closed?" + skipped
    case .invalidEncoding:
      return wrongEncoding
    default:
      return problem.isUnclosed
        ? "a quote opens here and nothing closes it" + skipped
        : "text behind a closing quote; a quote inside quotes is written twice"
    }
  }

  static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var isSecond = false
    for byte in text.utf8 {
      isSecond = byte == UInt8(ascii: "\"") && !isSecond
      if byte != UInt8(ascii: "\"") || isSecond { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func reject(_ reason: RejectReason, at byte: Int?, _ message: String) {
    ledger.read += 1
    let place = byte.map { cursor.place(of: $0) } ?? (line: cursor.line, column: 0)
    ledger.reject(
      SourceLedger.Example(
        reason: reason, line: place.line, column: place.column, message: message),
      as: reason)
  }

  private func endsWithDelimiter(_ extent: CSVScanner.Extent) -> Bool {
    var end = extent.next
    while end > cursor.index, [10, 13].contains(cursor.buffer[end - 1]) { end -= 1 }
    return end > cursor.index && cursor.buffer[end - 1] == cursor.scanner.delimiter
  }

  /// Returns the beginning of a field for a message, with characters that nobody sees as escapes.
  private func excerpt(_ field: CSVField) -> String {
    let bytes = text(field, cursor.buffer)
    guard field.isEscaped, field.isQuoted else { return "'\(TextTraits.excerpt(bytes))'" }
    var plain = Self.unescaped(String(decoding: bytes.prefix(80), as: UTF8.self))
    return "'\(plain.withUTF8 { TextTraits.excerpt(UnsafeRawBufferPointer($0)) })'"
  }
}
