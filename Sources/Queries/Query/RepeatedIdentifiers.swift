import Definition
import Expressions
import Features
import Ingest
import Inputs

/// The repeated ids of a source that compares ids: the records that give way to another of the same
/// id.
///
/// Ids are stored as hashes of their text. Records without an id all differ.
struct RepeatedIdentifiers: RepetitionFinder {
  /// The name of the property that is the id; `nil` for none.
  private let name: String?
  /// Whether the file's own ids count where the property is blank.
  private let comparesGiven: Bool
  /// The position of a record.
  struct Place {
    /// The number of the record among those that were read; two passes count alike.
    var record: Int
    /// The line in the file; a line may have many records.
    var line: Int
  }

  /// The record that currently holds each id.
  private var holders: [ContentHash: Place] = [:]
  /// Whether ``holders`` already contains all ids, with the last record of each.
  private let isComplete: Bool
  private var column: Int?

  /// Creates the comparison of a source's ids; if the last record of each id counts, finds these
  /// beforehand in a separate pass.
  ///
  /// - Returns: `nil` if ids are not compared.
  /// - Complexity: O(bytes of the source) if the last record counts.
  init?(of source: QuerySource, advance: (Int) throws -> Void) throws {
    let records = source.records
    guard records.comparesIDs else { return nil }
    name = records.uniqueID
    comparesGiven = records.comparesGivenIDs
    isComplete = records.onDuplicateID == .last
    if isComplete { holders = try lastHolders(in: source, advance: advance) }
  }

  private func lastHolders(
    in source: QuerySource, advance: (Int) throws -> Void
  ) throws -> [ContentHash: Place] {
    let names = try source.definition.filters().flatMap(\.propertyNames)
    let scan = try RecordScan(
      source, number: 0, select: [], wanted: [name].compactMap(\.self) + names, repetitions: nil)
    var found: [ContentHash: Place] = [:]
    let view = scan.view
    try scan.run(advance: advance) {
      let batch = view.batch
      let column = batch.columns.firstIndex { $0.name == name }
      if !batch.geometry.partRange(view.row).isEmpty, let hash = hash(batch, view.row, column) {
        found[hash] = Place(record: scan.recordCount, line: batch.lines[view.row])
      }
      return true
    }
    return found
  }

  /// Locates the id in the batches from now on.
  mutating func adopt(_ batch: FeatureBatch) {
    if let column, column < batch.columns.count, batch.columns[column].name == name { return }
    column = batch.columns.firstIndex { $0.name == name }
  }

  mutating func repetition(
    of batch: FeatureBatch, _ row: Int, _ geometry: UnkeptGeometry, record: Int
  ) -> Repetition {
    guard let hash = hash(batch, row, column) else { return .unique }
    if let holder = holders[hash] {
      guard holder.record != record else { return .unique }
      let id = FeatureIdentifiers.id(batch, row, column: column) ?? ""
      return .repeated(id: id, line: holder.line)
    }
    if !isComplete { holders[hash] = Place(record: record, line: batch.lines[row]) }
    return .unique
  }

  private func hash(_ batch: FeatureBatch, _ row: Int, _ column: Int?) -> ContentHash? {
    if let column, let hash = Self.hash(batch.columns[column], row) {
      // An empty text is an id like any other if only the property counts.
      if !comparesGiven || !batch.columns[column].isBlank(row) { return hash }
    }
    return comparesGiven && !batch.ids.isBlank(row) ? Self.hash(batch.ids, row) : nil
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
