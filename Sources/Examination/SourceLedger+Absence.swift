package import Features
import Ingest

extension SourceLedger {
  /// The finding that there is nothing of the source to draw although no record is broken; `nil`
  /// where there is something.
  package var absence: Finding? {
    if read == 0 { return Finding(.noRecords, "There is not a single record.") }
    guard used == 0 else { return nil }
    if filtered > 0, noGeometry == 0 {
      return Finding(
        .allFiltered,
        "'where' and 'filter' leave out "
          + (filtered == read
            ? "every record, \(read) in all: nothing is drawn."
            : "\(filtered) of \(read) records, and no other is used: nothing is drawn."),
        count: filtered)
    }
    let held = rejectedTotal - (rejected[.duplicateKey] ?? 0)
    guard noGeometry > 0, held == 0, beyondMap == 0 else { return nil }
    return Finding(
      .noGeometry,
      (noGeometry == 1 ? "The only record has no" : "None of the \(noGeometry) records has a")
        + " geometry: nothing is drawn.",
      count: noGeometry)
  }
}
