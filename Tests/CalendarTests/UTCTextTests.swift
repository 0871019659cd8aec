import Calendar
import Testing

@Suite struct UTCTextTests {
  @Test(
    "instants are written in UTC",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (951_868_799, "2000-02-29T23:59:59.000Z"),
      (951_868_800, "2000-03-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.000Z"),
      (1_767_225_599, "2025-12-31T23:59:59.000Z"), (4_107_542_400, "2100-03-01T00:00:00.000Z"),
      (Int.max, "9999-12-31T23:59:59.000Z"), (Int.min, "0000-01-01T00:00:00.000Z"),
    ])
  func text(seconds: Int, text: String) {
    #expect(UTCText.text(secondsSince1970: seconds) == text)
  }
}
