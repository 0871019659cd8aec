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
  private let maximumBytes: Int
  private var texts: GeoJSONTexts
  private var parser: GeoJSONParser

  /// Creates a reader of all that the source has.
  package init(source: ByteSource, options: GeoJSONOptions = GeoJSONOptions()) {
    self.source = source
    maximumBytes = options.lineBytes
    texts = GeoJSONTexts(source: source, maximumBytes: options.lineBytes)
    parser = GeoJSONParser(JSONTokenizer(limits: options.json), options: options)
  }

  package var ledger: SourceLedger { refused.countingRings(closedBy: parser) }

  package var propertyNames: [String] { parser.properties.columnNames }

  package var bytesRead: Int { source.bytesRead }

  package var byteCount: Int? { source.byteCount }

  /// Clears the batch and fills it with the next records; a text is never divided.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` when the file cannot be read further, never because of its content.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    parser.prepare(&batch)
    defer { parser.finish(&batch) }
    while !parser.isFull(batch), let text = try texts.next() {
      switch text {
      case .text(let bytes, let place): parse(bytes, at: place, into: &batch)
      case .tooLong(let place):
        reject(
          SourceLedger.Example(
            reason: .tooLarge, line: place.line, column: 0,
            message: "the text is longer than \(maximumBytes) bytes"))
      }
    }
    return batch.count > 0
  }

  private func parse(
    _ text: UnsafeRawBufferPointer, at place: JSONPlace, into batch: inout FeatureBatch
  ) {
    parser.json.attach(text, at: place)
    var root = GeoJSONRoot(remedy: "put each on a line of its own")
    while root.position != .end {
      do {
        try root.step(&parser, into: &batch)
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
  }

  private func reject(_ example: SourceLedger.Example) {
    refused.read += 1
    refused.reject(example, as: example.reason)
  }
}
