package import Features
import JSON
import Tiling

/// A reader of CSV files as records of one point each (RFC 4180 and its usual variations).
///
/// Memory is bounded by ``CSVLimits``, whatever the size of the file. Broken records are counted in
/// ``ledger`` with an example and reading continues at the next line; `tooLarge` records and
/// unclosed quotes swallow lines, and the example's message says so. Lines are counted as in the
/// file, quoted line ends included; columns count bytes of the line in UTF-8. Blank lines are
/// skipped.
///
/// A copy of a reader shares its buffers, so only one of the two may be used from then on.
///
/// A record whose two coordinates are both null has no geometry. The range of coordinates is not
/// checked here.
package struct CSVReader: FeatureReader {
  package internal(set) var ledger = SourceLedger()

  var cursor: CSVCursor
  let form: CSVForm
  let rows: CSVRows
  private let threads: ReadingThreads
  /// The number of records that are tried together; below 1, the records until some are, negated.
  private var runLength = 16
  private static let longestRun = 512
  private static let pauseLength = 7
  /// The rest of the file, once it is read in sections.
  private var sections: CSVSections?

  /// Whether the buffer has bytes that no text has.
  private var nulBytes = NULBytes()

  /// The number of records rejected for more fields than columns, and for fewer.
  package internal(set) var tooLong = 0
  package internal(set) var tooShort = 0

  /// Opens the file and reads its header line.
  ///
  /// - Parameter threads: the threads that read a long file; what they read does not depend on
  ///   their number.
  /// - Throws: ``SourceError`` when the file cannot be read, its first line is broken, or the
  ///   options name columns that it does not have.
  package init(
    _ bytes: ByteSource, options: CSVOptions = CSVOptions(), threads: ReadingThreads = .one
  ) throws(SourceError) {
    guard CSVOptions.isDelimiter(options.delimiter) else {
      throw SourceError(
        code: .configuration, file: bytes.name,
        message: "byte \(options.delimiter) cannot delimit fields. Set 'delimiter:' to one ASCII "
          + "character that is no quote and no line end.")
    }
    let scanner = CSVScanner(
      delimiter: options.delimiter, trims: options.trims, limits: options.limits)
    cursor = CSVCursor(source: TextSource(bytes, encoding: options.encoding), scanner: scanner)
    try cursor.skipPreamble(options.skip)
    let (names, line) = try CSVHeader.readNames(&cursor, options: options)
    form = CSVForm(
      scanner: cursor.scanner,
      schema: try CSVSchema(names: names, line: line, options: options, cursor: cursor),
      nullValues: options.nullValues.map { Array($0.utf8) }, extraFields: options.extraFields,
      missingFields: options.missingFields, gap: options.gap,
      geometryOrder: options.geometry?.knownOrder, locates: options.locates,
      decimal: options.decimal)
    rows = CSVRows(columnCount: max(1, names.count), order: form.geometryOrder)
    self.threads = threads
  }

  /// Opens a file whose records were located before, and reads only some of them.
  ///
  /// - Throws: ``SourceError`` as for the whole file, or where it has another encoding than then.
  package init(
    _ bytes: ByteSource, options: CSVOptions, at extents: [RecordExtent]
  ) throws(SourceError) {
    var whole = try CSVReader(bytes, options: options)
    // A file whose names are given is still closed.
    if whole.cursor.source.store == nil { try whole.cursor.refill() }
    guard let store = whole.cursor.source.store else { throw .moved(bytes.name) }
    let cursor = try CSVCursor(
      ByteStore(extents, of: store), at: CSVPlace(offset: 0, bufferEnd: 0, line: 1),
      scanner: whole.form.scanner, chunk: bytes.chunk)
    self.init(cursor, form: whole.form, rows: whole.rows)
  }

  /// Continues from a cursor after the line of names.
  init(_ cursor: CSVCursor, form: CSVForm, rows: CSVRows) {
    self.cursor = cursor
    self.form = form
    self.rows = rows
    threads = .one
    rows.separators.invalidate()
  }

  package var schema: CSVSchema { form.schema }

  package var propertyNames: [String] { schema.kept.map(\.name) }

  package var columnNames: [String] { schema.selected }

  package var bytesRead: Int { sections?.bytesRead ?? cursor.source.bytesRead }

  package var byteCount: Int? { cursor.source.byteCount }

  package mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    if let sections { return try read(sections, into: &batch) }
    batch.removeAll()
    rows.removeAll()
    while rows.count == 0 {
      scanRows()
      if rows.count > 0 { break }
      if cursor.isLast { return false }
      if let store = cursor.source.store, threads.cuts(store.byteCount - bytesRead) {
        let sections = CSVSections(store, of: self, threads: threads)
        self.sections = sections
        return try read(sections, into: &batch)
      }
      try cursor.refill()
    }
    deliver(to: &batch)
    return true
  }

  private mutating func read(
    _ sections: CSVSections, into batch: inout FeatureBatch
  ) throws(SourceError) -> Bool {
    defer {
      ledger = sections.tally.ledger
      tooLong = sections.tally.tooLong
      tooShort = sections.tally.tooShort
    }
    return try sections.read(into: &batch)
  }

  /// Scans records until the buffer ends or there is no more room for rows.
  mutating func scanRows() {
    let buffer = cursor.buffer
    let isLast = cursor.isLast
    var extent = CSVScanner.Extent()
    var finder = cursor.scanner.makeFinder()
    let separators = rows.separators
    let hasSeparators = separators.prepare(cursor)
    let hasNUL = nulBytes.areIn(cursor)
    while !cursor.isAtEnd, !rows.isFull {
      if cursor.isSkipping {
        guard cursor.skipLine() else { return }
        separators.advance(to: cursor.index)
        continue
      }
      if hasSeparators, !hasNUL {
        if takeRun(buffer, &extent) > 0 { continue }
        if separators.scanPlain(
          buffer, from: cursor.index, cursor.scanner, into: rows.openRow, extent: &extent)
        {
          take(extent, buffer)
          cursor.step(over: extent)
          continue
        }
      }
      switch cursor.scanner.scan(
        buffer, from: cursor.index, isLast: isLast, into: rows.openRow, extent: &extent,
        finder: &finder)
      {
      case .needsMore: return
      case .blank: cursor.step(over: extent)
      case .record:
        if hasNUL, let place = NULBytes.first(in: buffer, cursor.index..<extent.next) {
          rejectNUL(extent, at: place)
        } else {
          take(extent, buffer)
        }
        cursor.step(over: extent)
      case .rejected(let problem):
        reject(problem, extent)
        cursor.giveUp(extent)
      }
      separators.advance(to: cursor.index)
    }
  }

  /// Keeps the records from here on as long as they are plain, spelled in ASCII, and have plain
  /// coordinates; whatever else comes is left to ``take(_:_:)``.
  ///
  /// - Returns: the number of records.
  private mutating func takeRun(
    _ buffer: UnsafeRawBufferPointer, _ extent: inout CSVScanner.Extent
  ) -> Int {
    guard form.hasPlainRuns, runLength > 0 else {
      // After a record that is not plain, some are read one by one, then two, four … together.
      runLength += 1
      return 0
    }
    let limit = min(runLength, rows.capacity - rows.count)
    var run = 0
    var index = cursor.index
    while run < limit,
      rows.separators.scanPlain(
        buffer, from: index, cursor.scanner, into: rows.row(behind: run), extent: &extent)
    {
      if extent.hasHighBytes {
        rows.separators.goBack(to: index)
        break
      }
      index = extent.next
      rows.ends[run] = UInt32(truncatingIfNeeded: index)
      run += 1
    }
    let kept = rows.accept(
      run: run, coordinates: form.schema.coordinates, from: buffer, line: cursor.line)
    if form.locates { rows.locate(run: kept, from: cursor.index) }
    if kept > 0 { cursor.step(over: kept, to: Int(rows.ends[kept - 1])) }
    if kept < run { rows.separators.goBack(to: cursor.index) }
    runLength = kept < limit ? -Self.pauseLength : min(2 * runLength, Self.longestRun)
    return kept
  }

  /// Keeps the open row if it is a valid record.
  @inline(__always)
  private mutating func take(_ extent: CSVScanner.Extent, _ buffer: UnsafeRawBufferPointer) {
    let fields = rows.openRow
    var repair: RecordRepair?
    if extent.fieldCount != fields.count, !takeAroundGap(fields, extent, buffer) {
      repair = fit(fields, extent, buffer)
      if repair == nil { return rejectRagged(extent) }
    }
    if extent.hasHighBytes, !isValidText(extent) { return }
    var position: LngLat?
    if let (x, y) = form.schema.coordinates,
      !isNull(fields[x], buffer) || !isNull(fields[y], buffer)
    {
      guard let longitude = degrees(fields[x], .longitude, buffer) else {
        return rejectCoordinate(x, isLongitude: true)
      }
      guard let latitude = degrees(fields[y], .latitude, buffer) else {
        return rejectCoordinate(y, isLongitude: false)
      }
      position = LngLat(longitude: longitude, latitude: latitude)
    }
    for column in form.schema.checked where !hasType(column, fields[column.place]) {
      return rejectValue(column)
    }
    if let place = form.schema.geometry, !takeGeometry(fields[place], buffer) { return }
    rows.accept(line: cursor.line, position: position)
    if form.locates { rows.locate(from: cursor.index, to: extent.next) }
    if let repair { ledger.repair(repair) }
  }

  /// Gives each column exactly one field, where the options say how.
  private func fit(
    _ fields: UnsafeMutableBufferPointer<CSVField>, _ extent: CSVScanner.Extent,
    _ buffer: UnsafeRawBufferPointer
  ) -> RecordRepair? {
    if extent.fieldCount < fields.count {
      guard form.missingFields == .null else { return nil }
      let empty = CSVField(start: cursor.index, end: cursor.index)
      fields[extent.fieldCount...].update(repeating: empty)
      return .missingFields
    }
    switch form.extraFields {
    case .error: return nil
    case .ignore: return .ignoredFields
    case .join:
      fields[fields.count - 1] = cursor.scanner.joined(
        buffer, from: fields[fields.count - 1], extent)
      return .joinedFields
    }
  }

  /// Copies the rows into the columns of a batch.
  func deliver(to batch: inout FeatureBatch) {
    if !batch.columns.lazy.map(\.name).elementsEqual(schema.kept.lazy.map(\.name)) {
      batch.columns = schema.kept.map { PropertyColumn(name: $0.name) }
    }
    let buffer = cursor.buffer
    rows.appendRecords(to: &batch)
    if form.locates, let start = cursor.source.bufferStart {
      rows.appendExtents(to: &batch, from: start)
    }
    batch.ids.append(.missing, count: rows.count)
    for (index, column) in schema.kept.enumerated() {
      rows.append(
        column: column.place, from: buffer, delimiter: cursor.scanner.delimiter,
        to: &batch.columns[index]
      ) { field in
        if isNull(field, buffer) { return .null }
        switch column.type {
        case nil: return truth(field, buffer) ?? .text
        case .number: return .text
        case .string: return .string
        case .boolean: return field.count == 4 ? .true : .false
        }
      }
      if form.decimal == .comma, column.type == nil || column.type == .number {
        // `52.520` is a coordinate with a point, but a thousand in any other column.
        let isCoordinate = form.schema.coordinates.map { [$0.x, $0.y].contains(column.place) }
        batch.columns[index].readNumbers {
          isCoordinate == true && NumberGrammar.parse($0) != nil ? nil : DecimalComma.parse($0)
        }
      }
      if column.type == .number {
        batch.columns[index].readNumbers {
          NumberGrammar.parse($0) == nil ? NumberGrammar.parseCoordinate($0) : nil
        }
      }
    }
  }

  @inline(__always)
  func number(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) -> Double? {
    // The buffer is padded by more than the reach.
    let bytes = buffer.baseAddress.unsafelyUnwrapped + Int(field.start)
    let plain = PlainDecimal.prefix(bytes.assumingMemoryBound(to: UInt8.self))
    if plain.length == field.count, plain.length > 0 { return plain.value }
    return NumberGrammar.parseCoordinate(text(field, buffer))
  }

  /// Returns the value of a coordinate: a number, or degrees, minutes and seconds.
  @inline(__always)
  private func degrees(
    _ field: CSVField, _ axis: SexagesimalDegrees.Axis, _ buffer: UnsafeRawBufferPointer
  ) -> Double? {
    number(field, buffer) ?? localizedNumber(field, buffer) ?? sexagesimal(field, axis, buffer)
  }

  /// Returns the number that a field spells with a decimal comma, if the file has them.
  func localizedNumber(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) -> Double? {
    form.decimal == .comma ? DecimalComma.parse(text(field, buffer)) : nil
  }

  /// Returns the truth value of a field that spells one as JSON does.
  @inline(__always)
  private func truth(
    _ field: CSVField, _ buffer: UnsafeRawBufferPointer
  ) -> PropertyColumn.Kind? {
    // The first byte is foreseen better than the length; behind the buffer there is padding.
    let first = buffer.baseAddress.unsafelyUnwrapped.load(
      fromByteOffset: Int(field.start), as: UInt8.self)
    guard first == UInt8(ascii: "t") || first == UInt8(ascii: "f"),
      field.count == 4 || field.count == 5
    else { return nil }
    let text = text(field, buffer)
    if text.elementsEqual("true".utf8) { return .true }
    return text.elementsEqual("false".utf8) ? .false : nil
  }

  @inline(__always)
  func text(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: buffer[Int(field.start)..<field.end])
  }

  @inline(__always)
  func isNull(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) -> Bool {
    if field.isEmpty { return true }
    return !form.nullValues.isEmpty && isNamedNull(field, buffer)
  }

  private func isNamedNull(_ field: CSVField, _ buffer: UnsafeRawBufferPointer) -> Bool {
    !field.isQuoted && form.nullValues.contains { text(field, buffer).elementsEqual($0) }
  }
}

/// The form of a CSV file: everything that decides how its records are read.
struct CSVForm: Sendable {
  let scanner: CSVScanner
  let schema: CSVSchema
  let nullValues: [[UInt8]]
  let extraFields: CSVOptions.ExtraFields
  let missingFields: CSVOptions.MissingFields
  /// The number of columns before a gap in which a record may have more fields; `nil` for none.
  let gap: Int?
  /// The order of two numbers in a column of geometries.
  let geometryOrder: GeometryText.Order?
  /// Whether batches tell where records lie in the file.
  let locates: Bool
  let decimal: CSVOptions.DecimalMark
  /// Whether a record with plain coordinates needs no other test.
  let hasPlainRuns: Bool

  init(
    scanner: CSVScanner, schema: CSVSchema, nullValues: [[UInt8]],
    extraFields: CSVOptions.ExtraFields, missingFields: CSVOptions.MissingFields, gap: Int?,
    geometryOrder: GeometryText.Order?, locates: Bool, decimal: CSVOptions.DecimalMark
  ) {
    self.scanner = scanner
    self.schema = schema
    self.nullValues = nullValues
    self.extraFields = extraFields
    self.missingFields = missingFields
    self.gap = gap
    self.geometryOrder = geometryOrder
    self.locates = locates
    self.decimal = decimal
    hasPlainRuns = nullValues.isEmpty && schema.checked.isEmpty && schema.geometry == nil
  }
}
