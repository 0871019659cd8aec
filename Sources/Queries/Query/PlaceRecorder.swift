import Columns
import Features
import Ingest
import Inputs
import Reuse

/// A recorder of the places of a source's records during a pass over all of them.
final class PlaceRecorder {
  private var places: RecordPlaces
  private var identifiers: FeatureIdentifiers
  private var found: Set<String> = []
  /// Whether the reader has located every used record so far.
  private var isComplete = true
  /// Whether a record of the batch has an id in the file.
  private var hasGivenIDs = false

  /// - Parameter file: the status of the file before it is opened.
  init(of source: QuerySource, file: InputStatus, in scratch: Scratch?) {
    places = RecordPlaces(of: file, in: scratch)
    identifiers = FeatureIdentifiers(of: source, ignoring: [])
  }

  /// Looks at a batch before its records are recorded.
  ///
  /// - Complexity: O(columns), and O(rows) for each that had no value so far.
  func begin(_ batch: FeatureBatch) {
    isComplete = isComplete && batch.extents.count == batch.count
    hasGivenIDs = batch.ids.kinds.contains { $0 != .missing }
    for column in batch.columns where !found.contains(column.name) {
      if column.kinds.contains(where: { $0 != .missing }) { found.insert(column.name) }
    }
  }

  /// Records the fate of the next record.
  func record(_ fate: RecordFate, _ batch: FeatureBatch, _ row: Int) {
    guard isComplete else { return }
    places.append(fate.outcome)
    guard fate == .used || fate == .noGeometry else { return }
    var repeated: String?
    if hasGivenIDs, let text = identifiers.textOfID(batch, row),
      text != identifiers.id(batch, row)
    {
      repeated = text
    }
    guard fate == .used else { return }
    let extent = batch.extents[row]
    isComplete =
      extent.count > 0
      && places.append(RecordPlaces.Box(batch.geometry, row), extent, identifier: repeated)
  }

  /// Ends a batch.
  func end(_ reader: any FeatureReader, delivered: Int) {
    places.end(
      RecordPlaces.Batch(
        delivered: delivered, rejected: reader.ledger.rejectedTotal,
        names: reader.propertyNames.count))
  }

  /// Returns the places after a pass over the whole file; `nil` if the reader has not located every
  /// record.
  func places(after scan: RecordScan) -> RecordPlaces? {
    guard isComplete, scan.isAtEnd else { return nil }
    places.names = scan.propertyNames
    places.found = found.sorted()
    places.ledger = scan.totals
    places.ledger.numbers = scan.numbers
    return places
  }
}

extension RecordFate {
  /// The outcome as ledgers count it.
  fileprivate var outcome: RecordOutcome {
    switch self {
    case .used: .used
    case .filtered: .filtered
    case .noGeometry: .noGeometry
    case .beyondMap: .beyondMap
    case .rejected, .repeated: .rejected
    }
  }
}
