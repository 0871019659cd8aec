package import Features

/// What becomes of the records of one source on their way from a reader into columns.
package struct IngestOptions {
  /// The property that is the feature's id; must be among the reader's properties.
  package var id: String?

  /// Whether the ids that the file gives are compared too, where ``id`` says nothing of a record.
  package var comparesGivenIDs = false

  package var onDuplicateID = DuplicatePolicy.error

  /// Rejected records that are tolerated (`onError.max`); one more ends the reading.
  package var tolerance = 0

  /// Whether a row of a batch is wanted; asked before anything else. `nil` wants all.
  package var filter: ((FeatureBatch, Int) -> Bool)?

  /// What calls the records that have no id or that of another; `nil`: they are not called anything.
  package var identifiers: FeatureIdentifiers?

  /// Whether a property is kept, by its name; those that are not are read for ``identifiers`` and
  /// ``filter`` alone. `nil` keeps all.
  package var keeps: ((String) -> Bool)?

  package init() {}
}

/// What one source gave.
package struct IngestedSource: Sendable {
  /// Points, those of multipoints and of collections included.
  package var points: PointSet
  /// Lines and polygons. A collection of both kinds is one record in each set.
  package var shapes: ShapeSet
  /// What became of every record; balances.
  package var ledger: SourceLedger
  /// The numbers in ``points`` of the records that are in ``shapes``, too, rising.
  package var mixedRecords: [Int] = []
}
