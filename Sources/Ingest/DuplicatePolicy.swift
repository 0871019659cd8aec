/// The choice between two records with one key; raw values are those of the pipeline file.
package enum DuplicatePolicy: String, CaseIterable, Hashable, Sendable {
  /// Neither: the source is refused.
  case error
  /// The one that stands first in the file; the others are rejected.
  case first
  /// The one that stands last, at its own place; the others are rejected.
  case last
}
