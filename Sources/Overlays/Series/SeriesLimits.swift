/// The limits beyond which a series of images is refused.
package struct SeriesLimits: Hashable, Sendable {
  /// Maximum number of frames of a source.
  package var maxFrames = 100_000

  /// Maximum number of names that a glob may examine in all folders.
  package var maxNames = 1_000_000

  /// Maximum depth of nested folders that `**` enters.
  package var maxDepth = 32

  package init() {}

  func check(frames count: Int) throws(SeriesError) {
    guard count <= maxFrames else {
      throw SeriesError(
        .tooLarge, "\(count) frames are more than the limit of \(maxFrames); name fewer.")
    }
  }
}
