package import Features
import JSON

/// Reads a file of many GeoJSON texts: one on each line, or each behind a record separator
/// (RFC 8142), which lets a text stretch over lines.
///
/// A text is a Feature, a geometry or a FeatureCollection. One that is broken is counted in
/// ``ledger`` with its line and column and the next is read: `invalidJSON` where the JSON breaks
/// its grammar, `tooLarge` over ``GeoJSONOptions/lineBytes``, otherwise as ``GeoJSONReader`` has it.
/// Of a FeatureCollection that breaks in the middle the features before stay. Blank lines are no
/// texts. Memory is bounded by a batch and the largest text.
package final class GeoJSONSequenceReader: FeatureReader {
  private var refused = SourceLedger()
  private let source: ByteSource
  private let maximumBytes: Int
  private var texts: GeoJSONTexts
  private var parser: GeoJSONParser

  /// A reader of all that the source has.
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
  /// - Throws: ``SourceError`` when the file cannot be read on, never for what it holds.
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
