import Definition
import Features
import Inputs

/// A source of a query.
struct QuerySource {
  let source: ResolvedSource

  /// The values of the pipeline file.
  var definition: SourceDefinition { source.definition }
  let records: RecordDefinition

  /// Creates a source; `nil` for one without records.
  init?(_ source: ResolvedSource) {
    guard let records = source.records else { return nil }
    self.source = source
    self.records = records
  }

  /// Opens the data.
  ///
  /// - Parameters:
  ///   - wanted: the properties that will be read, `nil` for all.
  ///   - request: the other conditions of the query, for formats that can skip records by them.
  /// - Throws: ``SourceError`` where the data cannot be read, or lacks a column that `select:`
  ///   names.
  func open(wanted: [String]?, _ request: ReadRequest) throws -> any FeatureReader {
    var request = request
    request.wanted = wanted
    // Skipped records are not counted: that would read the table to its end.
    request.countsFiltered = request.bounds == nil && request.conditions.isEmpty
    if records.comparesIDs {
      // Whether an id is repeated depends on all records that the source uses.
      request.bounds = nil
      request.conditions = []
    }
    request.conditions += records.conditions
    let reader = try source.reader(request)
    try source.requireSelected(of: reader, wanted: wanted)
    return reader
  }
}
