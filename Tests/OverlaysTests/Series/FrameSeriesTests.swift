import Calendar
import TestSupport
import Testing

@testable import Overlays

@Suite struct FrameSeriesTests {
  /// A frame so many minutes after 2014-01-19T06:00Z.
  private func frame(_ minutes: Int, _ name: String? = nil, run: FrameTime? = nil) -> FrameEntry {
    let fields = CalendarFields(seconds: 1_390_111_200 + Int64(minutes) * 60)
    guard let time = FrameTime(seconds: fields.seconds) else {
      preconditionFailure("outside of the calendar")
    }
    return FrameEntry(time: time, location: .file(name ?? "\(minutes).png"), run: run)
  }

  private func series(
    _ minutes: [Int], _ change: (inout SeriesOptions) -> Void = { _ in }
  ) throws -> FrameSeries {
    var options = SeriesOptions()
    change(&options)
    return try FrameSeries(minutes.map { frame($0) }, options: options)
  }

  @Test(
    arguments: [
      ([0], nil, []), ([0, 15], 15, []), ([0, 15, 30, 45], 15, []),
      ([0, 15, 45, 60], 15, [(15, 1)]),
      ([0, 15, 30, 90, 105], 15, [(30, 3)]), ([0, 10, 40], 10, [(10, 2)]),
      ([0, 180, 360, 540, 900, 1260], 180, [(540, 1), (900, 1)]),
      ([0, 10, 21, 30, 40], 10, []), ([0, 10, 20, 34, 49, 59], 10, [(34, 1)]),
    ] as [([Int], Int?, [(Int, Int)])])
  func `the most frequent step determines the missing frames`(
    minutes: [Int], cadence: Int?, gaps: [(Int, Int)]
  ) throws {
    let series = try series(minutes)
    #expect(series.cadence == cadence.map { Int64($0 * 60) })
    #expect(series.gaps.map(\.from) == gaps.map { frame($0.0).time })
    #expect(series.gaps.map(\.missing) == gaps.map(\.1))
    for gap in series.gaps {
      let after = series.entries.first { $0.time > gap.from }
      #expect(gap.to == after?.time)
    }
  }

  @Test func `a given cadence is used`() throws {
    #expect(try series([0, 30, 60]) { $0.every = 900 }.gaps.map(\.missing) == [1, 1])
    #expect(try series([0]) { $0.every = 900 }.cadence == 900)
    #expect(try series([0, 15, 30, 60]) { $0.every = 3600 }.gaps == [])
  }

  @Test func `a gap over all of history does not overflow`() throws {
    let first = try #require(FrameTime(seconds: -62_135_596_800))
    let last = try #require(FrameTime(seconds: 253_402_300_799))
    var options = SeriesOptions()
    options.every = 1
    options.onMissing = .hold
    let entries = [first, last].map { FrameEntry(time: $0, location: .file("\($0.seconds)")) }
    let series = try FrameSeries(entries, options: options)
    #expect(series.gaps.map(\.missing) == [315_537_897_598])
    var presentation = FramePresentation()
    presentation.frameDuration = Int.max
    #expect(series.steps.map(presentation.duration) == [86_400_000, 86_400_000])
  }

  @Test func `a held frame is shown until the gap ends, a skipped one is not`() throws {
    #expect(try series([0, 15, 60, 75]) { $0.onMissing = .hold }.steps == [1, 3, 1, 1])
    #expect(try series([0, 15, 60, 75]).steps == [1, 1, 1, 1])
  }

  @Test func `a missing frame fails the build if the policy says so`() {
    let message = refusal { () throws(SeriesError) in
      var options = SeriesOptions()
      options.onMissing = .fail
      return try FrameSeries([0, 15, 30, 75].map { frame($0) }, options: options)
    }
    #expect(
      message.hasPrefix(
        "2 frames are missing between 2014-01-19T06:30:00Z and 2014-01-19T07:15:00Z, where one "
          + "every 15 min is expected"))
  }

  @Test func `two frames of one instant are refused, or the later run and name wins`() throws {
    let twins = [frame(0, "b.png"), frame(0, "a.png"), frame(15)]
    let message = refusal { () throws(SeriesError) in
      try FrameSeries(twins, options: SeriesOptions())
    }
    #expect(message.hasPrefix("a.png and b.png are both the frame of 2014-01-19T06:00:00Z"))
    var options = SeriesOptions()
    options.onDuplicate = .last
    let series = try FrameSeries(twins, options: options)
    #expect(series.entries.map(\.place) == ["b.png", "15.png"])
    #expect(series.replaced.map(\.place) == ["a.png"])
    let old = frame(-360).time
    let runs = [
      frame(0, "z.png", run: old), frame(0, "a.png", run: frame(-180).time), frame(0, "zz"),
    ]
    #expect(try FrameSeries(runs, options: options).entries.map(\.place) == ["a.png"])
  }

  @Test func `keep retains the newest frames, as if older ones had never existed`() throws {
    let minutes = [0, 5, 10, 15, 30, 45, 90, 105]
    for keep in 1...10 {
      let kept = try series(minutes) { $0.keep = keep }
      let alone = try series(Array(minutes.suffix(keep)))
      #expect(kept.entries == alone.entries)
      #expect(kept.gaps == alone.gaps)
      #expect(kept.cadence == alone.cadence)
      #expect(kept.expired == max(0, minutes.count - keep))
      #expect(kept.latest == frame(105))
    }
  }

  @Test(arguments: MissingFramePolicy.allCases.filter { $0 != .fail }, [nil, 1, 5, 100])
  func `the order in which frames come has no influence`(
    policy: MissingFramePolicy, keep: Int?
  ) throws {
    var random = SplitMix64(seed: 44)
    var options = SeriesOptions()
    options.onMissing = policy
    options.onDuplicate = .last
    options.keep = keep
    for _ in 0..<50 {
      var entries = (0..<20).map { _ in
        frame(15 * random.below(30), "\(random.below(1000)).png")
      }
      let expected = try FrameSeries(entries, options: options)
      entries.shuffle(using: &random)
      #expect(try FrameSeries(entries, options: options) == expected)
      let times = expected.entries.map(\.time)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
      // Every entry is in the series, or gave way, or is older than all that is kept.
      let held = Set(expected.entries).union(expected.replaced)
      #expect(entries.allSatisfy { held.contains($0) || $0.time < times[0] })
    }
  }

  @Test func `an unusable frame leaves a gap at the old cadence`() throws {
    let whole = try series([0, 15, 30, 45]) { $0.onMissing = .hold }
    let left = try whole.without([frame(15).time])
    #expect(left.entries == [frame(0), frame(30), frame(45)])
    #expect(left.gaps.map(\.missing) == [1])
    #expect(left.unusable == [frame(15).time])
    let ends = try whole.without([frame(0).time, frame(45).time])
    // Nothing lies before the first frame; behind the last one the next is due at 60.
    let tail = FrameGap(from: frame(30).time, to: frame(60).time, missing: 1, policy: .hold)
    #expect(ends.gaps == [tail] && ends.steps == [1, 2])
    #expect(ends.unusable == [frame(0).time, frame(45).time])
    #expect(try whole.without([]) == whole)
    #expect(throws: SeriesError.self) { try whole.without(Set(whole.entries.map(\.time))) }
    let strict = try series([0, 15, 30, 45]) { $0.onMissing = .fail }
    #expect(throws: SeriesError.self) { try strict.without([frame(45).time]) }
  }

  @Test func `unusable frames behind the last one are held over, too`() throws {
    let whole = try series([0, 15, 30, 45]) { $0.onMissing = .hold }
    let left = try whole.without([frame(30).time]).without([frame(45).time])
    #expect(left.gaps.map(\.missing) == [2] && left.steps == [1, 3])
    #expect(left.cadence == 900)
    #expect(try whole.without([frame(30).time, frame(45).time]) == left)
  }

  @Test func `keep counts usable frames`() throws {
    let all = try series([0, 15, 30, 45, 60]) { $0.keep = 3 }
    let left = try all.without([frame(60).time])
    #expect(left.entries == [frame(15), frame(30), frame(45)] && left.expired == 1)
    let fewer = try left.without([frame(15).time, frame(30).time])
    #expect(fewer.entries == [frame(0), frame(45)] && fewer.expired == 0)
    #expect(fewer.unusable == [frame(15).time, frame(30).time, frame(60).time])
    #expect(try all.without([frame(45).time, frame(60).time]).entries.first == frame(0))
    #expect(throws: SeriesError.self) {
      try fewer.without([frame(0).time, frame(45).time])
    }
  }

  @Test func `invalid options and series without frames are refused`() {
    #expect(throws: SeriesError.self) { try series([]) }
    #expect(throws: SeriesError.self) { try series([0]) { $0.keep = 0 } }
    #expect(throws: SeriesError.self) { try series([0]) { $0.every = 0 } }
  }

  @Test(arguments: [
    (900, "15 min"), (3600, "1 h"), (86_400, "1 d"), (90, "90 s"), (5400, "90 min"), (1, "1 s"),
  ])
  func `steps are formatted in the largest unit`(seconds: Int64, text: String) {
    #expect(FrameSeries.duration(seconds) == text)
  }
}
