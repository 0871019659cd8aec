package import Features
import JSON

/// A reader of some of the records of a GeoJSON file that were located before, each of which is an
/// object of its own: a feature of a collection, or a text of a sequence.
///
/// Lines count from 1 at each record.
package final class GeoJSONExtentReader: FeatureReader {
  private let source: ByteSource
  /// Whether the records are texts of a sequence.
  private let isSequence: Bool
  private let extents: [RecordExtent]
  /// The next of ``extents``.
  private var next = 0
  /// The first byte of the source's buffer that has not been used.
  private var start = 0
  private var parser: GeoJSONParser

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - isSequence: whether it is a sequence; otherwise it is a collection.
  /// - Throws: ``SourceError`` if it is no regular file.
  package init(
    _ bytes: ByteSource, isSequence: Bool, options: GeoJSONOptions, records: LocatedRecords
  ) throws(SourceError) {
    guard let store = bytes.store else { throw .moved(bytes.name) }
    self.isSequence = isSequence
    extents = records.extents
    source = ByteSource(ByteStore(extents, of: store), from: 0, chunk: bytes.chunk)
    parser = GeoJSONParser(JSONTokenizer(limits: options.json), options: options)
    if options.wanted == nil { parser.adopt(closedRings: 0, names: records.names) }
  }

  package var ledger: SourceLedger { SourceLedger() }
  package var propertyNames: [String] { parser.properties.columnNames }
  package var bytesRead: Int { source.bytesRead }
  package var byteCount: Int? { source.byteCount }

  /// Clears the batch and fills it with the next records.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` if there is anything but one record at an extent, or the file has
  ///   changed.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    parser.prepare(&batch)
    defer { parser.finish(&batch) }
    while !parser.isFull(batch), next < extents.count {
      let text = try text(of: extents[next].count)
      let before = batch.count
      read(text, into: &batch, &parser)
      guard batch.count == before + 1 else { throw .moved(source.name) }
      next += 1
    }
    // The end of the bytes is where the source finds out whether the file has changed.
    if next == extents.count, try source.fill(keeping: 0) > 0 { throw .moved(source.name) }
    return batch.count > 0
  }

  /// Reads what stands at an extent; appends nothing where that is no record.
  private func read(
    _ text: UnsafeRawBufferPointer, into batch: inout FeatureBatch, _ parser: inout GeoJSONParser
  ) {
    let place = JSONPlace(line: 1, column: 1)
    if isSequence { return parser.readText(text, at: place, into: &batch, reject: { _ in }) }
    parser.json.attach(text, at: place)
    guard (try? parser.json.peek()) == JSONByte.openBrace else { return }
    try? parser.readFeature(into: &batch)
  }

  /// Returns the next bytes, valid until the next call.
  private func text(of count: Int) throws(SourceError) -> UnsafeRawBufferPointer {
    while source.buffer.count - start < count {
      let tail = source.buffer.count - start
      guard try source.fill(keeping: tail) > 0 else { throw .moved(source.name) }
      start = 0
    }
    defer { start += count }
    return UnsafeRawBufferPointer(rebasing: source.buffer[start..<(start + count)])
  }
}
