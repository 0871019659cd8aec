import Testing

@testable import Raster

@Suite("VisualOrder")
struct VisualOrderTests {
  @Test(
    "right-to-left runs are turned around, numbers in them are not",
    arguments: [
      ("abc 123", "abc 123"), ("\u{5D0}\u{5D1}\u{5D2}", "\u{5D2}\u{5D1}\u{5D0}"),
      ("a \u{5D0}\u{5D1} b", "a \u{5D1}\u{5D0} b"),
      ("\u{5D0}\u{5D1} 12.5", "12.5 \u{5D1}\u{5D0}"),
      ("\u{5D0} ab \u{5D1}", "\u{5D1} ab \u{5D0}"),
      ("\u{5D0} (\u{5D1})", "(\u{5D1}) \u{5D0}"),
      ("a \u{5D0} \u{5D1} 7", "a 7 \u{5D1} \u{5D0}"),
      ("\u{5D0}\u{5B8}\u{5D1}", "\u{5D1}\u{5D0}\u{5B8}"), ("", ""), (" \u{5D0}", "\u{5D0} "),
    ])
  func order(logical: String, visual: String) {
    let scalars = VisualOrder.reordered(Array(logical.unicodeScalars))
    #expect(scalars.map(\.value) == visual.unicodeScalars.map(\.value))
  }

  @Test("reordering keeps every character, whatever the mixture", arguments: 0..<200)
  func permutation(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed) + 7000)
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "1", "2", " ", ".", ",", "-", "\u{5D0}", "\u{5D1}", "\u{627}", "\u{5B8}", "\u{301}",
    ]
    let line = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
    }
    let visual = VisualOrder.reordered(line)
    #expect(visual.map(\.value).sorted() == line.map(\.value).sorted())
  }
}
