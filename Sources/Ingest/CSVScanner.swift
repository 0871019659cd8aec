import Features

/// The extent of one field in the buffer, without its quotes and the space around it.
struct CSVField {
  /// The index of the first byte.
  var start: UInt32
  /// The index past the last byte in the lower 30 bits, the flags above.
  private var endAndFlags: UInt32

  /// Flag: the field stands between quotes.
  static let quoted: UInt32 = 1 << 31
  /// Flag: the field contains doubled quotes.
  static let escaped: UInt32 = 1 << 30
  /// Flag: the value is several fields with the delimiters between them, some of which may be
  /// quoted. Shares a bit with ``escaped``, since only a quoted field can have doubled quotes.
  static let joined = escaped

  @inline(__always)
  init(start: Int, end: Int, flags: UInt32 = 0) {
    self.start = UInt32(truncatingIfNeeded: start)
    endAndFlags = UInt32(truncatingIfNeeded: end) | flags
  }

  @inline(__always) var end: Int { Int(endAndFlags & (Self.escaped - 1)) }
  @inline(__always) var count: Int { end - Int(start) }
  @inline(__always) var isQuoted: Bool { endAndFlags & Self.quoted != 0 }
  @inline(__always) var isEscaped: Bool { endAndFlags & Self.escaped != 0 }
  /// Whether there is nothing between the delimiters, not even quotes.
  @inline(__always) var isEmpty: Bool { Int(start) == end && !isQuoted }
}

/// The reason why a record breaks off.
struct CSVProblem {
  var reason: RejectReason
  /// The index of the byte at which the problem shows.
  var position: Int
  /// The index from which the next line end is looked for.
  var resume: Int
  /// Whether a quote was opened and the file ended.
  var isUnclosed = false

  init(_ reason: RejectReason, at position: Int, resume: Int) {
    self.reason = reason
    self.position = position
    self.resume = resume
  }
}

/// A scanner that finds records and fields in a buffer by the grammar of RFC 4180. It keeps no
/// state between calls, so a record that the end of the buffer cuts is simply scanned again.
///
/// Beyond the RFC: CR, LF and CR LF all end a line, a quote inside an unquoted field is literal,
/// and space around fields may be dropped.
struct CSVScanner: Sendable {
  enum Outcome {
    case record
    /// A line without any field.
    case blank
    /// The buffer ends before the record does.
    case needsMore
    case rejected(CSVProblem)
  }

  /// The extent of a record: what a scan finds out apart from its outcome.
  struct Extent {
    /// The index past the record and its line end.
    var next = 0
    /// The number of fields, including those beyond the caller's array.
    var fieldCount = 0
    /// The number of line ends inside quotes.
    var innerLines = 0
    /// Whether the record may contain bytes above 127.
    var hasHighBytes = false
    /// Whether the line has an end (the last one of a file may not).
    var hasLineEnd = false
  }

  let delimiter: UInt8
  let trims: Bool
  let limits: CSVLimits
  /// The bytes up to which no field and no record is too large.
  let plainLimit: Int
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080
  private static let quotes = ones &* UInt64(UInt8(ascii: "\""))
  private static let lineFeeds = ones &* 10
  private static let carriageReturns = ones &* 13

  init(delimiter: UInt8, trims: Bool, limits: CSVLimits) {
    self.delimiter = delimiter
    self.trims = trims
    self.limits = limits
    plainLimit = min(limits.field, limits.record)
  }

  /// Creates the finder that ``scan(_:from:isLast:into:extent:finder:)`` uses for one buffer, front
  /// to back.
  func makeFinder() -> SeparatorFinder { SeparatorFinder(delimiter: delimiter) }

  /// Finds the fields of the record that begins at `start`.
  ///
  /// - Parameters:
  ///   - buffer: followed by at least eight readable bytes.
  ///   - isLast: whether the file ends with the buffer.
  ///   - fields: receives as many fields as fit.
  ///   - finder: made for this buffer; see ``makeFinder()``.
  /// - Complexity: O(bytes of the record).
  @inline(__always)
  func scan(
    _ buffer: UnsafeRawBufferPointer, from start: Int, isLast: Bool,
    into fields: UnsafeMutableBufferPointer<CSVField>, extent: inout Extent,
    finder: inout SeparatorFinder
  ) -> Outcome {
    var count = 0
    var fieldStart = start
    var cursor = start
    var hasQuotes = false
    finder.beginRecord()
    extent.innerLines = 0
    while true {
      let hit = finder.next(buffer, from: cursor)
      if hit < buffer.count, buffer[hit] == delimiter, hit &- fieldStart <= limits.field,
        hit &- start <= limits.record
      {
        if count < fields.count { fields[count] = trimmed(buffer, fieldStart, hit) }
        count &+= 1
        fieldStart = hit &+ 1
        cursor = fieldStart
        continue
      }
      if hit - fieldStart > limits.field {
        return reject(
          CSVProblem(.tooLarge, at: fieldStart, resume: fieldStart + limits.field), start, buffer,
          &extent)
      }
      let isEnd = hit == buffer.count
      if isEnd, !isLast { return .needsMore }
      let byte = isEnd ? 10 : buffer[hit]
      var end = hit
      if byte == UInt8(ascii: "\""), isBlank(buffer, fieldStart..<hit) {
        switch scanQuoted(buffer, open: hit, isLast: isLast, extent: &extent) {
        case .field(let field, let behind):
          if count < fields.count { fields[count] = field }
          // Text between quotes was not searched for high bytes.
          hasQuotes = true
          end = behind
        case .needsMore: return .needsMore
        case .rejected(let problem):
          return reject(problem, start, buffer, &extent)
        }
      } else if byte == UInt8(ascii: "\"") {
        cursor = hit + 1
        continue
      } else if count < fields.count {
        fields[count] = trimmed(buffer, fieldStart, hit)
      }
      count += 1
      if end - start > limits.record {
        return reject(
          CSVProblem(.tooLarge, at: start, resume: start + limits.record), start, buffer, &extent)
      }
      if end < buffer.count, buffer[end] == delimiter {
        fieldStart = end + 1
        cursor = fieldStart
        continue
      }
      guard let next = lineEnd(buffer, at: end, isLast: isLast) else { return .needsMore }
      extent.next = next
      extent.hasLineEnd = end < buffer.count
      extent.fieldCount = count
      extent.hasHighBytes = hasQuotes || finder.hasHighBytes
      return count == 1 && fields[0].isEmpty ? .blank : .record
    }
  }

  /// Returns the index past the line end at a position (which may be the end of the file), or `nil`
  /// if only more bytes can decide.
  @inline(__always)
  private func lineEnd(_ buffer: UnsafeRawBufferPointer, at place: Int, isLast: Bool) -> Int? {
    if place == buffer.count { return place }
    guard buffer[place] == 13 else { return place + 1 }
    if place + 1 == buffer.count { return isLast ? place + 1 : nil }
    return buffer[place + 1] == 10 ? place + 2 : place + 1
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private func isBlank(_ buffer: UnsafeRawBufferPointer, _ range: Range<Int>) -> Bool {
    range.isEmpty || trims && range.allSatisfy { isBlank(buffer[$0]) }
  }

  /// Returns the field and all fields after it in its record as one field, as they stand in the
  /// file.
  func joined(
    _ buffer: UnsafeRawBufferPointer, from field: CSVField, _ extent: Extent
  ) -> CSVField {
    var end = extent.next
    while extent.hasLineEnd, end > field.end, [10, 13].contains(buffer[end - 1]) { end -= 1 }
    let start = Int(field.start) - (field.isQuoted ? 1 : 0)
    while trims, end > start, isBlank(buffer[end - 1]), buffer[end - 1] != delimiter { end -= 1 }
    let hasQuotes = buffer[start..<end].contains(UInt8(ascii: "\""))
    return CSVField(start: start, end: end, flags: hasQuotes ? CSVField.joined : 0)
  }

  /// Returns the field between two indexes, without the space around it if that is dropped.
  @inline(__always)
  func trimmed(_ buffer: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> CSVField {
    guard trims else { return CSVField(start: start, end: end) }
    var start = start
    if start < end, isBlank(buffer[start]) { start &+= 1 }
    // Most fields then begin and end with a visible character.
    if start < end, buffer[start] > 0x20, buffer[end &- 1] > 0x20 {
      return CSVField(start: start, end: end)
    }
    var end = end
    while start < end, isBlank(buffer[start]) { start += 1 }
    while start < end, isBlank(buffer[end - 1]) { end -= 1 }
    return CSVField(start: start, end: end)
  }
}

// The slow paths: quotes and malformed records.
extension CSVScanner {
  enum QuotedOutcome {
    /// The field and the index of the byte after it: a delimiter, a line end or the end of the
    /// file.
    case field(CSVField, Int)
    case needsMore
    case rejected(CSVProblem)
  }

  private func scanQuoted(
    _ buffer: UnsafeRawBufferPointer, open: Int, isLast: Bool, extent: inout Extent
  ) -> QuotedOutcome {
    var flags = CSVField.quoted
    var lines = 0
    var index = open + 1
    let limit = min(buffer.count, open + limits.field)
    scan: while true {
      index = nextQuoteOrLineEnd(buffer, from: index, to: limit)
      guard index < limit else { return unclosed(buffer, open: open, isLast: isLast) }
      switch buffer[index] {
      case 10: lines += 1
      case 13:
        lines += 1
        if index + 1 < buffer.count, buffer[index + 1] == 10 { index += 1 }
      default:
        if index + 1 == buffer.count, !isLast { return .needsMore }
        guard index + 1 < buffer.count, buffer[index + 1] == UInt8(ascii: "\"") else { break scan }
        flags |= CSVField.escaped
        index += 1
      }
      index += 1
    }
    let field = CSVField(start: open + 1, end: index, flags: flags)
    index += 1
    while trims, index < buffer.count, isBlank(buffer[index]), buffer[index] != delimiter {
      index += 1
      if index - open > limits.field { return unclosed(buffer, open: open, isLast: isLast) }
    }
    if index == buffer.count, !isLast { return .needsMore }
    extent.innerLines += lines
    guard index == buffer.count || [delimiter, 10, 13].contains(buffer[index]) else {
      return .rejected(CSVProblem(.invalidQuoting, at: index, resume: index))
    }
    return .field(field, index)
  }

  /// Returns the outcome of a quoted field that does not end before the buffer or the size limit
  /// does.
  private func unclosed(
    _ buffer: UnsafeRawBufferPointer, open: Int, isLast: Bool
  ) -> QuotedOutcome {
    let limit = open + limits.field
    if buffer.count > limit {
      return .rejected(CSVProblem(.tooLarge, at: open, resume: limit))
    }
    guard isLast else { return .needsMore }
    var problem = CSVProblem(.invalidQuoting, at: open, resume: buffer.count)
    problem.isUnclosed = true
    return .rejected(problem)
  }

  private func nextQuoteOrLineEnd(
    _ buffer: UnsafeRawBufferPointer, from start: Int, to end: Int
  ) -> Int {
    func zeros(_ word: UInt64) -> UInt64 { (word &- Self.ones) & ~word }
    var index = start
    while index < end {
      let word = UInt64(
        littleEndian: buffer.baseAddress.unsafelyUnwrapped
          .loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let hits =
        (zeros(word ^ Self.quotes) | zeros(word ^ Self.lineFeeds)
          | zeros(word ^ Self.carriageReturns)) & Self.tops
      if hits != 0 { return min(index + hits.trailingZeroBitCount >> 3, end) }
      index += 8
    }
    return end
  }

  /// Ends a broken record. `resume` never splits a CR LF, so lines count the same wherever the
  /// buffer ends.
  private func reject(
    _ problem: CSVProblem, _ start: Int, _ buffer: UnsafeRawBufferPointer, _ extent: inout Extent
  ) -> Outcome {
    var problem = problem
    if problem.resume < buffer.count, buffer[problem.resume] == 10,
      buffer[problem.resume - 1] == 13
    {
      problem.resume += 1
    }
    extent.next = problem.resume
    extent.innerLines = Self.place(of: problem.resume, in: buffer, from: start).lines
    return .rejected(problem)
  }

  /// Returns the number of line ends between the start of a line and a position after it, and the
  /// column of that position in bytes from 1.
  ///
  /// - Complexity: O(place − start).
  static func place(
    of place: Int, in buffer: UnsafeRawBufferPointer, from start: Int
  ) -> (lines: Int, column: Int) {
    var lines = 0
    var lineStart = start
    for index in start..<place {
      let isSplit = buffer[index] == 13 && index + 1 < buffer.count && buffer[index + 1] == 10
      if buffer[index] == 10 || buffer[index] == 13 && !isSplit {
        lines += 1
        lineStart = index + 1
      }
    }
    return (lines, place - lineStart + 1)
  }
}
