/// How much a series of images may ask for before it is refused.
package struct SeriesLimits: Hashable, Sendable {
  /// Frames that a source may name.
  package var maxFrames = 100_000

  /// Names that a glob may look at in all folders.
  package var maxNames = 1_000_000

  /// Folders that `**` enters, one in the other.
  package var maxDepth = 32

  package init() {}

  func check(frames count: Int) throws(SeriesError) {
    guard count <= maxFrames else {
      throw SeriesError(
        .tooLarge, "\(count) frames are more than the limit of \(maxFrames); name fewer.")
    }
  }
}
