import Columns
import Definition
import Features
import Ingest
package import Inputs
import SourceStages

/// The feature parts of the keys of a source's records, encoded once: grids of all zooms, answers and
/// members of clusters repeat them.
///
/// It takes 8 bytes and the text for each row.
struct TapKeyTexts: Sendable {
  private var bytes: Column<UInt8>
  /// The end of each row's text in ``bytes``.
  private var ends: Column<Int>

  /// - Complexity: O(rows + bytes).
  init(_ records: RecordColumns, rows: Int, in scratch: Scratch?) {
    (bytes, ends) = (Column(in: scratch), Column(in: scratch))
    ends.reserveCapacity(rows)
    var text: [UInt8] = []
    for row in 0..<rows {
      text.removeAll(keepingCapacity: true)
      FeatureKey.append(records.identifier(row), to: &text)
      bytes.append(contentsOf: text)
      ends.append(bytes.count)
    }
  }

  /// Appends the text of a row.
  func append(_ row: Int, to key: inout [UInt8]) {
    let start = row == 0 ? 0 : ends[row - 1]
    bytes.withUnsafeBytes { key.append(contentsOf: $0[start..<ends[row]]) }
  }
}

extension ResolvedSource {
  /// The table or layer of the source in feature keys; empty for formats with only one.
  package var keyLayer: String {
    if let layerName { return layerName }
    guard let format = records?.format, Swift.type(of: format).ownsIDs else { return "" }
    return
      (try? origin.content().first().map { try format.reader(of: $0, ReadRequest()).layer }) ?? ""
  }
}
