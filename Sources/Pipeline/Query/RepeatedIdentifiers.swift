import Expressions
import Features

/// Which records of a source with an `id:` give way to another of the same id.
///
/// Ids are kept as hashes of their text. Records without one are all different.
struct RepeatedIdentifiers {
  private let name: String
  /// Where a record stands.
  struct Place {
    /// Its number among the records that were read, which two passes count alike.
    var record: Int
    /// In the file; a line may have many records.
    var line: Int
  }

  /// The record that holds each id.
  private var holders: [ContentHash: Place] = [:]
  /// Whether ``holders`` knows all ids already, and has the last record of each.
  private let isComplete: Bool
  private var column: Int?

  /// Finds repetitions of earlier records while the source is read.
  init(column name: String) {
    self.name = name
    isComplete = false
  }

  /// Knows the last record of each id, found by a pass over the source.
  ///
  /// - Complexity: O(bytes of the source).
  init(lastOf source: QuerySource, column name: String, advance: (Int) throws -> Void) throws {
    let filters = try source.definition.filters()
    let scan = try RecordScan(
      source, number: 0, select: [], wanted: [name] + filters.flatMap(\.propertyNames),
      repetitions: nil)
    var found: [ContentHash: Place] = [:]
    let view = scan.view
    try scan.run(advance: advance) {
      let batch = view.batch
      let column = batch.columns.firstIndex { $0.name == name }
      if !batch.geometry.partRange(view.row).isEmpty, let column,
        let hash = Self.hash(batch.columns[column], view.row)
      {
        found[hash] = Place(record: scan.ledger.read, line: batch.lines[view.row])
      }
      return true
    }
    self.name = name
    holders = found
    isComplete = true
  }

  /// Learns where the id stands in the batches from now on.
  mutating func adopt(_ batch: FeatureBatch) {
    if let column, column < batch.columns.count, batch.columns[column].name == name { return }
    column = batch.columns.firstIndex { $0.name == name }
  }

  /// The line of the record that a row gives way to; `nil` if it stays.
  ///
  /// - Parameter record: the row's number among the records that were read.
  mutating func holder(of batch: FeatureBatch, _ row: Int, record: Int) -> Int? {
    guard let column, let hash = Self.hash(batch.columns[column], row) else { return nil }
    if let holder = holders[hash] { return holder.record == record ? nil : holder.line }
    if !isComplete { holders[hash] = Place(record: record, line: batch.lines[row]) }
    return nil
  }

  /// The id of a row as messages name it.
  func text(_ batch: FeatureBatch, _ row: Int) -> String? {
    column.flatMap { batch.columns[$0].text(row) }
  }

  private static func hash(_ ids: PropertyColumn, _ row: Int) -> ContentHash? {
    switch ids.kinds[row] {
    case .missing, .null: return nil
    case .text, .string: return ids.withBytes(row) { ContentHash($0) }
    default:
      var text = ids.text(row) ?? ""
      return text.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)) }
    }
  }
}
