import TestSupport
import Testing

@testable import JSON

@Suite("Numbers as text and back, as ECMAScript has it")
struct NumberTextTests {
  @Test(
    "numbers become text as in ECMAScript",
    arguments: [
      (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (1.5, "1.5"), (100, "100"),
      (0x1.ac53a7e04bcdap+66, "123456789012345680000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"),
      (1e-6, "0.000001"), (1e-7, "1e-7"), (1.25e-7, "1.25e-7"), (.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (0.000123, "0.000123"),
      (9007199254740992, "9007199254740992"), (1.0 / 3, "0.3333333333333333"),
      (4.35, "4.35"), (-1e-10, "-1e-10"), (.infinity, "Infinity"), (-.infinity, "-Infinity"),
      (.nan, "NaN"), (12345.678, "12345.678"), (100000000000000098304, "100000000000000100000"),
    ])
  func format(number: Double, text: String) {
    #expect(NumberText.format(number) == text)
  }

  @Test("every number reads back from its text")
  func roundTrip() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      let number = Double(bitPattern: random.next())
      if number.isNaN { continue }
      #expect(NumberText.parse(NumberText.format(number)) == number)
    }
  }

  @Test(
    "text becomes a number as in ECMAScript",
    arguments: [
      ("", 0), ("  ", 0), (" 12 ", 12), ("-1.5e3", -1500), (".5", 0.5), ("5.", 5), ("0x1F", 31),
      ("0b101", 5), ("0o17", 15), ("Infinity", .infinity), ("-Infinity", -.infinity), ("+7", 7),
      ("1e", nil), (".", nil), ("nan", nil), ("inf", nil), ("0x", nil), ("0x1p3", nil),
      ("1 2", nil),
      ("-0x1", nil), ("1_000", nil), ("٣", nil), ("0b2", nil),
    ] as [(String, Double?)])
  func parse(text: String, number: Double?) {
    #expect(NumberText.parse(text) == number)
  }
}
