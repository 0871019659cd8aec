import Testing

@testable import TextAnalysis

@Suite("Scripts of texts")
struct ScriptTests {
  @Test(
    "digits, spaces and marks have the script of the text before them",
    arguments: [
      ("ab 1", ["Latn", "Latn", "Latn", "Latn"]), ("1 \u{5D0}", ["Hebr", "Hebr", "Hebr"]),
      ("а\u{301}", ["Cyrl", "Cyrl"]), ("日aक", ["Hani", "Latn", "Deva"]), ("1", ["Zyyy"]), ("", []),
    ] as [(String, [String])])
  func scripts(text: String, names: [String]) {
    let scripts = TextAnalyzer().scripts(of: Array(text.unicodeScalars))
    #expect(scripts == names.map { Script($0) })
  }

  @Test(
    "ideographs, kana and Hangul stand upright in vertical lines, letters and brackets do not",
    arguments: [
      ("日", true), ("カ", true), ("한", true), ("。", false), ("a", false), ("ー", false),
      ("\u{1F600}", false),
    ])
  func eastAsian(text: String, isUpright: Bool) {
    #expect(text.unicodeScalars.allSatisfy { TextAnalyzer.isEastAsianUpright($0) == isUpright })
  }

  @Test("the libraries report their versions")
  func versions() {
    #expect(ICUVersion.text.contains(".") && ICUVersion.unicode.contains("."))
  }
}
