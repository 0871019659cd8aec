import Calendar
package import Features
import JSON

extension QuantityCensus {
  /// The number of texts that are examined for a decimal comma.
  private static let examinedTexts = 1000

  /// Adds rows of a column.
  ///
  /// - Parameters:
  ///   - isCounted: whether a row counts.
  ///   - place: the file, `nil` for the source's own, and the line of a row.
  /// - Complexity: O(bytes of the column); numbers are parsed and nothing is allocated for them.
  package mutating func add(
    _ column: PropertyColumn, for use: QuantityUse, isCounted: (Int) -> Bool,
    place: (Int) -> (file: String?, line: Int)
  ) {
    column.bytes.withUnsafeBytes { bytes in
      var start = 0
      for row in 0..<column.count {
        let end = Int(column.ends[row])
        defer { start = end }
        let kind = column.kinds[row]
        guard kind != .missing, kind != .null, isCounted(row) else { continue }
        values += 1
        let value = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        if use == .time || use == .order {
          takeTime(value, kind, use, place: place(row))
          continue
        }
        guard kind == .text || kind == .string else { continue }
        let isNumber = TextTraits.mayBeNumber(value) && NumberGrammar.parse(value) != nil
        if isNumber, kind == .text || use == .conversion { continue }
        guard !value.allSatisfy({ $0 == 0x20 }), !TextTraits.isNamedNull(value) else {
          // It is meant as no value.
          values -= 1
          continue
        }
        take(value, use, place: place(row))
      }
    }
  }

  /// Counts a value that is not a time, and for an order one that is not a number.
  private mutating func takeTime(
    _ value: UnsafeRawBufferPointer, _ kind: PropertyColumn.Kind, _ use: QuantityUse,
    place: (file: String?, line: Int)
  ) {
    let isText = kind == .text || kind == .string
    func note() -> LedgerNote {
      LedgerNote(
        file: place.file, line: place.line, message: TextTraits.excerpt(value, kind))
    }
    if use == .time {
      guard !isText || ISOTimeReader.read(value) == nil else { return }
      if isText, value.isEmpty || TextTraits.isNamedNull(value) {
        values -= 1
        return
      }
      texts += 1
      if first == nil { first = note() }
      return
    }
    if kind != .number, kind != .text || NumberGrammar.parse(value) == nil {
      texts += 1
      if first == nil { first = note() }
    }
    if !isText || ISOTimeReader.read(value) == nil {
      untimed += 1
      if firstUntimed == nil { firstUntimed = note() }
      guard isText, let time = WrittenTime(value) else { return }
      written += 1
      if time.first > 12 { dayFirst += 1 }
      if time.second > 12 { monthFirst += 1 }
    }
  }

  private mutating func take(
    _ value: UnsafeRawBufferPointer, _ use: QuantityUse, place: (file: String?, line: Int)
  ) {
    let mayBeSpelled = value.count <= 32 && value.contains(where: TextTraits.isDigit)
    switch use {
    case .time, .order: return
    case .value where texts >= Self.examinedTexts: break
    case .value, .equality, .conversion:
      let text = mayBeSpelled || use == .conversion ? String(decoding: value, as: UTF8.self) : ""
      if use == .conversion, NumberText.parse(text) != nil { return }
      let spelling = mayBeSpelled ? NumberSpelling(text) : nil
      if use == .equality, spelling?.isCode ?? true { return }
      if spelling?.hasDecimalComma == true { hasDecimalComma = true }
    }
    texts += 1
    if first == nil {
      first = LedgerNote(
        file: place.file, line: place.line, message: TextTraits.excerpt(value))
    }
  }
}

extension [QuantityRequest: QuantityCensus] {
  /// Adds the rows of a batch.
  ///
  /// - Parameter isCounted: whether a row counts.
  package mutating func add(
    _ batch: FeatureBatch, _ requests: [QuantityRequest], isCounted: (Int) -> Bool = { _ in true }
  ) {
    for request in requests {
      guard let column = batch.columns.first(where: { $0.name == request.name }) else { continue }
      self[request, default: QuantityCensus()].add(
        column, for: request.use, isCounted: isCounted,
        place: { (batch.file($0), batch.lines[$0]) })
    }
  }

  /// Adds the rows of records that were read; the points of one record count once.
  package mutating func add(_ points: PointSet, _ shapes: ShapeSet, _ requests: [QuantityRequest]) {
    for request in requests {
      var census = QuantityCensus()
      census.add(points.records, request) { row in
        row == 0 || points.record(of: row) != points.record(of: row - 1)
      }
      census.add(shapes.records, request) { _ in true }
      self[request] = census
    }
  }
}

extension QuantityCensus {
  fileprivate mutating func add(
    _ records: RecordColumns, _ request: QuantityRequest, isCounted: (Int) -> Bool
  ) {
    guard let place = records.index(of: request.name) else { return }
    add(
      records.columns[place], for: request.use, isCounted: isCounted,
      place: { (nil, Int(records.lines[$0])) })
  }
}
