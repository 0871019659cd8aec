/// What becomes of a second frame for one instant.
package enum DuplicateFramePolicy: String, CaseIterable, Hashable, Sendable {
  case refuse

  /// The one of the later run stays, then the one whose path comes later in the order of bytes.
  case last
}

/// What a series does without one of its frames.
package enum MissingFramePolicy: String, CaseIterable, Hashable, Sendable {
  /// The frames before and after the gap follow each other.
  case skip

  /// The frame before the gap is shown until the gap ends.
  case hold

  /// Nothing is built.
  case fail
}

/// How the frames of a source become a series.
package struct SeriesOptions: Hashable, Sendable {
  package var onDuplicate = DuplicateFramePolicy.refuse
  package var onMissing = MissingFramePolicy.skip

  /// Seconds from one frame to the next; `nil` takes the step that occurs most.
  package var every: Int64?

  /// How many of the newest frames are kept; `nil` for all.
  package var keep: Int?

  package init() {}
}
