package import Features
import JSON

/// A streaming reader of GeoJSON files (RFC 7946): a FeatureCollection, a Feature or a geometry.
///
/// Memory is bounded by a batch and the largest feature. Members may come in any order; foreign
/// ones, including `bbox`, are skipped. A feature that is well-formed JSON but invalid is counted
/// in ``ledger`` with its line and column (`invalidGeometry`; `invalidJSON` for a property or
/// member that occurs twice, or a number beyond a Double; `tooLarge` for limits) and reading
/// continues with the next; where the JSON itself is broken, reading ends with an error. With a
/// list of wanted properties the others are not parsed, so they may occur twice.
///
/// `properties` may be missing or null, `geometry` must be there. Rings must have four positions,
/// lines two; an open ring of three or more is closed, and its record counted. Empty `coordinates`
/// count as a missing geometry. An old `crs` member is accepted where it names WGS 84.
package final class GeoJSONReader: FeatureReader {
  private var refused = SourceLedger()
  private var source: ByteSource
  private let options: GeoJSONOptions
  private let threads: ReadingThreads
  private var parser: GeoJSONParser
  private var root = GeoJSONRoot(
    remedy: "set 'type: geojsonseq' for a file with one on each line")
  /// The features, once they are read in sections, until they end.
  private var sections: GeoJSONSections?
  private var hasRecords = false

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
    parser = GeoJSONParser(
      JSONTokenizer(source: source, limits: options.json), options: options)
  }

  package var ledger: SourceLedger {
    (sections?.ledger ?? refused.countingRings(closedBy: parser)).stating(root.extent)
  }

  package var propertyNames: [String] { sections?.names ?? parser.properties.columnNames }

  package var bytesRead: Int { sections?.bytesRead ?? source.bytesRead }

  package var byteCount: Int? { source.byteCount }

  /// Clears the batch and fills it with the next records.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` `badData` with line and column where the text is not GeoJSON.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    do {
      if sections == nil { cut() }
      if let sections {
        if let end = try sections.read(into: &batch) {
          join(sections, at: end)
          try fill(&batch, &parser, &root)
        }
      } else {
        parser.prepare(&batch)
        try fill(&batch, &parser, &root)
      }
    } catch {
      throw error.sourceError(file: source.name)
    }
    hasRecords = batch.count > 0
    return batch.count > 0
  }

  /// Works on the parser as a whole, so that its exclusive access is taken once per batch.
  private func fill(
    _ batch: inout FeatureBatch, _ parser: inout GeoJSONParser, _ root: inout GeoJSONRoot
  ) throws(JSONFailure) {
    defer { parser.finish(&batch) }
    if root.position == .start { try parser.json.skipByteOrderMark() }
    while root.position != .end, !parser.isFull(batch) {
      do {
        let (isFeature, before) = (root.position == .features, batch.count)
        try root.step(&parser, into: &batch)
        if isFeature, batch.count > before { parser.locateFeature(in: &batch) }
      } catch {
        switch error {
        case .record(let example):
          refused.read += 1
          refused.reject(example, as: example.reason)
        case .text(let failure): throw failure
        }
      }
    }
  }

  /// Begins to read the features in sections where that is worth it: after a batch of them, which
  /// shows how they begin.
  private func cut() {
    guard hasRecords, root.position == .features, let store = source.store,
      threads.cuts(store.byteCount - parser.json.offset),
      let head = GeoJSONSectionReader.head(of: parser.json.windowRest)
    else { return }
    let position = GeoJSONPosition(offset: parser.json.offset, place: parser.json.place())
    sections = GeoJSONSections(
      store, chunk: source.chunk, .features(head: head), from: .behind(position), of: parser,
      refused: refused, options: options, threads: threads)
  }

  /// Goes on after the features.
  private func join(_ sections: GeoJSONSections, at end: GeoJSONSections.End) {
    refused = sections.refused
    parser.adopt(closedRings: sections.closedRings, names: sections.names)
    if case .features(let position) = end, let store = source.store {
      source = ByteSource(store, from: position.offset, chunk: source.chunk)
      parser.json.resume(
        source, at: position.place, offset: position.offset, inside: [true], awaitsValue: false)
      root.leaveFeatures(&parser)
    }
    self.sections = nil
  }
}
