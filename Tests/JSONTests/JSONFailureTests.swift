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

  @Test(
    "words that JSON does not have are named with what to write instead",
    arguments: [
      ("NaN", "'NaN', which JSON does not have. Write null"),
      ("-Infinity", "'Infinity', which JSON does not have. Write null"),
      ("None", "'None', which JSON does not have. Write null"),
      (
        "\0\0",
        "'\\u{0}', a NUL byte: the file was not written to its end. Export or copy it again"
      ),
      ("Nope", "'N'"),
    ])
  func foreignWords(word: String, found: String) {
    for chunk in [1, 3, 64] {
      let failure = #expect(throws: JSONFailure.self) {
        var tokenizer = JSONTokenizer(
          source: PiecewiseBytes(Array("[1, \(word)]".utf8), chunk: chunk))
        try tokenizer.skipValue()
        try tokenizer.finish()
      }
      #expect(failure?.message.hasSuffix("found \(found)") == true, "\(failure?.message ?? "")")
      #expect(failure?.place.column == (word.hasPrefix("-") ? 6 : 5))
    }
  }
}
