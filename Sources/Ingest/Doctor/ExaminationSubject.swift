package import Features

/// A source as the examiner needs to know it: what the pipeline says of it.
package struct ExaminationSubject {
  /// How the file is read.
  package enum Format {
    case csv(CSVOptions)
    case geojson
    case geojsonseq
    /// By a reader whose files are no text.
    case other
  }

  package var format: Format

  /// The file as the user named it, for messages.
  package var file: String

  /// The property that is the feature's id (`id`), and what two equal ones mean.
  package var id: String?
  package var onDuplicateID = DuplicatePolicy.error

  /// See ``IngestOptions/comparesGivenIDs``.
  package var comparesGivenIDs = false

  /// Rejected records that are tolerated (`onError.max`).
  package var tolerance = 0

  /// Whether a row of a batch is wanted; `nil` wants all.
  package var filter: ((FeatureBatch, Int) -> Bool)?

  /// The CQL2 text of `where`, which a suggested condition must keep.
  package var condition: String?

  /// Sentences about properties that the pipeline asks for and that are not among those of the file.
  package var unknownProperties: ([String]) -> [String] = { _ in [] }

  /// Opens the same bytes once more; `nil` where they can be read only once.
  package var reopen: (() throws(SourceError) -> ByteSource)?

  package init(format: Format, file: String) {
    self.format = format
    self.file = file
  }

  var csvOptions: CSVOptions? {
    if case .csv(let options) = format { return options }
    return nil
  }

  /// Whether its reader reads text, and no database.
  var isText: Bool { isJSON || csvOptions != nil }

  var isJSON: Bool {
    switch format {
    case .geojson, .geojsonseq: true
    case .csv, .other: false
    }
  }
}

/// What is known of a source after all of its records were looked at.
package struct SourceExamination: Sendable {
  /// What became of every record; balances unless ``failure`` ended the reading.
  package var ledger = SourceLedger()

  /// Bytes of the file that were read.
  package var bytes = 0

  /// The properties, in the order of the reader; of the records that are used or have no geometry.
  package var columns: [ColumnProfile] = []

  package var coordinates = CoordinateProfile()
  package var shapes = ShapeProfile()

  /// What its owner should know, the gravest first.
  package var findings: [Finding] = []

  /// Why a build would refuse the source; `nil` if it would not.
  package var failure: SourceError?

  /// Whether ``failure`` says what is the matter with the file, beyond where its reader fails.
  package var isExplained = false
}
