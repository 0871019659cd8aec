import JSON
import Testing

/// Reads a text that is one number.
private func read(_ text: String, chunk: Int) throws(JSONFailure) -> Double {
  var json = JSONTokenizer(
    source: PiecewiseBytes(Array(text.utf8), chunk: chunk))
  _ = try json.peek()
  let value = try json.readNumber()
  try json.finish()
  return value
}

struct JSONNumberTests {
  @Test(
    "a number has the value that the standard library gives its text, wherever chunks end",
    arguments: [
      "0", "-0", "7", "-12", "0.1", "-74.0496725", "1e5", "1E+5", "1.5e-7", "9007199254740993",
      "-163.71289567772871", "179.99999999999999999999999", "1.7976931348623157e308", "4.9e-324",
      "1e-400", "0e99999999999999999999",
    ])
  func values(_ text: String) throws {
    for chunk in 1...(text.utf8.count + 1) {
      #expect(try read(text, chunk: chunk).bitPattern == Double(text)?.bitPattern)
    }
  }

  @Test("a number beyond a Double is infinite", arguments: ["1e309", "-1e400", "1.5E99999999999"])
  func overflow(_ text: String) throws {
    for chunk in 1...4 { #expect(try read(text, chunk: chunk).isInfinite) }
  }

  @Test(
    "malformed numbers are refused at the fault, wherever chunks end",
    arguments: [
      ("-", 2), ("01", 2), ("-01", 3), ("1.", 3), ("1.e5", 3), ("1e", 3), ("1e+", 4), ("-x", 2),
      ("-.5", 2), ("1.5.5", 4), ("1e5e5", 4), ("1-2", 2), ("0x10", 2), ("1_000", 2),
    ])
  func refused(_ text: String, _ column: Int) {
    for chunk in 1...4 {
      let failure = #expect(throws: JSONFailure.self) { try read(text, chunk: chunk) }
      #expect(failure?.place == JSONPlace(line: 1, column: column))
    }
  }
}
