/// How far a run came before its time limit stopped it, in what it left to the next one.
package struct RunReach: Hashable, Comparable, Sendable {
  /// The stages of a build, in order; ``zooms`` stands for the painting of zooms whose scenes are
  /// made one by one.
  private static let order = ["", "frames", "ingest", "cluster", "scene", zooms, "blocks", tiles]
  package static let zooms = "zooms"
  package static let tiles = "tiles"

  /// The stages of which the next run does not repeat what is done.
  private static let resumed: Set<String> = ["ingest", zooms, "blocks", tiles]

  package let stage: String

  /// The amount that the next run need not do again.
  package let done: Int

  package init(stage: String, done: Int) {
    self.stage = stage
    self.done = Self.resumed.contains(stage) ? done : 0
  }

  package static func < (one: RunReach, other: RunReach) -> Bool {
    func rank(_ reach: RunReach) -> Int { order.firstIndex(of: reach.stage) ?? 0 }
    return (rank(one), one.done) < (rank(other), other.done)
  }
}
