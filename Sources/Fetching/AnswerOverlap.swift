/// A filter for features of a response that were in an earlier one: features on the common edge of
/// neighbouring requests are in both responses.
///
/// A feature is identified by its id if it has one, otherwise by its whole content. Duplicates
/// within one response are kept: a feature that occurs `n` times in one response and `m` times in
/// another occurs `max(n, m)` times in all. Responses are processed in the order of the requests,
/// so the result does not depend on which one arrived first.
package struct AnswerOverlap<Key: Hashable> {
  /// The number of occurrences of each feature in the response that had it most.
  private var most: [Key: Int] = [:]

  /// The number of occurrences of each feature in the current response.
  private var present: [Key: Int] = [:]

  /// The number of features that were dropped.
  package private(set) var repeats = 0

  package init() {}

  /// Begins the next response.
  package mutating func beginAnswer() {
    present.removeAll(keepingCapacity: true)
  }

  /// Whether a feature of the current response is new.
  ///
  /// - Complexity: O(1).
  package mutating func isNew(_ key: Key) -> Bool {
    let count = present[key, default: 0] + 1
    present[key] = count
    if count > most[key, default: 0] {
      most[key] = count
      return true
    }
    repeats += 1
    return false
  }
}
