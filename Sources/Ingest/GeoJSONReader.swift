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
  private let source: ByteSource
  private var parser: GeoJSONParser
  private var root = GeoJSONRoot(
    remedy: "set 'type: geojsonseq' for a file with one on each line")

  /// Creates a reader of all that the source has.
  package init(source: ByteSource, options: GeoJSONOptions = GeoJSONOptions()) {
    self.source = source
    parser = GeoJSONParser(
      JSONTokenizer(source: source, limits: options.json), options: options)
  }

  package var ledger: SourceLedger { refused.countingRings(closedBy: parser) }

  package var propertyNames: [String] { parser.properties.columnNames }

  package var bytesRead: Int { source.bytesRead }

  package var byteCount: Int? { source.byteCount }

  /// Clears the batch and fills it with the next records.
  ///
  /// - Returns: `false` at the end, with an empty batch.
  /// - Throws: ``SourceError`` `badData` with line and column where the text is not GeoJSON.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    do {
      try fill(&batch, &parser, &root)
    } catch {
      throw error.sourceError(file: source.name)
    }
    return batch.count > 0
  }

  /// Works on the parser as a whole, so that its exclusive access is taken once per batch.
  private func fill(
    _ batch: inout FeatureBatch, _ parser: inout GeoJSONParser, _ root: inout GeoJSONRoot
  ) throws(JSONFailure) {
    parser.prepare(&batch)
    defer { parser.finish(&batch) }
    if root.position == .start { try parser.json.skipByteOrderMark() }
    while root.position != .end, !parser.isFull(batch) {
      do {
        try root.step(&parser, into: &batch)
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
}
