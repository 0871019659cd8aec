import Testing

@testable import Ingest

/// The value and length of the number at the start of a text.
private func scan(_ text: String) -> JSONNumber.Scan {
  let bytes = Array(text.utf8) + [0]
  return bytes.withUnsafeBufferPointer { buffer in
    buffer.baseAddress.map { JSONNumber.scan($0) } ?? JSONNumber.Scan(length: 0, value: .nan)
  }
}

struct JSONNumberTests {
  @Test(
    "a number has the value that the standard library gives its text, to the last bit",
    arguments: [
      "0", "-0", "7", "-12", "0.1", "-74.0496725", "40.6905201", "1e5", "1E+5", "1.5e-7",
      "9007199254740991", "9007199254740993", "9007199254740992.5", "9007199254740993.0",
      "123456789012345678", "18446744073709551615", "1844674407370955161500", "1e22", "1e23",
      "-163.71289567772871", "78.595667413241543", "-163.105800951163786", "0.3",
      "2.2250738585072014e-308", "2.2250738585072011e-308", "4.9e-324", "1e-400",
      "1.7976931348623157e308", "179.99999999999999999999999", "0.000000000000000000000000001",
      "1.00000000000000011102230246251565", "0.0000001", "8.5e-19", "9999999999999999999e-19",
      "10000000000000000000", "1e-19", "9007199254740993e-1", "0e99999999999999999999",
      "0.00e-99999999999999999999", "1e-99999999999999999999",
    ])
  func values(_ text: String) throws {
    let scan = scan(text)
    #expect(scan.length == text.utf8.count)
    #expect(scan.value.bitPattern == Double(text)?.bitPattern)
  }

  @Test("a number beyond a Double is infinite", arguments: ["1e309", "-1e400", "1e99999999999999"])
  func overflow(_ text: String) {
    #expect(scan(text).value.isInfinite)
    #expect(scan(text).length == text.utf8.count)
  }

  @Test(
    "what breaks the grammar is no number",
    arguments: [
      ("", 0), ("-", 1), ("01", 1), ("-01", 2), ("00", 1), (".5", 0), ("1.", 2), ("1.e5", 2),
      ("1e", 2), ("1e+", 3), ("+1", 0), ("nan", 0), ("-Infinity", 1), ("-.5", 1),
    ])
  func refused(_ text: String, _ length: Int) {
    #expect(scan(text).value.isNaN)
    #expect(scan(text).length == length)
  }

  @Test("a number ends before the first byte that cannot belong to it")
  func ends() {
    #expect(scan("12,5").length == 2)
    #expect(scan("0x10").length == 1)
    #expect(scan("1.5.5").length == 3)
    #expect(scan("1e5e5").length == 3)
    #expect(scan("1_000").length == 1)
  }

  @Test("random numbers of every length have the value that the standard library gives")
  func randomValues() {
    var random = JSONRandom(seed: 7)
    for _ in 0..<20_000 {
      var text = random.next(2) == 0 ? "-" : ""
      text += String(random.next() >> UInt64(random.next(64)))
      if random.next(4) > 0 {
        let fraction = String(random.next() >> UInt64(random.next(64)))
        text += "." + String(repeating: "0", count: Int(random.next(4))) + fraction
      }
      if random.next(4) == 0 { text += "e\(Int(random.next(80)) - 40)" }
      #expect(scan(text).value.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }
}
