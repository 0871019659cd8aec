import Features
import JSON

/// The elements of a file that its sections consist of.
enum GeoJSONForm: Sendable {
  /// Features of a collection, which all seem to begin with these bytes.
  case features(head: [UInt8])
  /// Texts, each ended by this byte.
  case texts(terminator: UInt8)
}

/// The reading of the sections of one file by one thread.
struct GeoJSONSectionReader {
  typealias Section = GeoJSONSections.Section
  typealias Contents = GeoJSONSections.Contents

  let store: ByteStore
  let chunk: Int
  let form: GeoJSONForm
  let options: GeoJSONOptions
  let pool: BatchPool

  func read(_ section: Section) -> Contents {
    var contents = Contents(limit: section.end)
    do throws(SourceError) {
      switch section.begin {
      case .at(let position), .behind(let position): contents.start = position.offset
      case .near(let position):
        contents.start = try firstRecord(from: position, to: section.end)
      }
    } catch {
      // The section before finds the error, or this one when it is read again.
      return contents
    }
    guard let start = contents.start else { return contents }
    contents.batch = pool.take()
    var parser = GeoJSONParser(JSONTokenizer(limits: options.json), options: options)
    parser.adopt(closedRings: 0, names: section.names)
    parser.prepare(&contents.batch)
    switch form {
    case .features:
      var isBehind = false
      if case .behind = section.begin { isBehind = true }
      readFeatures(from: start, isBehind: isBehind, &parser, &contents)
    case .texts(let terminator):
      readTexts(from: start, terminator, &parser, &contents)
    }
    parser.finish(&contents.batch)
    contents.unsettledNames = max(parser.namesOfRefused, parser.properties.unsettledCount)
    return contents
  }

  /// Reads features until one begins at or after the limit.
  ///
  /// - Parameter isBehind: whether a feature ends at `start`, rather than begins.
  private func readFeatures(
    from start: Int, isBehind: Bool, _ parser: inout GeoJSONParser, _ contents: inout Contents
  ) {
    parser.json.resume(
      ByteSource(store, from: start, chunk: chunk), at: JSONPlace(line: 1, column: 1),
      offset: start, inside: [true, false], awaitsValue: !isBehind)
    var record = Record()
    var isFirst = !isBehind
    while true {
      do throws(JSONFailure) {
        if !isFirst {
          guard try parser.json.nextElement() else {
            contents.end = .features(position(&parser))
            return
          }
        }
        let first = try parser.json.peek()
        if !isFirst, parser.json.offset >= contents.limit {
          contents.end = .record(position(&parser))
          return
        }
        isFirst = false
        guard first == JSONByte.openBrace else {
          throw parser.refusal("'features' must hold nothing but Features", parser.json.place())
        }
        try parser.readFeature(into: &contents.batch)
        parser.locateFeature(in: &contents.batch)
        record.end(parser, &contents)
      } catch {
        switch GeoJSONRoot.Fault(error, &parser, unwindingTo: 2) {
        case .record(let example):
          contents.rejects.append(.init(unit: contents.units.count, example: example))
        case .text(let failure):
          contents.end = .failure(failure)
          return
        }
      }
    }
  }

  /// Reads texts until one begins at or after the limit.
  private func readTexts(
    from start: Int, _ terminator: UInt8, _ parser: inout GeoJSONParser,
    _ contents: inout Contents
  ) {
    var texts = GeoJSONTexts(
      section: ByteSource(store, from: start, chunk: chunk), maximumBytes: options.lineBytes,
      terminator: terminator)
    var record = Record()
    do throws(SourceError) {
      while let text = try texts.next() {
        let unit = contents.units.count
        var rejects: [SourceLedger.Example] = []
        switch text {
        case .text(let bytes, let place):
          parser.readText(bytes, at: place, of: texts, into: &contents.batch) {
            rejects.append($0)
          }
        case .tooLong(let place): rejects.append(.tooLong(options.lineBytes, at: place))
        }
        contents.rejects += rejects.map { .init(unit: unit, example: $0) }
        record.end(parser, &contents)
        if texts.position.offset >= contents.limit {
          contents.end = .record(texts.position)
          return
        }
      }
      contents.end = .file
    } catch {
      contents.end = .failure(
        JSONFailure(.source(error), JSONPlace(line: 1, column: 1), error.message))
    }
  }

  private func position(_ parser: inout GeoJSONParser) -> GeoJSONPosition {
    GeoJSONPosition(offset: parser.json.offset, place: parser.json.place())
  }

  /// The counts before the record, or the text, that is being read.
  private struct Record {
    private var rows = 0
    private var bytes = 0
    private var closedRings = 0
    private var names = 0

    /// Notes what a record, or all records of a text, have added.
    mutating func end(_ parser: borrowing GeoJSONParser, _ contents: inout Contents) {
      let end = contents.batch.count
      guard end > rows else { return }
      contents.units.append(.init(endRow: end, bytes: parser.batchBytes - bytes))
      // Of a text with several records, only the sum can be seen, and no batch divides it.
      for _ in closedRings..<parser.closedRings { contents.closedRows.append(end - 1) }
      if contents.batch.columns.count > names {
        for name in contents.batch.columns[names...] {
          contents.names.append(.init(name: name.name, firstRow: rows))
        }
        names = contents.batch.columns.count
      }
      rows = end
      bytes = parser.batchBytes
      closedRings = parser.closedRings
    }
  }
}

// MARK: - Beginnings

extension GeoJSONSectionReader {
  /// Returns the position of the first record at or after a position, if it seems to be before
  /// `end`.
  private func firstRecord(from position: Int, to end: Int) throws(SourceError) -> Int? {
    switch form {
    case .features(let head):
      return try first(head, from: position, to: end)
    case .texts(let terminator):
      guard let found = try first([terminator], from: position - 1, to: end - 1) else {
        return nil
      }
      return found + 1
    }
  }

  /// Returns the first occurrence of bytes that begins in a range.
  private func first(
    _ wanted: [UInt8], from begin: Int, to end: Int
  ) throws(SourceError) -> Int? {
    guard let byte = wanted.first else { return nil }
    let source = ByteSource(store, from: begin, chunk: min(chunk, 64 << 10))
    var offset = begin
    while try source.fill(keeping: min(source.buffer.count, wanted.count - 1)) > 0 {
      let buffer = source.buffer
      offset = source.bytesRead - buffer.count
      var index = 0
      while let distance = buffer[index...].firstOffset(of: byte) {
        index += distance
        guard offset + index < end else { return nil }
        if buffer[index...].starts(with: wanted) { return offset + index }
        index += 1
      }
      guard offset + buffer.count < end else { return nil }
    }
    return nil
  }

  /// Returns the first bytes of the feature that follows a comma, up to the colon after its first
  /// name, and `"Feature"` if that is the value; `nil` where they are not all there.
  static func head(of rest: UnsafeRawBufferPointer) -> [UInt8]? {
    var index = 0
    func skipSpace() {
      while index < rest.count, JSONByte.isSpace(rest[index]) { index += 1 }
    }
    skipSpace()
    guard index < rest.count, rest[index] == JSONByte.comma else { return nil }
    index += 1
    skipSpace()
    let begin = index
    guard index < rest.count, rest[index] == JSONByte.openBrace else { return nil }
    while index < rest.count, rest[index] != JSONByte.colon { index += 1 }
    guard index < rest.count, index - begin < 256 else { return nil }
    index += 1
    var end = index
    skipSpace()
    let value = Array("\"Feature\"".utf8)
    if rest[index...].starts(with: value) { end = index + value.count }
    return Array(rest[begin..<end])
  }
}
