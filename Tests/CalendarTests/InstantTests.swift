import Calendar
import Testing

@Suite struct InstantTests {
  @Test(
    "what is no instant is none",
    arguments: [
      "", "2014", "2014-01", "2014-02-29", "2014-13-01", "2014-00-10", "2014-01-00", "1900-02-29",
      "2014-01-19T", "2014-01-19T24:00:01Z", "2014-01-19 06:00 ", "2014-01-19 06:00 CET",
      "2014-01-19T06:60:00Z", "2014-01-19T06:00:61Z",
      "2014-01-19T06:00:00.Z", "2014-01-19T06:00:00Zx", "2014-01-19T06:00:00+1",
      "2014-01-19T06:00:00+25:00", "19.01.2014", "２０１４-01-19",
    ])
  func noInstants(text: String) {
    #expect(Instant.parse(text) == nil)
  }

  @Test(
    "all forms in which data has one instant are read as that instant",
    arguments: [
      "2014-01-09T06:00:00Z", "2014-01-09 06:00", "2014-01-09 6:00", "2014-1-9 6:00:00",
      "2014-01-09T06", "20140109T0600", "20140109T060000Z", "2014-01-09 06:00:00 UTC",
      "2014-01-09 07:30 +01:30", "2014-01-09T07+01", "2014-01-08T22:00-0800",
      "2014-01-09t06:00:00,0z",
    ])
  func forms(text: String) throws {
    let parsed = try #require(Instant.parse(text))
    #expect(parsed.instant == Instant.parse("2014-01-09T06:00:00Z")?.instant)
    #expect(parsed.form == .timestamp)
    #expect(Instant.parse("2014-01-08T24:00")?.instant == Instant.parse("2014-01-09")?.instant)
  }

  @Test("instants stand in the order of time, over centuries, leap days and zones")
  func order() throws {
    let texts = [
      "0000-01-01", "0000-02-29", "0001-01-01", "1582-10-15", "1899-12-31", "1900-02-28",
      "1900-03-01", "1969-12-31T23:59:59.999999999Z", "1970-01-01", "2000-02-29", "2000-03-01",
      "2014-01-19T06:00:00+00:01", "2014-01-19T06:00:00Z", "2016-12-31T23:59:60Z",
      "2017-01-01T00:00:00.5Z", "9999-12-31T23:59:59Z",
    ]
    let instants = try texts.map { try #require(Instant.parse($0)).instant }
    #expect(instants == instants.sorted() && Set(instants).count == texts.count)
    #expect(instants.allSatisfy { $0 > .distantPast && $0 < .distantFuture })
  }
}
