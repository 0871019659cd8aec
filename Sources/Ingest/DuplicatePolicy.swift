/// Which of two records with one key counts; raw values are the words of the pipeline file.
package enum DuplicatePolicy: String, CaseIterable, Hashable, Sendable {
  /// Neither: the source is refused.
  case error
  /// The one that stands first in the file; the others are rejected.
  case first
  /// The one that stands last, at its own place; the others are rejected.
  case last
}
