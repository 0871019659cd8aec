/// The findings of `verify` in an archive.
package struct VerificationSummary: Hashable, Sendable {
  /// Sentences about problems, each naming its tile, row or key; empty for a good archive.
  package var faults: [String] = []

  /// Sentences about features of the archive that some readers do not support.
  package var warnings: [String] = []

  /// A summary of the checks, a line for people.
  package var conclusion: String
}
