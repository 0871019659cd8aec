package import Features
import JSON

/// Reads a GeoJSON file (RFC 7946) as it streams by: a FeatureCollection, a Feature or a geometry.
///
/// Memory is bounded by a batch and the largest feature. Members may stand in any order; foreign
/// ones, `bbox` among them, are read over. A feature that is well-formed JSON but no good is
/// counted in ``ledger`` with its line and column (`invalidGeometry`; `invalidJSON` for a property
/// or member that occurs twice, or a number beyond a Double; `tooLarge` for limits) and the next is
/// read; where the JSON itself is broken, reading ends with an error. With a list of wanted
/// properties the others are not looked at, so they may occur twice.
///
/// `properties` may be missing or null, `geometry` must be there. Rings must have four positions,
/// lines two; a ring of three or more that is not closed is closed, and its record counted. Empty `coordinates` count as no geometry. An old `crs` member is
/// accepted where it names WGS 84.
package final class GeoJSONReader: FeatureReader {
  private var refused = SourceLedger()
  private let source: ByteSource
  private var parser: GeoJSONParser
  private var root = GeoJSONRoot(
    remedy: "set 'type: geojsonseq' for a file with one on each line")

  /// A reader of all that the source has.
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
  /// - Throws: ``SourceError`` `badData` with line and column where the text is no GeoJSON.
  package func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    do {
      try fill(&batch, &parser, &root)
    } catch {
      throw error.sourceError(file: source.name)
    }
    return batch.count > 0
  }

  /// Works on the parser as a whole, so that its exclusive access is taken once a batch.
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
