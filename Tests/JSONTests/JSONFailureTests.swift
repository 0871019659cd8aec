import JSON
import Testing

struct JSONFailureTests {
  @Test(
    "messages quote the input short and without control characters",
    arguments: [
      ("name", "'name'"), ("", "''"), ("grün", "'grün'"),
      ("a\u{1B}[31m\n\u{202E}b", "'a\\u{1b}[31m\\u{a}\\u{202e}b'"),
      (String(repeating: "x", count: 41), "'\(String(repeating: "x", count: 40))…'"),
    ])
  func quoting(_ text: String, _ expected: String) {
    #expect(JSONFailure.quoted(text) == expected)
  }
}
