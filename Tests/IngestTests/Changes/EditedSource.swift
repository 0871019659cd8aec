import Features
import Ingest

@testable import RecordChanges

/// A source and its log as texts, of either format.
struct EditedSource {
  var base: String
  var baseIsCSV = true
  var log: String
  var logIsCSV = true
  var key: String? = "id"
  var chunk = 1 << 16

  /// The names of the files in messages.
  static let baseName = "shops"
  static let logName = "edits"

  func reader() throws -> any FeatureReader {
    let source = ByteSource(bytes: Array(base.utf8), name: Self.baseName, chunk: chunk)
    return baseIsCSV ? try CSVReader(source) : GeoJSONReader(source: source)
  }

  func read(_ change: (inout EditLogOptions) -> Void = { _ in }) throws -> RecordDump {
    try RecordDump(try edited(change))
  }

  func edited(_ change: (inout EditLogOptions) -> Void = { _ in }) throws -> EditedReader {
    let reader = try reader()
    return EditedReader(reader, log: try edits(of: reader.propertyNames, change))
  }

  /// Reads the log.
  func edits(
    of columns: [String], _ change: (inout EditLogOptions) -> Void = { _ in }
  ) throws -> EditLog {
    var options = EditLogOptions()
    options.key = key
    options.sourceColumns = columns
    change(&options)
    let source = ByteSource(bytes: Array(log.utf8), name: Self.logName, chunk: chunk)
    return try EditLog.read([(source, logIsCSV ? .csv : .geojsonseq)], options: options)
  }
}
