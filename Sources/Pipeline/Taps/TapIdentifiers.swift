import Features

/// The feature part of the keys of a source's rows.
///
/// Where a row has an id (`id:` of the source, or the file's own), it is that, and the key is the one
/// that `query` prints. Otherwise it is a hash of the row's place and kept properties, 32 hexadecimal
/// digits; the second row with the same hash gets `-1` behind it, the third `-2`. So keys do not depend
/// on the order of the rows, but on which properties the layers and fields name.
struct TapIdentifiers: Sendable {
  private let records: RecordColumns
  private var hashes: ContiguousArray<ContentHash> = []

  /// The ordinals of rows whose hash is not the first of its kind.
  private var ordinals: [Int: Int] = [:]

  /// - Parameter place: appends what tells where a row lies.
  /// - Complexity: O(rows), O(bytes of the rows) where one has no id.
  init(_ records: RecordColumns, place: (Int, inout [UInt8]) -> Void) {
    self.records = records
    guard (0..<records.count).contains(where: { (records.id($0) ?? "").isEmpty }) else { return }
    let columns = records.columns.sorted { $0.name < $1.name }
    var seen: [ContentHash: Int] = [:]
    var bytes: [UInt8] = []
    for row in 0..<records.count {
      bytes.removeAll(keepingCapacity: true)
      place(row, &bytes)
      for column in columns where !column.isNull(row) {
        bytes.append(contentsOf: column.name.utf8)
        bytes.append(0)
        column.appendJSON(row, to: &bytes)
      }
      let hash = bytes.withUnsafeBytes { ContentHash($0) }
      hashes.append(hash)
      guard (records.id(row) ?? "").isEmpty else { continue }
      let before = seen[hash, default: 0]
      seen[hash] = before + 1
      if before > 0 { ordinals[row] = before }
    }
  }

  func text(_ row: Int) -> String {
    if let id = records.id(row), !id.isEmpty { return id }
    let hash = hashes[row].text
    return ordinals[row].map { "\(hash)-\($0)" } ?? hash
  }
}
