import Features
import JSON
import Pipeline
import Testing

@Suite("Numbers that were read")
struct ReportValuesTests {
  @Test(
    "stay whole where a Double holds them exactly, whatever they are",
    arguments: [
      (0, "0"), (-7, "-7"), (0.5, "0.5"), (0x1p53, "9007199254740992"),
      (-0x1p53, "-9007199254740992"),
    ])
  func numbers(number: Double, text: String) {
    #expect(ReportJSON(PropertyValue.number(number)).line == text)
  }

  @Test("beyond all whole numbers are no trap", arguments: [-0x1p63, 0x1p63, 1e300])
  func huge(number: Double) {
    let line = ReportJSON(PropertyValue.number(number)).line
    #expect(Double(line) == number)
  }
}
