import Baking
import Definition
import Features

/// A source of a query.
struct QuerySource {
  let definition: SourceDefinition
  let records: RecordDefinition

  /// Creates a source; `nil` for one without records.
  init?(_ definition: SourceDefinition) {
    guard let records = definition.records else { return nil }
    self.definition = definition
    self.records = records
  }

  /// Opens the data.
  ///
  /// - Parameters:
  ///   - wanted: the properties that will be read, `nil` for all.
  ///   - request: the other conditions of the query; for formats that can skip the rest.
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
    let reader = try definition.reader(request)
    try definition.requireSelected(of: reader, wanted: wanted)
    return reader
  }
}
