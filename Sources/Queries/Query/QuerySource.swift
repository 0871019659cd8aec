import Baking
import Definition
import Features

/// A source as queries read it.
struct QuerySource {
  let definition: SourceDefinition

  /// Opens the data.
  ///
  /// - Parameters:
  ///   - wanted: the properties that somebody will read, `nil` for all that there are.
  ///   - request: what else the query asks for; formats that can leave out the rest.
  /// - Throws: ``SourceError`` where the data cannot be read, or lacks what `select:` names.
  func open(wanted: [String]?, _ request: ReadRequest) throws -> any FeatureReader {
    var request = request
    request.wanted = wanted
    // What the query leaves out is not counted: that would read the table to its end.
    request.countsFiltered = request.bounds == nil && request.conditions.isEmpty
    if definition.records.comparesIDs {
      // Whether an id is repeated is a matter of all records that the source uses.
      request.bounds = nil
      request.conditions = []
    }
    request.conditions += definition.records.conditions
    let reader = try definition.reader(request)
    try definition.requireSelected(of: reader, wanted: wanted)
    return reader
  }
}
