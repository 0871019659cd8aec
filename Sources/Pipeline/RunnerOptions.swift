package import Tiling

/// What `query` asks for.
package struct QueryOptions: Hashable, Sendable {
  /// The names of the sources, empty for all.
  package var sources: [String] = []

  /// Only features that touch this box.
  package var bounds: GeoBounds?

  /// CQL2 text, `nil` for all records.
  package var whereText: String?

  /// At most so many features, `nil` for all.
  package var limit: Int?

  /// The clusters of this zoom instead of the records.
  package var clusterZoom: Int?

  package init() {}
}

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
