import Definition
import Ingest
import Inputs
import RecordChanges
import Reuse

extension SourceReading {
  /// Returns the records of a source with a log of edits: its unedited records, which are read only
  /// if the cache lacks them, with the log applied.
  ///
  /// - Returns: `nil` if there is no log, if data and log must be read together, or if something
  ///   cannot be read; the caller's ordinary way then reports the error.
  func editedRecords(
    of source: ResolvedSource, key: ArtifactKey, advance: @escaping (Int) throws -> Void
  ) throws -> LoadedSource? {
    guard !artifacts.isOfPlan, recordLimit == nil, let unedited = source.unedited,
      let records = source.records
    else { return nil }
    let request = try source.request(records, style: style, definition: definition)
    guard !request.identifies else { return nil }
    // Data that fails without the log may be valid with it.
    guard let base = try? self.records(of: unedited, advance: advance) else { return nil }
    try store(base)
    var options = try source.ingestOptions(records)
    options.scratch = context.scratch
    guard let overlay = EditOverlay(base.points, base.shapes, ledger: base.ledger),
      overlay.propertyNames == base.propertyNames,
      let log = try? source.editLog(over: base.propertyNames, request),
      let edited = overlay.edited(
        by: log, file: source.dataName, options: options)
    else { return nil }
    return LoadedSource(
      resolved: source, points: edited.points, shapes: edited.shapes, ledger: edited.ledger,
      bytes: base.bytes, propertyNames: base.propertyNames, key: key,
      isCached: base.isCached, isLaidOver: true)
  }
}
