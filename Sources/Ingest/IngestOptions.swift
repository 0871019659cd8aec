package import Features

/// Options for the records of one source on their way from a reader into columns.
package struct IngestOptions {
  /// The property that is the feature's id; must be among the reader's properties.
  package var id: String?

  /// Whether the ids that the file gives are compared too, where ``id`` has no value for a record.
  package var comparesGivenIDs = false

  package var onDuplicateID = DuplicatePolicy.error

  /// The number of rejected records that are tolerated (`onError.max`); one more ends the reading.
  package var tolerance: RejectTolerance = 0

  /// Whether data that says it lacks records is refused.
  package var refusesIncomplete = false

  /// Whether a row of a batch is wanted; evaluated first. `nil` accepts all.
  package var filter: ((FeatureBatch, Int) -> Bool)?

  /// The properties that ``filter`` uses as numbers; the values of all records are counted.
  package var numbers: [QuantityRequest] = []

  /// The fallback identifiers for records whose id is missing or already taken; `nil` for none.
  package var identifiers: FeatureIdentifiers?

  /// Whether a property is kept, by its name; the others are read for ``identifiers`` and
  /// ``filter`` alone. `nil` keeps all.
  package var keeps: ((String) -> Bool)?

  /// Decides where the columns of points lie; `nil` for memory.
  package var scratch: Scratch?

  package init() {}
}

/// The records of one source.
package struct IngestedSource: Sendable {
  /// The points, including those of multipoints and collections.
  package var points: PointSet
  /// The lines and polygons. A collection of points and others is one record in each set.
  package var shapes: ShapeSet
  /// The outcome of every record; balances.
  package var ledger: SourceLedger
  /// The numbers in ``points`` of the records that are also in ``shapes``, ascending.
  package var mixedRecords: [Int] = []

  package init(
    points: PointSet, shapes: ShapeSet, ledger: SourceLedger, mixedRecords: [Int] = []
  ) {
    self.points = points
    self.shapes = shapes
    self.ledger = ledger
    self.mixedRecords = mixedRecords
  }
}
