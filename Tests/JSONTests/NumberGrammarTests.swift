import JSON
import TestSupport
import Testing

@Suite("The number grammar")
struct NumberGrammarTests {
  private func parse(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { NumberGrammar.parse(UnsafeRawBufferPointer($0)) }
  }

  @Test(
    "the number grammar accepts the numbers of JSON",
    arguments: [
      "0", "-0", "1", "-1", "10", "0.5", "-0.5", "123.456", "1e5", "1E5", "1e+5", "1e-5", "0e0",
      "0.0e-0", "9007199254740993", "144.29600524902344", "-6.081689834590001",
      "0.1234567890123456789", "12345678901234567890123", "1e22", "1e23", "1e-22", "1e-23",
      "5e-324", "1.7976931348623157e308", "2.2250738585072014e-308", "1e-400",
      "18446744073709551615", "9999999999999999999", "9.999999999999999999",
      "0.00000000000000000000000000001", "1e-99999999999999999999", "0e99999999999999999999",
    ])
  func accepted(text: String) throws {
    let expected = try #require(Double(text))
    #expect(parse(text)?.bitPattern == expected.bitPattern)
  }

  @Test(
    "the number grammar refuses everything else",
    arguments: [
      "", "-", "+1", ".5", "5.", "-.5", "01", "-01", "00", "1e", "1e+", "1.e5", "e5", "1.5.5",
      "1,5", "0x10", "nan", "NaN", "inf", "-inf", "Infinity", "1 ", " 1", "1_000", "--1", "1-",
      "33q.200088", "1e5.0", "１", "1e400", "-1e400", "1e99999999999999999999",
    ])
  func refused(text: String) {
    #expect(parse(text) == nil)
  }

  @Test(
    "the number grammar ends a prefix where the number ends",
    arguments: [("12,5", 12, 2), ("-3.5e2]", -350, 6), ("01", 0, 1), ("7", 7, 1)])
  func prefix(text: String, value: Double, length: Int) throws {
    var text = text
    let prefix = try #require(
      text.withUTF8 { NumberGrammar.parsePrefix(UnsafeRawBufferPointer($0)) })
    #expect(prefix.value == value)
    #expect(prefix.length == length)
  }

  @Test("the number grammar rounds random decimals of every length like the library")
  func rounding() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...25, using: &random)
      let point = Int.random(in: 1...digits, using: &random)
      var text = Bool.random(using: &random) ? "-" : ""
      for place in 0..<digits {
        let lowest = place == 0 && point > 1 ? 1 : 0
        text += "\(Int.random(in: lowest...9, using: &random))"
        if place + 1 == point, point < digits { text += "." }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        text += "e\(Int.random(in: -330...330, using: &random))"
      }
      let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
      #expect(parse(text)?.bitPattern == expected?.bitPattern, "\(text)")
    }
  }

  @Test("the number grammar rounds ties of long mantissas to even")
  func ties() {
    // Halfway between two neighbours of 2⁵³ … 2⁵⁶, written with decimals that cancel.
    for exponent in 53...56 {
      for odd in 0..<8 as Range<UInt64> {
        let step = UInt64(1) << UInt64(exponent - 52)
        let middle = (UInt64(1) << UInt64(exponent)) + odd * step + step / 2
        let text = "\(middle).0"
        #expect(parse(text) == Double(text), "\(text)")
      }
    }
  }
}
