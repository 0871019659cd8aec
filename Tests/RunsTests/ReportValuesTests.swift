import Features
import JSON
import Runs
import Testing

@Suite("Numbers read from JSON")
struct ReportValuesTests {
  @Test(
    "numbers stay whole if a Double represents them exactly",
    arguments: [
      (0, "0"), (-7, "-7"), (0.5, "0.5"), (0x1p53, "9007199254740992"),
      (-0x1p53, "-9007199254740992"),
    ])
  func numbers(number: Double, text: String) {
    #expect(ReportJSON(PropertyValue.number(number)).line == text)
  }

  @Test("numbers beyond all integers do not trap", arguments: [-0x1p63, 0x1p63, 1e300])
  func huge(number: Double) {
    let line = ReportJSON(PropertyValue.number(number)).line
    #expect(Double(line) == number)
  }
}
