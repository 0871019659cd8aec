package import Features
package import JSON
import OrderedCollections

/// The form of the conservation ledger in an archive's metadata: written here and checked here.
package enum LedgerForm {
  package static func json(_ ledger: SourceLedger, points: Int) -> ReportJSON {
    .object(
      ledger.countMembers(rejected: .integer(ledger.rejectedTotal)) + ledger.repairMembers
        + ledger.matchedMembers + [.init("points", .integer(points))])
  }

  /// Returns the first problem with a ledger, or `nil`.
  package static func fault(in value: PropertyValue) -> String? {
    guard case .object(let sources) = value else { return "the ledger is not an object" }
    for (name, entry) in sources {
      guard case .object(let counts) = entry else { return "source '\(name)' has no counts" }
      func count(_ key: String) -> Double {
        if case .number(let number)? = counts[key] { number } else { .nan }
      }
      // Archives of earlier versions do not have the outcome `beyondMap`.
      let parts = RecordOutcome.allCases.filter { $0 != .beyondMap || counts[$0.rawValue] != nil }
        .map { count($0.rawValue) }
      guard parts.reduce(0, +) == count("read") else {
        let read = Int(exactly: count("read")).map { "\($0)" } ?? "no number of"
        return "source '\(name)' read \(read) records, but what became of them does not add up to "
          + "that"
      }
    }
    return nil
  }
}
