/// Tells which features of an answer came with an answer before: neighbouring requests both
/// contain what lies on their common edge.
///
/// A feature is known by its id where it has one, else by its whole content. Twins within one
/// answer stay twins: of a feature that an answer has `n` times and another `m` times there are
/// `max(n, m)` in all. The answers come in the order of the requests, so the result does not depend
/// on which one arrived first.
package struct AnswerOverlap<Key: Hashable> {
  /// How often each feature was in the answer that had it most.
  private var most: [Key: Int] = [:]

  /// How often each was in the present answer.
  private var present: [Key: Int] = [:]

  /// Features that were left out.
  package private(set) var repeats = 0

  package init() {}

  /// Begins the next answer.
  package mutating func beginAnswer() {
    present.removeAll(keepingCapacity: true)
  }

  /// Whether a feature of the present answer is new.
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
