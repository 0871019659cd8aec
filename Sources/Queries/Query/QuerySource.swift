import Baking
import Definition
import Features

/// A source of a query.
struct QuerySource {
  let definition: SourceDefinition

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
    if definition.records.comparesIDs {
      // Whether an id is repeated depends on all records that the source uses.
      request.bounds = nil
      request.conditions = []
    }
    request.conditions += definition.records.conditions
    let reader = try definition.reader(request)
    try definition.requireSelected(of: reader, wanted: wanted)
    return reader
  }
}
