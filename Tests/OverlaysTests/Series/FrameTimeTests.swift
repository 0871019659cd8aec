import TestSupport
import Testing

@testable import Overlays

@Suite struct FrameTimeTests {
  @Test(arguments: [
    ("2014-01-19T06:00:00Z", 1_390_111_200), ("2014-01-19T06:00:00", 1_390_111_200),
    ("2014-01-19 06:00", 1_390_111_200), ("2014-01-19T06", 1_390_111_200),
    ("2014-01-19T06Z", 1_390_111_200), ("20140119T060000Z", 1_390_111_200),
    ("20140119T0600", 1_390_111_200), ("2014-01-19T0600Z", 1_390_111_200),
    ("2014-01-19t06:00:00.999z", 1_390_111_200), ("2014-01-19T07:30:00+01:30", 1_390_111_200),
    ("2014-01-18T22:00-0800", 1_390_111_200), ("2014-01-19T07+01", 1_390_111_200),
    ("2014-01-19", 1_390_089_600), ("2014-01-18T24:00", 1_390_089_600),
    ("2014-01-18T23:59:60Z", 1_390_089_600), ("20140118T235960.5", 1_390_089_600),
    ("2014-01-19T05:29:60+05:30", 1_390_089_600), ("2014-01-18T24:00:00.0Z", 1_390_089_600),
    ("20140119Z", 1_390_089_600), ("1970-01-01", 0), ("1969-12-31T23:59:59Z", -1),
    ("2000-02-29", 951_782_400), ("2016-11-20T00:00Z", 1_479_600_000),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
  ])
  func `frame times are read in the forms of ISO 8601, in UTC without a zone`(
    text: String, seconds: Int64
  )
    throws
  {
    #expect(try time(text).seconds == seconds)
  }

  @Test(arguments: [
    ("", 1, "a year of 4 digits"), ("2014", 5, "a month of 2 digits"),
    ("2014-13-01", 6, "a month 13 lies outside 1 … 12"), ("2014-02-29", 9, "a day 29"),
    ("1900-02-29", 9, "a day 29 lies outside 1 … 28"), ("2014-01-19X06", 11, "expected T"),
    ("2014-01-19T25:00", 12, "an hour 25"), ("2014-01-19T06:60", 15, "a minute 60"),
    ("2014-01-19T06:00:61", 18, "a second 61"), ("2014-01-19T06:00:00.Z", 21, "a fraction"),
    ("2014-01-19T23:59:61", 18, "a second 61"), ("2014-01-19T24:00:01", 12, "hour 24"),
    ("2014-01-19T06:00Zx", 18, "expected the end"), ("2014-01-19T24:01", 12, "hour 24"),
    ("2014-01-19T06:00+9", 19, "hour of the offset"), ("2014-0119", 8, "expected '-'"),
    ("0000-01-01", 1, "years 1 to 9999"), ("0001-01-01T00:00+01:00", 1, "years 1 to 9999"),
    ("９999-01-01", 1, "a year of 4 digits"),
  ])
  func `an invalid time is refused with the wrong character`(
    text: String, character: Int, reason: String
  ) {
    let message = refusal { () throws(SeriesError) in try FrameTime(iso8601: text) }
    #expect(message.contains("at character \(character), "))
    #expect(message.contains(reason))
  }

  @Test func `an invalid time that is far too long is not repeated`() {
    let text = String(repeating: "2014", count: 1000)
    #expect(refusal { () throws(SeriesError) in try FrameTime(iso8601: text) }.utf8.count < 100)
  }

  @Test func `a time, its text and the name of its file lead to each other over all years`() throws
  {
    var random = SplitMix64(seed: 4)
    for _ in 0..<5000 {
      let seconds = Int64(random.below(315_537_897_600)) - 62_135_596_800
      let instant = try #require(FrameTime(seconds: seconds))
      #expect(try time(instant.description) == instant)
      #expect(try time(instant.fileName.filter { $0 != "-" }) == instant)
    }
  }

  @Test(arguments: [
    ("2014-01-19T06:00", "2014-01-19T0600Z", "Sun 19 Jan 2014 06:00 UTC"),
    ("2014-01-19T06:00:05", "2014-01-19T060005Z", "Sun 19 Jan 2014 06:00:05 UTC"),
    ("0999-12-01", "0999-12-01T0000Z", "Sun 1 Dec 999 00:00 UTC"),
  ])
  func `frame times have seconds in file names and labels only if they are not 0`(
    text: String, name: String, label: String
  ) throws {
    #expect(try time(text).fileName == name)
    #expect(try time(text).label == label)
  }

  @Test(arguments: [
    (3.0, "2014-01-19T09:00:00Z"), (0, "2014-01-19T06:00:00Z"), (-6, "2014-01-19T00:00:00Z"),
    (0.25, "2014-01-19T06:15:00Z"), (36, "2014-01-20T18:00:00Z"),
  ])
  func `a forecast's time is its run plus the hours after it`(hours: Double, text: String) throws {
    let run = try time("2014-01-19T06:00")
    #expect(FrameTime(run: run, hours: hours)?.description == text)
  }

  @Test(arguments: [0.0001, .nan, .infinity, 1e300, 9e7])
  func `forecast hours beyond the calendar or between seconds give no time`(hours: Double) throws {
    #expect(FrameTime(run: try time("2014-01-19T06:00"), hours: hours) == nil)
  }
}
