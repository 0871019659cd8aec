import Testing
import TextAnalysis

@testable import Raster

private let ideographs = String(repeating: "字", count: 15)

@Suite("LineBreaker")
struct LineBreakerTests {
  /// Breaks a text of letters 10 wide.
  private func broken(_ text: String, width: Double) throws -> [String] {
    let scalars = Array(text.unicodeScalars)
    let breaker = LineBreaker(maxWidth: width)
    var breaks = try TextAnalyzer().lineBreaks(in: scalars)
    LineBreaker.adjust(&breaks, of: scalars)
    return breaker.lines(scalars, advances: scalars.map { _ in 10 }, breaks: breaks).map { range in
      var line = String.UnicodeScalarView()
      line.append(contentsOf: scalars[range])
      return String(line)
    }
  }

  @Test(
    "lines come out even, and no wider than the maximum where words allow",
    arguments: [
      ("aaa bbb", 100, ["aaa bbb"]), ("aaaa bbbb cccc dddd", 100, ["aaaa bbbb", "cccc dddd"]),
      ("aaaaaaaaaaaaaaaa bb", 100, ["aaaaaaaaaaaaaaaa", "bb"]),
      ("aaaa-bbbb", 50, ["aaaa-", "bbbb"]), ("aaaa (bbbb)", 60, ["aaaa", "(bbbb)"]),
      (ideographs + ideographs, 160, [ideographs, ideographs]),
      // Two of five ems' width: as even as the fewest lines allow.
      ("日本語テキスト東京都", 40, ["日本語テ", "キスト", "東京都"]),
      ("日本\u{200B}東京", 20, ["日本", "東京"]),
      ("aa\n\nbb", 1000, ["aa", "", "bb"]),
      ("a\n", 1000, ["a"]),
      ("", 100, [""]),
    ] as [(String, Double, [String])])
  func lines(text: String, width: Double, expected: [String]) throws {
    #expect(try broken(text, width: width) == expected)
  }

  @Test(
    "lines end behind the signs at which MapLibre breaks them, but do not begin with a stop",
    arguments: [
      ("aaaa&bbbb", ["aaaa&", "bbbb"]), ("aaaa+bbbb", ["aaaa+", "bbbb"]),
      ("aaaa·bbbb", ["aaaa·", "bbbb"]), ("aaaa/1234", ["aaaa/", "1234"]),
      ("aaaa-1234", ["aaaa-", "1234"]), ("(aaa)bbbb", ["(aaa)", "bbbb"]),
      ("aaaa(bbb)", ["aaaa", "(bbb)"]), ("aaaa‧bbbb", ["aaaa‧", "bbbb"]),
      ("(aaa), bbbb", ["(aaa),", "bbbb"]), ("a&\u{301}aabbb", ["a&\u{301}aabbb"]),
    ])
  func signs(text: String, expected: [String]) throws {
    #expect(try broken(text, width: 60) == expected)
  }

  @Test(
    "a line does not end inside a Korean word, but beside one and in Chinese and Japanese",
    arguments: [
      ("대한민국 서울특별시", ["대한민국", "서울특별시"]), ("서울특별시청앞", ["서울특별시청앞"]),
      ("강남역2번출구", ["강남역2번출구"]), ("제3동주민센터", ["제3동주민센터"]),
      ("서울(특별시)역", ["서울", "(특별시)", "역"]), ("서울·부산·대구", ["서울·", "부산·대구"]),
      ("東京都千代田区", ["東京都千", "代田区"]),
    ])
  func korean(text: String, expected: [String]) throws {
    #expect(try broken(text, width: 40) == expected)
  }

  @Test("line breaking loses no letter, whatever the width", arguments: 1...40)
  func complete(width: Int) throws {
    let text = "The (quick) brown fox-trot & a/b jumps over\nthe lazy dog"
    let together = try broken(text, width: Double(width * 10)).joined(separator: " ")
    let letters = { (text: String) in text.filter { $0 != " " && $0 != "\n" } }
    #expect(letters(together) == letters(text))
  }
}
