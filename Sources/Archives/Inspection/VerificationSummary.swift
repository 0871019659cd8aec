/// What `verify` found in an archive.
package struct VerificationSummary: Hashable, Sendable {
  /// Sentences about what is wrong, each naming its tile, row or key; empty for a good archive.
  package var faults: [String]

  /// Sentences about what some readers of archives will not like.
  package var warnings: [String]

  /// What was checked, a line for people.
  package var conclusion: String

  package init(faults: [String] = [], warnings: [String] = [], conclusion: String) {
    self.faults = faults
    self.warnings = warnings
    self.conclusion = conclusion
  }
}
