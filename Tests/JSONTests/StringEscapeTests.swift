import JSON
import Testing

@Suite("Strings as JSON")
struct StringEscapeTests {
  @Test(
    "control characters have the short escapes that a file asks for, all others the long ones",
    arguments: [
      (.all, #""\b\t\n\f\r\u0000\u001f\"\\/é""#),
      ([], #""\u0008\u0009\u000a\u000c\u000d\u0000\u001f\"\\/é""#),
      (.lineFeed, #""\u0008\u0009\n\u000c\u000d\u0000\u001f\"\\/é""#),
      (
        [.tab, .lineFeed, .carriageReturn],
        #""\u0008\t\n\u000c\r\u0000\u001f\"\\/é""#
      ),
    ] as [(JSONWriter.Escapes, String)])
  func escapes(_ escapes: JSONWriter.Escapes, _ expected: String) {
    let text = "\u{8}\t\n\u{C}\r\u{0}\u{1F}\"\\/é"
    #expect(JSONWriter.text(text, escapes: escapes) == expected)
  }

  @Test("a tree is written on one line, or with containers of containers broken into lines")
  func tree() {
    let tree = ReportJSON.members([
      "a": .array([.integer(1), .number(1.5), .number(.nan)]), "b": .members(["c": .bool(true)]),
      "d": .array([]), "e": .null, "f": .string("x\ty"),
    ])
    #expect(
      tree.line
        == #"{"a": [1, 1.5, null], "b": {"c": true}, "d": [], "e": null, "f": "x\ty"}"#)
    #expect(
      tree.pretty == """
        {
          "a": [1, 1.5, null],
          "b": {"c": true},
          "d": [],
          "e": null,
          "f": "x\\ty"
        }

        """)
  }
}
