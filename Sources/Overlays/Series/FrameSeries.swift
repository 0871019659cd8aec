/// The frames of a series in the order of time, one for each instant, and the gaps among them.
///
/// The series is a function of the set of entries and of the options, not of the order in which
/// entries came.
package struct FrameSeries: Hashable, Sendable {
  /// The entries sorted by time, at least one.
  package let entries: [FrameEntry]

  /// The frames that were superseded by another one of the same instant, sorted by time.
  package let replaced: [FrameEntry]

  /// The number of older frames that `keep` excluded.
  package var expired: Int { older.count }

  /// The seconds from one frame to the next, as given or as found; `nil` for a single frame.
  package let cadence: Int64?

  package let gaps: [FrameGap]

  /// Frames whose images could not be used, sorted; see ``without(_:)``.
  package let unusable: [FrameTime]

  private let options: SeriesOptions

  /// The frames that `keep` excluded, sorted by time: the last of them replace frames that turn out
  /// to be unusable.
  private let older: ArraySlice<FrameEntry>

  /// - Throws: ``SeriesError`` if there are no frames, if two have the same instant or one is
  ///   missing and the policy forbids that, or if an option is invalid.
  /// - Complexity: O(n log n).
  package init(_ entries: [FrameEntry], options: SeriesOptions) throws(SeriesError) {
    guard !entries.isEmpty else {
      throw SeriesError(.notFound, "the series has no frame; check 'frames:' and its folder.")
    }
    if let keep = options.keep, keep < 1 {
      throw SeriesError(.badDocument, "'keep: \(keep)' keeps no frame; write 1 or more.")
    }
    if let every = options.every, every < 1 {
      throw SeriesError(
        .badDocument, "'every: \(every)' is no step from frame to frame; write seconds from 1 up.")
    }
    let sorted = entries.sorted { one, other in
      one.time == other.time ? other.isLater(than: one) : one.time < other.time
    }
    let (single, replaced) = try Self.single(sorted, policy: options.onDuplicate)
    let older = single.dropLast(options.keep ?? single.count)
    try self.init(
      sorted: Array(single[older.endIndex...]), older: older, replaced: replaced, unusable: [],
      options: options)
  }

  /// - Parameters:
  ///   - entries: the frames that are kept, sorted, at least one.
  ///   - unusable: frames that were examined and are unusable, sorted.
  private init(
    sorted entries: [FrameEntry], older: ArraySlice<FrameEntry>, replaced: [FrameEntry],
    unusable: [FrameTime], options: SeriesOptions
  ) throws(SeriesError) {
    var times = entries.map(\.time)
    cadence = options.every ?? FrameCadence.mostFrequent((times + unusable).sorted())
    // Behind the last frame the gap is not ended by another frame, but by the time at which the
    // next is due.
    if let cadence, let last = times.last, let newest = unusable.last, last < newest,
      let due = FrameTime(seconds: newest.seconds + min(cadence, 1 << 40))
    {
      times.append(due)
    }
    gaps = cadence.map { FrameCadence.gaps(times, cadence: $0, policy: options.onMissing) } ?? []
    self.entries = entries
    self.older = older
    self.replaced = replaced
    self.options = options
    self.unusable = unusable
    if options.onMissing == .fail, let gap = gaps.first { throw Self.refusal(of: gap, cadence) }
  }

  /// Returns one frame for each instant, the last of its frames, and the frames that it replaces.
  private static func single(
    _ sorted: [FrameEntry], policy: DuplicateFramePolicy
  ) throws(SeriesError) -> (single: [FrameEntry], replaced: [FrameEntry]) {
    var single: [FrameEntry] = []
    var replaced: [FrameEntry] = []
    for entry in sorted {
      if let last = single.last, last.time == entry.time {
        guard policy == .last else {
          throw SeriesError(
            .duplicateFrame,
            "\(last.place) and \(entry.place) are both the frame of \(entry.time); remove one, or "
              + "set 'onDuplicate: last'.")
        }
        replaced.append(single.removeLast())
      }
      single.append(entry)
    }
    return (single, replaced)
  }

  private static func refusal(of gap: FrameGap, _ cadence: Int64?) -> SeriesError {
    let frames = gap.missing == 1 ? "a frame is" : "\(gap.missing) frames are"
    return SeriesError(
      .missingFrame,
      "\(frames) missing between \(gap.from) and \(gap.to), where one every "
        + "\(Self.duration(cadence ?? 0)) is expected; supply what is missing, or set "
        + "'onMissing: skip' or 'hold'.")
  }

  /// Returns seconds in the largest unit of which they are a whole number.
  static func duration(_ seconds: Int64) -> String {
    for (length, unit) in [(86_400 as Int64, "d"), (3600, "h"), (60, "min")]
    where seconds >= length && seconds % length == 0 {
      return "\(seconds / length) \(unit)"
    }
    return "\(seconds) s"
  }

  /// Returns the series without frames whose images turned out to be invalid, or of another size.
  ///
  /// They still count for the cadence, so each leaves a gap, even after the last frame, but not
  /// before the first one. They do not count for `keep`: as many older frames replace them.
  ///
  /// - Throws: ``SeriesError`` if the policy is to fail, or if no frame is left.
  package func without(_ times: Set<FrameTime>) throws(SeriesError) -> FrameSeries {
    let gone = entries.map(\.time).filter(times.contains)
    guard let first = gone.first else { return self }
    let left =
      older.suffix(gone.count) + entries.filter { !times.contains($0.time) }
    guard !left.isEmpty else {
      throw SeriesError(.notFound, "no frame of the series has an image that can be used.")
    }
    // A bad first or last frame does not leave a gap between frames, but is still missing.
    guard options.onMissing != .fail else {
      throw SeriesError(
        .missingFrame,
        "the frame of \(first) cannot be used; replace its image, or set 'onMissing: skip' or "
          + "'hold'.")
    }
    return try FrameSeries(
      sorted: Array(left), older: older.dropLast(gone.count), replaced: replaced,
      unusable: (unusable + gone).sorted(), options: options)
  }

  /// The newest frame, which `latest` stands for.
  package var latest: FrameEntry { entries[entries.count - 1] }

  /// The duration of each entry in frames: 1, plus the length of the gap after it if gaps are held
  /// over.
  package var steps: [Int] {
    let held = Dictionary(
      gaps.filter { $0.policy == .hold }.map { ($0.from, $0.missing) }, uniquingKeysWith: max)
    return entries.map { 1 + held[$0.time, default: 0] }
  }
}
