/// A pull parser of one JSON text (RFC 8259) that arrives in pieces of any size.
///
/// The caller asks for what it expects and the tokenizer checks the grammar:
/// ```
/// guard try json.peek() == JSONByte.openBrace else { … }
/// try json.beginObject()
/// while try json.nextName() {  // the name is json.text until the next call
///   try json.skipValue()
/// }
/// try json.finish()
/// ```
/// Every container that was begun must be read until `nextName` or `nextElement` returns false, or
/// left by ``unwind(to:)``. Strings are validated UTF-8; a lone surrogate escape is rejected, since
/// UTF-8 cannot represent it.
@usableFromInline
package struct JSONTokenizer: ~Copyable {
  /// The limits of a text.
  package struct Limits: Hashable, Sendable {
    /// The maximum number of nested containers.
    package var depth = 512
    /// The maximum size of one string in bytes.
    package var stringBytes = 16 << 20
    /// The maximum size of one number in bytes.
    package var numberBytes = 4096

    package init() {}
  }

  /// The element that the grammar expects next.
  @usableFromInline
  enum Awaited: UInt8 {
    /// The first name or element of a container, or its end.
    case first
    /// A value: at the start of the text, after a name's colon or an array's comma.
    case value
    /// A comma or the container's end.
    case separator
  }

  /// The source of further bytes; `nil` if the window is the whole text.
  private var source: (any JSONSource)?
  let limits: Limits

  /// The start of the window. At least one readable byte that is not part of a number follows
  /// `end`, and word loads may read up to seven bytes beyond the end.
  @usableFromInline private(set) var base: UnsafePointer<UInt8>
  @usableFromInline private(set) var end = 0
  /// The next byte to read, as an index into the window.
  @usableFromInline var cursor = 0

  /// The open containers, outermost first: whether each is an object.
  private var isObject: [Bool]
  /// The number of open containers.
  package private(set) var depth = 0
  /// The element expected next in the innermost container.
  @usableFromInline var awaited = Awaited.value

  /// The place of the byte at `markedIndex`; everything before it has been counted.
  private var marked = JSONPlace(line: 1, column: 1)
  private var markedIndex = 0
  /// The number of bytes before the window.
  private var dropped = 0

  /// The string or name read last, unescaped; valid until the next call.
  package private(set) var text = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The storage of ``text`` if it is not a range of the window.
  var scratch = JSONBuffer<UInt8>(capacity: 256)
  /// The number of bytes before the cursor that spell the number read last.
  var numberLength = 0

  /// Creates a tokenizer of everything that the source provides.
  package init(source: any JSONSource, limits: Limits = Limits()) {
    self.init(readingFrom: source, limits: limits)
  }

  /// Creates a tokenizer without a text; ``attach(_:at:)`` sets one after another.
  package init(limits: Limits) {
    self.init(readingFrom: nil, limits: limits)
  }

  private init(readingFrom source: (any JSONSource)?, limits: Limits) {
    self.source = source
    self.limits = limits
    isObject = Array(repeating: false, count: max(limits.depth, 1))
    base = UnsafePointer(scratch.start)
  }

  /// The number of bytes consumed so far.
  package var offset: Int { dropped + cursor }

  /// Starts again on a text in memory whose first byte is at `place` of its file.
  ///
  /// - Precondition: the memory outlives the reading and is readable for seven bytes beyond the
  ///   end, the first of which is not part of a number.
  package mutating func attach(_ window: UnsafeRawBufferPointer, at place: JSONPlace) {
    guard let start = window.baseAddress else { return }
    base = start.assumingMemoryBound(to: UInt8.self)
    end = window.count
    cursor = 0
    depth = 0
    awaited = .value
    marked = place
    markedIndex = 0
    dropped = 0
  }

  /// Starts again inside a text whose beginning was read elsewhere.
  ///
  /// - Parameters:
  ///   - source: a source whose buffer is empty and whose first byte is at `place` and `offset`.
  ///   - containers: the open containers, outermost first: whether each is an object. They are fewer
  ///     than the limit.
  ///   - awaitsValue: whether a value comes next, rather than a comma or the end of the innermost
  ///     container.
  package mutating func resume(
    _ source: any JSONSource, at place: JSONPlace, offset: Int, inside containers: [Bool],
    awaitsValue: Bool
  ) {
    self.source = source
    if let start = source.buffer.baseAddress { base = start.assumingMemoryBound(to: UInt8.self) }
    end = 0
    cursor = 0
    dropped = offset
    marked = place
    markedIndex = 0
    for (index, isObject) in containers.enumerated() { self.isObject[index] = isObject }
    depth = containers.count
    awaited = awaitsValue ? .value : .separator
  }

  /// The bytes of the window that have not been read.
  package var windowRest: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + cursor, count: end - cursor)
  }
}

// MARK: - Window

extension JSONTokenizer {
  /// Drops the window before `start` and appends more bytes; `cursor` stays on its byte.
  ///
  /// - Returns: whether the source had more.
  mutating func refill(from start: Int) throws(JSONFailure) -> Bool {
    guard let source else { return false }
    _ = place(at: start)
    let tail = end - start
    let added: Int
    do {
      added = try source.fill(keeping: tail)
    } catch {
      throw JSONFailure(.source(error), marked, "\(error)")
    }
    guard let address = source.buffer.baseAddress else { return false }
    base = address.assumingMemoryBound(to: UInt8.self)
    end = tail + added
    cursor -= start
    markedIndex -= start
    dropped += start
    return added > 0
  }

  /// Makes `count` bytes from the cursor on available, if the text has that many.
  mutating func ensure(_ count: Int) throws(JSONFailure) -> Bool {
    while end - cursor < count {
      guard try refill(from: cursor) else { return false }
    }
    return true
  }

  /// Returns the place of a byte of the window; for a byte before one requested earlier, returns
  /// the place of the earlier one.
  mutating func place(at index: Int) -> JSONPlace {
    if index > markedIndex {
      marked = marked.advanced(
        over: UnsafeRawBufferPointer(start: base + markedIndex, count: index - markedIndex))
      markedIndex = index
    }
    return marked
  }

  /// Returns the place of the next byte.
  package mutating func place() -> JSONPlace { place(at: cursor) }

  /// Returns the failure for a violation of the grammar at the next byte.
  ///
  /// - Parameter followsComma: whether the byte ends a container whose last byte was a comma.
  mutating func unexpected(_ expected: String, followsComma: Bool = false) -> JSONFailure {
    let word = foreignWord()
    let found =
      word.map { "'\($0.word)'\($0.advice)" }
      ?? (cursor < end ? JSONByte.described(base[cursor]) : "the end of the text")
    let advice = followsComma ? " after a comma; remove the comma" : ""
    return JSONFailure(.text, place(), "expected \(expected), found \(found)\(advice)")
  }

  /// Whether the next byte, where a value is expected, ends an array.
  var endsArray: Bool {
    depth > 0 && !isObject[depth - 1] && cursor < end && base[cursor] == JSONByte.closeBracket
  }

  /// Sets ``text`` to the bytes `range` of the window.
  @inline(__always)
  mutating func setText(_ range: Range<Int>) {
    text = UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Sets ``text`` to the bytes collected in ``scratch``.
  mutating func setTextFromScratch() {
    text = UnsafeRawBufferPointer(scratch.elements)
  }
}

// MARK: - Structure

extension JSONTokenizer {
  /// Skips whitespace and returns the byte that begins the next token, 0 at the end of the text.
  @inlinable @inline(__always)
  package mutating func peek() throws(JSONFailure) -> UInt8 {
    if cursor < end, base[cursor] > JSONByte.space { return base[cursor] }
    return try peekBehindSpace()
  }

  @usableFromInline
  mutating func peekBehindSpace() throws(JSONFailure) -> UInt8 {
    while true {
      while cursor < end, JSONByte.isSpace(base[cursor]) { cursor += 1 }
      if cursor < end { return base[cursor] }
      guard try refill(from: cursor) else { return 0 }
    }
  }

  /// Skips one byte order mark; for the start of a file.
  package mutating func skipByteOrderMark() throws(JSONFailure) {
    guard try ensure(3) else { return }
    if base[cursor] == 0xEF, base[cursor + 1] == 0xBB, base[cursor + 2] == 0xBF { cursor += 3 }
  }

  /// Enters the object whose brace ``peek()`` has just returned.
  package mutating func beginObject() throws(JSONFailure) { try begin(object: true) }

  /// Enters the array whose bracket ``peek()`` has just returned.
  package mutating func beginArray() throws(JSONFailure) { try begin(object: false) }

  private mutating func begin(object: Bool) throws(JSONFailure) {
    guard depth < limits.depth else {
      throw JSONFailure(
        .text, place(), "more than \(limits.depth) arrays and objects inside each other")
    }
    isObject[depth] = object
    depth += 1
    cursor += 1
    awaited = .first
  }

  private mutating func leave() {
    depth -= 1
    cursor += 1
    awaited = .separator
  }

  /// Moves to the next member's value, with its name in ``text``; leaves the object at its end.
  package mutating func nextName() throws(JSONFailure) -> Bool {
    var byte = try peek()
    if byte == JSONByte.closeBrace {
      leave()
      return false
    }
    if awaited != .first {
      guard byte == JSONByte.comma else { throw unexpected("',' or '}' behind a member") }
      cursor += 1
      byte = try peek()
    }
    guard byte == JSONByte.quote else {
      throw unexpected(
        "a member's name in double quotes",
        followsComma: awaited != .first && byte == JSONByte.closeBrace)
    }
    try readString()
    try skipColon()
    awaited = .value
    return true
  }

  /// Skips the colon after a name and keeps the name, even if the window moves meanwhile.
  @inline(__always)
  private mutating func skipColon() throws(JSONFailure) {
    if cursor < end, base[cursor] == JSONByte.colon {
      cursor += 1
      return
    }
    if text.baseAddress != UnsafeRawPointer(scratch.start) {
      scratch.removeAll()
      if let start = text.baseAddress {
        scratch.append(from: start.assumingMemoryBound(to: UInt8.self), count: text.count)
      }
      setTextFromScratch()
    }
    guard try peek() == JSONByte.colon else { throw unexpected("':' behind a member's name") }
    cursor += 1
  }

  /// Moves to the next element of an array; leaves the array at its end.
  package mutating func nextElement() throws(JSONFailure) -> Bool {
    let byte = try peek()
    if byte == JSONByte.closeBracket {
      leave()
      return false
    }
    if awaited != .first {
      guard byte == JSONByte.comma else { throw unexpected("',' or ']' behind an element") }
      cursor += 1
    }
    awaited = .value
    return true
  }

  /// Checks that nothing but whitespace follows.
  package mutating func finish() throws(JSONFailure) {
    _ = try peek()
    guard cursor == end else { throw unexpected("the end of the text") }
  }

  /// Skips the rest of the value being read, wherever reading stopped, so that `kept` containers
  /// remain open and a comma or the end of the innermost comes next.
  package mutating func unwind(to kept: Int) throws(JSONFailure) {
    while depth > kept || awaited == .value {
      if awaited == .value {
        try skipScalarOrBegin()
      } else {
        _ = try isObject[depth - 1] ? nextName() : nextElement()
      }
    }
  }

  /// Skips the next value, checking its grammar.
  package mutating func skipValue() throws(JSONFailure) {
    let kept = depth
    try skipScalarOrBegin()
    try unwind(to: kept)
  }

  private mutating func skipScalarOrBegin() throws(JSONFailure) {
    switch try peek() {
    case JSONByte.openBrace: try beginObject()
    case JSONByte.openBracket: try beginArray()
    case JSONByte.quote: try readString()
    case JSONByte.minus, JSONByte.zero...JSONByte.nine: _ = try readNumber()
    default: _ = try readLiteral()
    }
  }
}

// MARK: - The window of a reader with a fast path of its own

extension JSONTokenizer {
  /// The next byte of the window.
  @inlinable @inline(__always)
  package var windowCursor: UnsafePointer<UInt8> { base + cursor }

  /// The end of the window; the readable byte there is not part of a number.
  @inlinable @inline(__always)
  package var windowEnd: UnsafePointer<UInt8> { base + end }

  /// Returns the bytes from a position of the text to the cursor; `nil` where the window no longer
  /// has them.
  package func windowBytes(from offset: Int) -> UnsafeRawBufferPointer? {
    guard offset >= dropped, offset <= self.offset else { return nil }
    return UnsafeRawBufferPointer(start: base + (offset - dropped), count: self.offset - offset)
  }

  /// Records that values and the commas between them were read from the window.
  @inlinable @inline(__always)
  package mutating func usedValues(upTo next: UnsafePointer<UInt8>) {
    cursor = next - base
    awaited = .separator
  }

  /// The number of consecutive brackets before a number, up to four, if the window shows the
  /// number; otherwise 0.
  @inlinable
  package var plainLevels: Int {
    var levels = 0
    while levels < 5, cursor + levels < end, base[cursor + levels] == JSONByte.openBracket {
      levels += 1
    }
    guard levels < 5, cursor + levels < end else { return 0 }
    let first = base[cursor + levels]
    return first == JSONByte.minus || first &- JSONByte.zero < 10 ? levels : 0
  }
}
