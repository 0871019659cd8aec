/// A gap of missing frames, between two existing ones or after the last.
package struct FrameGap: Hashable, Sendable {
  /// The last frame before the gap.
  package let from: FrameTime

  /// The first frame after the gap; after the last frame, the time at which the next one is due.
  package let to: FrameTime

  /// The number of missing frames, at least 1.
  package let missing: Int

  /// The policy that was applied.
  package let policy: MissingFramePolicy
}

/// The regular step between the frames of a series.
enum FrameCadence {
  /// Returns the most frequent step between sorted times, the shortest of several; `nil` for fewer
  /// than two times.
  ///
  /// - Complexity: O(n log n).
  static func mostFrequent(_ times: [FrameTime]) -> Int64? {
    let steps = zip(times, times.dropFirst()).map { $1.seconds - $0.seconds }.sorted()
    var best: (step: Int64, count: Int)?
    var start = 0
    while start < steps.count {
      var end = start
      while end < steps.count, steps[end] == steps[start] { end += 1 }
      if end - start > best?.count ?? 0 { best = (steps[start], end - start) }
      start = end
    }
    return best?.step
  }

  /// Returns the gaps between sorted times: a step of about n cadences lacks n − 1 frames.
  ///
  /// A step is rounded to whole cadences, halves up, so a slightly late frame does not leave a gap.
  ///
  /// - Parameter cadence: the regular step in seconds, positive.
  /// - Complexity: O(n).
  static func gaps(
    _ times: [FrameTime], cadence: Int64, policy: MissingFramePolicy
  ) -> [FrameGap] {
    zip(times, times.dropFirst()).compactMap { from, to in
      let step = to.seconds - from.seconds
      let whole = step / cadence
      let rest = step % cadence
      let missing = whole - 1 + (rest >= cadence - rest ? 1 : 0)
      guard missing > 0 else { return nil }
      return FrameGap(from: from, to: to, missing: Int(missing), policy: policy)
    }
  }
}
