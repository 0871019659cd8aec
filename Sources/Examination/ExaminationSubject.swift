package import Features
package import Ingest

/// A source as the examiner needs to know it: its description in the pipeline.
package struct ExaminationSubject {
  package var format: ExaminedFormat

  /// The file as the user named it, for messages.
  package var file: String

  /// The columns of longitude and latitude, where the pipeline names them.
  package var columns: (x: String, y: String)?

  /// Returns the texts of other encodings that a reader met, a line each, where the pipeline can say
  /// which encoding it is; `nil` where it cannot.
  package var foreignTexts: ((any FeatureReader) -> [UInt8])?

  /// The property that is the feature's id (`id`), and the policy for duplicates.
  package var id: String?
  package var onDuplicateID = DuplicatePolicy.error

  /// Whether ids that records bring along are compared, see ``IngestOptions/comparesGivenIDs``.
  package var comparesGivenIDs = false

  /// The number of rejected records that are tolerated (`onError.max`).
  package var tolerance: RejectTolerance = 0

  /// Whether data that says it lacks records is refused.
  package var refusesIncomplete = false

  /// Whether a row of a batch is wanted; `nil` wants all.
  package var filter: ((FeatureBatch, Int) -> Bool)?

  /// Whether a layer fills the areas in the order of the file.
  package var fillsInFileOrder = false

  /// The CQL2 text of `where`, which a suggested condition must preserve.
  package var condition: String?

  /// Returns sentences about properties that the pipeline uses and the file lacks.
  package var unknownProperties: ([String]) -> [String] = { _ in [] }

  /// The uses of properties as numbers.
  package var numbers: [QuantityUsage] = []

  /// Opens the same bytes once more; `nil` where they can be read only once.
  package var reopen: (() throws(SourceError) -> ByteSource)?

  package init(format: ExaminedFormat, file: String) {
    self.format = format
    self.file = file
  }

  var csvOptions: CSVOptions? {
    if case .csv(let options) = format { return options }
    return nil
  }

  /// Whether columns may hold the places of records without geometries, and the pipeline names none.
  var mayHoldPlaces: Bool { csvOptions == nil && !isVectorTiles && columns == nil }

  var isVectorTiles: Bool { if case .vectorTiles = format { true } else { false } }

  /// Whether the source's reader reads text rather than a database.
  var isText: Bool { isJSON || csvOptions != nil }

  var isJSON: Bool {
    switch format {
    case .geojson, .geojsonseq: true
    case .csv, .vectorTiles, .other: false
    }
  }
}

/// The result of examining all records of a source.
package struct SourceExamination: Sendable {
  /// The outcome of every record; balances unless ``failure`` ended the reading.
  package var ledger = SourceLedger()

  /// The number of bytes of the file that were read.
  package var bytes = 0

  /// The properties of the records that are used or have no geometry, in the order of the reader.
  package var columns: [ColumnProfile] = []

  package var coordinates = CoordinateProfile()
  package var shapes = ShapeProfile()

  /// Areas among the first of the file that others hide; `nil` for none.
  package var nesting: AreaNesting?

  /// The findings, most severe first.
  package var findings: [Finding] = []

  /// The reason why a build would refuse the source; `nil` if it would not.
  package var failure: SourceError?

  /// Whether ``failure`` names the cause in the file, beyond the place where its reader fails.
  package var isExplained = false
}
