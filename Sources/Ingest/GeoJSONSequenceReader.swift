package import Features
import JSON

/// A reader of files with many GeoJSON texts: one on each line, or each behind a record separator
/// (RFC 8142), which lets a text span lines.
///
/// A text is a Feature, a geometry or a FeatureCollection. A broken one is counted in ``ledger``
/// with its line and column, and reading continues with the next: `invalidJSON` where the JSON is
/// malformed, `tooLarge` over ``GeoJSONOptions/lineBytes``, otherwise as in ``GeoJSONReader``. If a
/// FeatureCollection breaks in the middle, the features before stay. Blank lines are skipped.
/// Memory is bounded by a batch and the largest text.
package final class GeoJSONSequenceReader: FeatureReader {
  private var refused = SourceLedger()
  private let source: ByteSource
  private let options: GeoJSONOptions
  private let threads: ReadingThreads
  private var texts: GeoJSONTexts
  private var parser: GeoJSONParser
  /// The rest of the texts, once they are read in sections.
  private var sections: GeoJSONSections?

  /// Creates a reader of all that the source has.
  ///
  /// - Parameter threads: the threads that read a long file; what they read does not depend on
  ///   their number.
  package init(
    source: ByteSource, options: GeoJSONOptions = GeoJSONOptions(), threads: ReadingThreads = .one
  ) {
    self.source = source
    self.options = options
    self.threads = threads
    texts = GeoJSONTexts(source: source, maximumBytes: options.lineBytes)
    parser = GeoJSONParser(JSONTokenizer(limits: options.json), options: options)
  }

  package var ledger: SourceLedger {
    sections?.ledger ?? refused.countingRings(closedBy: parser)
  }

  package var propertyNames: [String] { sections?.names ?? parser.properties.columnNames }

  package var bytesRead: Int { sections?.bytesRead ?? source.bytesRead }

  package var byteCount: Int? { source.byteCount }

  /// Clears the batch and fills it with the next records; a text is never divided.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` when the file cannot be read further, never because of its content.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    if sections == nil { cut() }
    if let sections {
      do {
        _ = try sections.read(into: &batch)
      } catch {
        throw error.sourceError(file: source.name)
      }
      return batch.count > 0
    }
    parser.prepare(&batch)
    try fill(&batch, &parser, &texts, &refused)
    return batch.count > 0
  }

  /// Works on the parser as a whole, so that its exclusive access is taken once per batch.
  private func fill(
    _ batch: inout FeatureBatch, _ parser: inout GeoJSONParser, _ texts: inout GeoJSONTexts,
    _ refused: inout SourceLedger
  ) throws(SourceError) {
    defer { parser.finish(&batch) }
    func reject(_ example: SourceLedger.Example) {
      refused.read += 1
      refused.reject(example, as: example.reason)
    }
    while !parser.isFull(batch), let text = try texts.next() {
      switch text {
      case .text(let bytes, let place):
        parser.readText(bytes, at: place, of: texts, into: &batch) { reject($0) }
      case .tooLong(let place): reject(.tooLong(options.lineBytes, at: place))
      }
    }
  }

  /// Begins to read the texts in sections where that is worth it.
  private func cut() {
    guard let terminator = texts.terminator, let store = source.store,
      threads.cuts(store.byteCount - texts.position.offset)
    else { return }
    sections = GeoJSONSections(
      store, chunk: source.chunk, .texts(terminator: terminator), from: .at(texts.position),
      of: parser, refused: refused, options: options, threads: threads)
  }
}

extension GeoJSONParser {
  /// Reads the text of a sequence that was returned last. It has the extent of its record, if there
  /// is only one.
  ///
  /// - Parameter reject: receives every record that is refused, and the text if it is broken.
  mutating func readText(
    _ text: UnsafeRawBufferPointer, at place: JSONPlace, of texts: GeoJSONTexts,
    into batch: inout FeatureBatch, reject: (SourceLedger.Example) -> Void
  ) {
    let before = batch.count
    readText(text, at: place, into: &batch, reject: reject)
    guard options.locates else { return }
    let count = batch.count - before
    let begin = texts.textOffset
    let extent = RecordExtent(begin: begin, end: count == 1 ? begin + text.count : begin)
    batch.extents.append(contentsOf: repeatElement(extent, count: count))
  }

  /// Reads one text of a sequence.
  ///
  /// - Parameter reject: receives every record that is refused, and the text if it is broken.
  mutating func readText(
    _ text: UnsafeRawBufferPointer, at place: JSONPlace, into batch: inout FeatureBatch,
    reject: (SourceLedger.Example) -> Void
  ) {
    json.attach(text, at: place)
    let usesTemplates = text[0] == JSONByte.openBrace && usesTemplates()
    if usesTemplates, readPlainFeature(into: &batch, isWholeText: true) { return }
    let first = batch.count
    var root = GeoJSONRoot(remedy: "put each on a line of its own")
    while root.position != .end {
      do {
        try root.step(&self, into: &batch)
      } catch {
        switch error {
        case .record(let example): reject(example)
        case .text(let failure):
          reject(
            SourceLedger.Example(
              reason: failure.reason, line: failure.place.line, column: failure.place.column,
              message: failure.message))
          return
        }
      }
    }
    if usesTemplates, batch.count == first + 1 { learnTemplate(from: 0) }
  }
}

extension SourceLedger.Example {
  /// The rejection of a text of a sequence over the limit.
  static func tooLong(_ maximumBytes: Int, at place: JSONPlace) -> SourceLedger.Example {
    SourceLedger.Example(
      reason: .tooLarge, line: place.line, column: 0,
      message: "the text is longer than \(maximumBytes) bytes")
  }
}
