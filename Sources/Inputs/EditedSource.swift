package import Definition
package import Features
import Ingest
import Projections
package import RecordChanges

extension ResolvedSource {
  /// The source without its log of edits; `nil` without a log, or if the log cannot be applied to
  /// records that were read before: the columns must be known from one file, and nothing but the
  /// log may change or filter the records.
  package var unedited: ResolvedSource? {
    guard let records, records.format is CSVSource, records.id != nil, records.line == nil,
      records.windows == nil,
      records.changes.edits != nil, records.changes.joins.isEmpty, records.filter == nil,
      records.conditions.isEmpty, absence == nil, origin.canBeReadAgain, origin.storedFile != nil,
      records.format.system.map({ $0 == .degrees }) ?? true
    else { return nil }
    var source = self
    source.records?.changes.edits = nil
    return source
  }

  /// Reads the log of edits of the source; `nil` without one.
  ///
  /// - Parameter names: the properties of the records that it changes.
  /// - Throws: ``SourceError`` when the log cannot be read or does not fit.
  package func editLog(over names: [String], _ request: ReadRequest) throws(SourceError) -> EditLog?
  {
    guard let records else { return nil }
    return try records.changes.editLog(
      over: names, csv: (records.format as? CSVSource)?.options, id: records.id, request: request)
  }
}
