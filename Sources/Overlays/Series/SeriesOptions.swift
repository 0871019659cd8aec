/// The policy for a second frame with the same instant.
package enum DuplicateFramePolicy: String, CaseIterable, Hashable, Sendable {
  case refuse

  /// The one of the later run wins, then the one whose path is later in byte order.
  case last
}

/// The policy for a missing frame.
package enum MissingFramePolicy: String, CaseIterable, Hashable, Sendable {
  /// The frames before and after the gap follow each other directly.
  case skip

  /// The frame before the gap is shown until the gap ends.
  case hold

  /// The build fails.
  case fail
}

/// The options for turning the frames of a source into a series.
package struct SeriesOptions: Hashable, Sendable {
  package var onDuplicate = DuplicateFramePolicy.refuse
  package var onMissing = MissingFramePolicy.skip

  /// Seconds from one frame to the next; `nil` for the most frequent step.
  package var every: Int64?

  /// The number of newest frames that are kept; `nil` for all.
  package var keep: Int?

  package init() {}
}
