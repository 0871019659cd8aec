import Features
import JSON
import Testing

@Suite("A coordinate")
struct CoordinateGrammarTests {
  private func parse(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes { NumberGrammar.parseCoordinate($0) }
  }

  @Test(
    "a coordinate may be spelled as people spell it",
    arguments: [
      ("-.783333", -0.783333), (".5", 0.5), ("5.", 5), ("+1.5", 1.5), ("007.25", 7.25),
      ("-00.5", -0.5), ("000", 0), ("+.5e1", 5), ("-80.26262", -80.26262), ("1e2", 100),
    ])
  func spelled(text: String, value: Double) {
    #expect(parse(text) == value)
  }

  @Test(
    "a coordinate is refused in any other spelling",
    arguments: [
      "", "-", "+", ".", "-.", "nan", "inf", "0x10", "1.2.3", "33q.2", "1e", "--1", "+-1", "1 2",
      "1,5", "e5", ".e5", String(repeating: "0", count: 65),
    ])
  func refused(text: String) {
    #expect(parse(text) == nil)
  }
}
