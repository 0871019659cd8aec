import TestSupport
import Testing

@testable import Overlays

@Suite struct TimePatternTests {
  @Test(arguments: [
    ("%Y-%m-%dT%H%MZ", "rain/2014-01-19T0600Z.png", "2014-01-19T06:00:00Z"),
    ("%Y-%m-%dT%H%M%SZ", "2015-10-15T090000Z.png", "2015-10-15T09:00:00Z"),
    ("%Y%m%d%H", "2016112018.png", "2016-11-20T18:00:00Z"),
    ("%Y%m%d", "20161120.png", "2016-11-20T00:00:00Z"),
    ("%Y", "of 2016", "2016-01-01T00:00:00Z"),
    ("%Y%m", "x201602y", "2016-02-01T00:00:00Z"),
    ("%y%j.%H%M", "A16366.0510.hdf", "2016-12-31T05:10:00Z"),
    ("%y%m%d", "690101", "1969-01-01T00:00:00Z"),
    ("%y%m%d", "680101", "2068-01-01T00:00:00Z"),
    ("%d %b %Y", "rain 19 JAN 2014.png", "2014-01-19T00:00:00Z"),
    ("rain_%s", "rain_1390111200.png", "2014-01-19T06:00:00Z"),
    ("_%s.", "a_-60.png", "1969-12-31T23:59:00Z"),
    ("%F %T %Z", "2014-01-19 06:00:00 UTC", "2014-01-19T06:00:00Z"),
    ("%Y%m%dT%H%M%z", "20140119T0600+0100.png", "2014-01-19T05:00:00Z"),
    ("%Y%m%dT%H%M%z", "20140119T0600Z.png", "2014-01-19T06:00:00Z"),
    ("%Y/%m/%d/%H%M", "a/2014/01/19/0600.png", "2014-01-19T06:00:00Z"),
    ("100%%_%Y%m%d", "100%_20140119.png", "2014-01-19T00:00:00Z"),
    ("%Y%m%d", "19990101/20140119.png", "2014-01-19T00:00:00Z"),
    ("%Y%m%d", "n0q-20139919-20140119.png", "2014-01-19T00:00:00Z"),
    ("%Y%m%d", "20140119-20140119.png", "2014-01-19T00:00:00Z"),
    ("%Y%m%d%H%M%S", "20161231235960.png", "2017-01-01T00:00:00Z"),
    ("%Y-%m-%dT%H%M%S%z", "2017-01-01T005960+0100", "2017-01-01T00:00:00Z"),
    ("%Y-%m-%dT%T%z", "2015-07-01T05:29:60+05:30", "2015-07-01T00:00:00Z"),
    ("%Y%m%d%H%M", "201612312400.png", "2017-01-01T00:00:00Z"),
    ("%Y%j%H", "201636624", "2017-01-01T00:00:00Z"),
    ("%F %T", "2016-02-28 24:00:00", "2016-02-29T00:00:00Z"),
    ("%H%M_%d%m%Y", "rain0600_19012014é.png", "2014-01-19T06:00:00Z"),
  ])
  func `a time pattern reads the time from a part of a name`(
    pattern: String, name: String, text: String
  )
    throws
  {
    #expect(try TimePattern(pattern).time(in: name).description == text)
  }

  @Test(arguments: [
    ("%Y%m%d", "201401190600.png", "at character 9, a number goes on where the pattern ends"),
    ("%m%d%Y", "901192014", "at character 1, a month 90 lies outside"),
    ("%Y-%m-%dT%H%M", "2014-01-19.png", "at character 11, expected 'T'"),
    ("%Y-%m-%d", "rain.png", "at character 1, expected a year of 4 digits"),
    ("%Y%m%d", "20140231", "there is no day 2014-02-31"),
    ("%Y%m%d%H%M", "201401192401", "hour 24 is followed by other than 00:00"),
    ("%Y%m%d%H%M%S", "20140119240060", "hour 24 is followed by other than 00:00"),
    ("%Y%m%d%H", "2014011925", "an hour 25 lies outside 0 … 24"),
    ("%Y%m%d%H%M%S", "20140119060060", "a second 60 lies outside 0 … 59"),
    ("%Y%m%d%H%M%S", "20140119235961", "a second 61 lies outside 0 … 60"),
    ("%Y%m%d%H%M", "999912312400", "this is a time beyond the years 1 to 9999"),
    ("%Y%j", "2014366", "the year 2014 has no day 366"),
    ("%Y%m%d", "20140119-20140120", "holds two times"),
    ("%d%b%Y", "19Jam2014", "expected a month such as Jan"),
    ("%Y%m%d%z", "20140119X", "expected a zone"),
    ("%Y%m%d%Z", "20140119X", "expected UTC, GMT or Z"),
    ("%s", "999999999999", "outside of the years 1 to 9999"),
    ("%s", "9999999999999", "a number goes on"),
    ("%Y", "", "expected a year"),
  ])
  func `a name that does not match a time pattern is refused with the place`(
    pattern: String, name: String, reason: String
  ) throws {
    let pattern = try TimePattern(pattern)
    let message = refusal { () throws(SeriesError) in try pattern.time(in: name) }
    #expect(message.contains(reason), "\(message)")
  }

  @Test(arguments: [
    ("%Q", "%Q, which is unknown"), ("2014%", "% at the end"), ("%é", "unknown"),
    ("%m%d", "has no year"), ("", "has no year"), ("%Y%Y", "twice"), ("%Y%y", "one thing twice"),
    ("%Y%j%d", "one thing twice"), ("%Y%m%b", "one thing twice"), ("%Y%s", "no other directive"),
    ("%Y%m%H", "no day"), ("%Y%m%d%M", "has %M but no %H"), ("%Y%m%d%H%S", "has %S but no %M"),
    ("%Y%d", "no month"), ("%F%Y", "twice"), (String(repeating: "x", count: 2000), "1000"),
  ])
  func `an incomplete, contradictory or unknown time pattern is refused`(
    text: String, reason: String
  ) {
    let message = refusal { () throws(SeriesError) in try TimePattern(text) }
    #expect(message.contains(reason), "\(message)")
  }

  @Test(arguments: [
    "%Y-%m-%dT%H:%M:%SZ", "%y%j%H%M%S", "%d %b %Y %T %Z", "x%sx", "%F_%H%M%S%z", "%%%Y%m%d%H%M%S",
  ])
  func `a time pattern reads what it formats`(text: String) throws {
    let pattern = try TimePattern(text)
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      // The years that two digits can tell.
      let seconds = Int64(random.below(3_100_000_000))
      let instant = try #require(FrameTime(seconds: seconds))
      let name = "rain_" + pattern.format(instant) + ".png"
      #expect(try pattern.time(in: name) == instant, "\(name)")
    }
  }

  @Test func `any bytes match a time pattern or are refused`() throws {
    var random = SplitMix64(seed: 11)
    let letters = Array("%YymbdjHMSszZFT0123456789-:TZ+ é".unicodeScalars)
    for _ in 0..<3000 {
      func text(_ length: Int) -> String {
        var text = ""
        for _ in 0..<length { text.unicodeScalars.append(letters[random.below(letters.count)]) }
        return text
      }
      _ = try? FrameTime(iso8601: text(random.below(20)))
      guard let pattern = try? TimePattern(text(random.below(8))) else { continue }
      _ = try? pattern.time(in: text(random.below(24)))
    }
  }
}
