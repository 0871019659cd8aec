import Features

/// The lines of a CSV file before its names or records: Excel's `sep=;`, and titles that `skip:`
/// counts.
package enum CSVPreamble {
  private static let key = "sep="

  /// Returns the delimiter that a text declares in its first line, as Excel reads and writes it:
  /// `sep=;`, also between quotes; `nil` if the line is anything else.
  package static func delimiter(_ text: some Collection<UInt8>) -> UInt8? {
    var rest = text[...]
    let isQuoted = rest.first == UInt8(ascii: "\"")
    if isQuoted { rest = rest.dropFirst() }
    guard String(decoding: rest.prefix(key.utf8.count), as: UTF8.self).lowercased() == key else {
      return nil
    }
    rest = rest.dropFirst(key.utf8.count)
    guard let delimiter = rest.first, CSVOptions.isDelimiter(delimiter) else { return nil }
    rest = rest.dropFirst()
    if isQuoted {
      guard rest.first == UInt8(ascii: "\"") else { return nil }
      rest = rest.dropFirst()
    }
    return rest.first.map { $0 == 10 || $0 == 13 } ?? true ? delimiter : nil
  }

  /// Returns the index and line after the lines to skip at the beginning of a file; one that
  /// declares the delimiter is among them.
  package static func end(of lines: Int, in text: UnsafeRawBufferPointer) -> (index: Int, line: Int)
  {
    let hasDelimiter = delimiter(text.prefix(length)) != nil
    var index = 0
    var line = 1
    while line <= max(lines, hasDelimiter ? 1 : 0), index < text.count {
      while index < text.count, text[index] != 10, text[index] != 13 { index += 1 }
      if index + 1 < text.count, text[index] == 13, text[index + 1] == 10 { index += 1 }
      index = min(index + 1, text.count)
      line += 1
    }
    return (index, line)
  }

  /// The most bytes that the line of a delimiter has, with its line end.
  package static let length = key.utf8.count + 5
}

extension CSVCursor {
  /// Steps past the lines before the names or records of a file, and takes the delimiter that the
  /// first line declares.
  ///
  /// - Parameter lines: the number of lines to skip; one that declares the delimiter is among them.
  mutating func skipPreamble(_ lines: Int) throws(SourceError) {
    while !isLast, buffer.count - index < CSVPreamble.length {
      try refill()
    }
    var lines = lines
    if let delimiter = CSVPreamble.delimiter(buffer[index...].prefix(CSVPreamble.length)) {
      scanner = CSVScanner(delimiter: delimiter, trims: scanner.trims, limits: scanner.limits)
      lines = max(lines, 1)
    }
    for _ in 0..<lines {
      while !skipLine() {
        if isLast { return index = buffer.count }
        try refill()
      }
    }
  }
}
