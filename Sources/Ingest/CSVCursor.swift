import Features

/// A place between two fills of the buffer of a CSV reader, from which another can continue with
/// the same result.
struct CSVPlace: Hashable, Sendable {
  /// The position in the file of the first byte that has not been used.
  var offset: Int
  /// The position in the file where the buffer ends. No record ends between `offset` and there.
  var bufferEnd: Int
  /// The line of `offset`.
  var line: Int
  /// Whether a record broke off, so that the next line end is looked for.
  var isSkipping = false
}

/// A position in a CSV file: the text from here on, and the means to read more of it.
struct CSVCursor {
  let source: TextSource
  /// The grammar of the file; the file itself may declare its delimiter.
  var scanner: CSVScanner

  /// The index of the first byte of the source's buffer that has not been read yet.
  var index = 0
  /// The line of ``index`` in the file, from 1.
  private(set) var line = 1
  /// Whether the file ends with the buffer.
  private(set) var isLast = false
  /// Whether a record broke off here, so that the next line end is looked for.
  private(set) var isSkipping = false
  /// The number of times the buffer was filled, from 1.
  private(set) var fills = 1

  init(source: TextSource, scanner: CSVScanner) {
    self.source = source
    self.scanner = scanner
  }

  /// Continues at a place of a file.
  init(_ store: ByteStore, at place: CSVPlace, scanner: CSVScanner, chunk: Int) throws(SourceError)
  {
    source = TextSource(section: ByteSource(store, from: place.offset, chunk: chunk))
    self.scanner = scanner
    line = place.line
    isSkipping = place.isSkipping
    if place.bufferEnd > place.offset { try source.fillFirst(place.bufferEnd - place.offset) }
    try refill()
  }

  /// The place to continue from after the next fill.
  var place: CSVPlace {
    let end = source.bytesRead
    return CSVPlace(
      offset: end - source.buffer.count + index, bufferEnd: end, line: line, isSkipping: isSkipping)
  }

  var buffer: UnsafeRawBufferPointer { source.buffer }

  /// Whether nothing is left in the buffer.
  var isAtEnd: Bool { index >= source.buffer.count }

  /// Reads on, keeping the record that the end of the buffer cut. A long record doubles the buffer
  /// before it is scanned again, so that scanning stays linear.
  mutating func refill() throws(SourceError) {
    let tail = source.buffer.count - index
    index = 0
    fills += 1
    isLast = try source.fill(keeping: tail) == 0
    while !isLast, source.buffer.count < 2 * tail {
      isLast = try source.fill(keeping: source.buffer.count) == 0
    }
  }

  /// Steps past a record or a blank line.
  @inline(__always)
  mutating func step(over extent: CSVScanner.Extent) {
    index = extent.next
    line &+= extent.innerLines &+ 1
  }

  /// Steps past records, each of which is one line, to an index.
  @inline(__always)
  mutating func step(over lines: Int, to index: Int) {
    self.index = index
    line &+= lines
  }

  /// Steps to where a broken record was given up; the rest of that line is skipped.
  mutating func giveUp(_ extent: CSVScanner.Extent) {
    index = extent.next
    line += extent.innerLines
    isSkipping = true
  }

  /// Steps past the next line end.
  ///
  /// - Returns: `false` when the buffer ends first.
  mutating func skipLine() -> Bool {
    let buffer = source.buffer
    while index < buffer.count, buffer[index] != 10, buffer[index] != 13 { index += 1 }
    guard index < buffer.count else { return false }
    if buffer[index] == 13 {
      if index + 1 == buffer.count, !isLast { return false }
      if index + 1 < buffer.count, buffer[index + 1] == 10 { index += 1 }
    }
    index += 1
    line += 1
    isSkipping = false
    return true
  }

  /// Returns the line and column of a byte of the record that begins at ``index``.
  func place(of byte: Int) -> (line: Int, column: Int) {
    let place = CSVScanner.place(of: byte, in: source.buffer, from: index)
    return (line + place.lines, place.column)
  }
}
