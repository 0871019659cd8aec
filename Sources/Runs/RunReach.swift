/// The progress of a run at the moment when its time limit stopped it: the stage, and the amount
/// that the next run need not repeat.
package struct RunReach: Hashable, Comparable, Sendable {
  /// The stages of a build, in order; ``zooms`` stands for the painting of zooms whose scenes are
  /// made one by one.
  private static let order = ["", "frames", "ingest", "cluster", scenes, zooms, "blocks", tiles]
  package static let scenes = "scene"
  package static let zooms = "zooms"
  package static let tiles = "tiles"

  /// The stages whose finished part the next run reuses.
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

  /// Whether a run that had come as far as this one was stopped earlier by another before its scenes
  /// were made: a run that makes those of one zoom after the other may get farther.
  package func isLost(by other: RunReach) -> Bool {
    stage == Self.tiles && other.stage == Self.scenes
  }
}
