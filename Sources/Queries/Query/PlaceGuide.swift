import Features
import Reuse

/// The records of a source that a query for a box must read, and the known outcomes of the others.
struct PlaceGuide {
  let places: RecordPlaces

  /// The records among ``places``, ascending.
  private let records: [Int]

  /// Chooses the records whose boxes may touch the query's.
  init(_ places: RecordPlaces, records: [Int]) {
    self.places = places
    self.records = records
  }

  /// The number of records that are read.
  var count: Int { records.count }

  /// The records as a reader takes them.
  var located: LocatedRecords {
    LocatedRecords(extents: records.map(places.extent), names: places.names)
  }

  /// Whether a row of a batch lies where the record of this number was.
  func fits(_ number: Int, _ batch: FeatureBatch, _ row: Int) -> Bool {
    number < count && places.box(records[number]) == RecordPlaces.Box(batch.geometry, row)
  }

  /// Returns the identifier of a record if an earlier one has the same id in the file.
  func identifier(_ number: Int) -> String? { places.identifiers[records[number]] }

  /// Returns the counts that a pass over the whole file has at its end, or at the record where it
  /// stops.
  ///
  /// - Parameter last: the number of the record with which it ends early; `nil` at the end.
  func counts(upTo last: Int?) -> (ledger: SourceLedger, names: [String]) {
    guard let last else { return (places.ledger, places.names) }
    return places.counts(upTo: records[last])
  }
}
