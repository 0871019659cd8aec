import Features

/// The first record of a CSV file: the names of its columns.
enum CSVHeader {
  /// Moves the cursor past the header line, if the file has one.
  ///
  /// - Returns: the names of all columns by position, as `columns:` or the file gives them; empty
  ///   for an empty file, where that is allowed. And the line of the file that names them, 0 where
  ///   `columns:` does.
  /// - Throws: ``SourceError`` where the names cannot be determined.
  static func readNames(
    _ cursor: inout CSVCursor, options: CSVOptions
  ) throws(SourceError) -> (names: [String], line: Int) {
    let file = cursor.source.name
    guard options.header else {
      guard let columns = options.columns, !columns.isEmpty else {
        throw SourceError(
          code: .configuration, file: file,
          message: "has no line of names ('header: false'). Name its columns with 'columns:'.")
      }
      return (try checked(columns, options: options, file: file), 0)
    }
    let (given, line) = try readRecord(&cursor, options: options)
    let names = try checked(given, options: options, file: file)
    guard let columns = options.columns else { return (names, line) }
    guard columns.count == names.count || options.gap != nil && columns.count < names.count else {
      throw SourceError(
        code: .configuration, file: file, line: line,
        message: "the line of names has \(names.count) fields but 'columns:' names "
          + "\(columns.count). Make them equal.")
    }
    return (columns, 0)
  }

  private static func checked(
    _ names: [String], options: CSVOptions, file: String
  ) throws(SourceError) -> [String] {
    guard names.count <= options.limits.columns else {
      throw SourceError(
        code: .configuration, file: file,
        message: "has more than \(options.limits.columns) columns. Is 'delimiter:' right?")
    }
    return names
  }

  private static func readRecord(
    _ cursor: inout CSVCursor, options: CSVOptions
  ) throws(SourceError) -> (names: [String], line: Int) {
    let fields = UnsafeMutableBufferPointer<CSVField>.allocate(
      capacity: options.limits.columns + 1)
    defer { fields.deallocate() }
    var extent = CSVScanner.Extent()
    while true {
      if cursor.isAtEnd {
        if cursor.isLast {
          guard !options.allowsEmpty else { return ([], 1) }
          throw empty(cursor.source.name)
        }
        try cursor.refill()
        continue
      }
      var finder = cursor.scanner.makeFinder()
      switch cursor.scanner.scan(
        cursor.buffer, from: cursor.index, isLast: cursor.isLast, into: fields, extent: &extent,
        finder: &finder)
      {
      case .needsMore: try cursor.refill()
      case .blank: cursor.step(over: extent)
      case .rejected(let problem): throw broken(problem, cursor)
      case .record:
        let count = min(extent.fieldCount, fields.count)
        let names = try decode(fields[..<count], cursor)
        let line = cursor.line
        cursor.step(over: extent)
        return (names, line)
      }
    }
  }

  private static func decode(
    _ fields: Slice<UnsafeMutableBufferPointer<CSVField>>, _ cursor: CSVCursor
  ) throws(SourceError) -> [String] {
    var names: [String] = []
    for field in fields {
      let bytes = cursor.buffer[Int(field.start)..<field.end]
      guard let name = String(validating: bytes, as: UTF8.self) else {
        throw broken(
          CSVProblem(.invalidEncoding, at: Int(field.start), resume: field.end), cursor)
      }
      if let place = bytes.firstIndex(of: 0) {
        let (line, column) = cursor.place(of: place)
        let advice = NULBytes.advice(cursor.buffer, cursor.index..<field.end, at: place)
        throw SourceError(
          code: .badData, file: cursor.source.name, line: line, column: column,
          message: "there are NUL bytes among the names of the columns. \(advice).")
      }
      names.append(field.isEscaped ? CSVReader.unescaped(name) : name)
    }
    return names
  }

  private static func empty(_ file: String) -> SourceError {
    SourceError(
      code: .badData, file: file,
      message: "is empty: its first line must name the columns. Set 'columns:' if it has none.")
  }

  private static func broken(_ problem: CSVProblem, _ cursor: CSVCursor) -> SourceError {
    let place = cursor.place(of: problem.position)
    if let doubt = CSVDelimiterDoubt(cursor) {
      return SourceError(
        code: .configuration, file: cursor.source.name, line: place.line, column: place.column,
        message: "the line of names is broken: \(doubt.words)")
    }
    return SourceError(
      code: .badData, file: cursor.source.name, line: place.line, column: place.column,
      message: "the line of names is broken: "
        + CSVReader.sentence(for: problem, limits: cursor.scanner.limits, lines: 0))
  }
}
