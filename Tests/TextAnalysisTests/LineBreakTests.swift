import Foundation
import TestSupport
import Testing

@testable import TextAnalysis

@Suite("Line breaks of texts")
struct LineBreakTests {
  let analyzer = TextAnalyzer()

  /// Returns a text with a bar at each place where a line may end before the text does.
  private func marked(_ text: String) throws -> String {
    let scalars = Array(text.unicodeScalars)
    let breaks = try analyzer.lineBreaks(in: scalars)
    #expect(breaks.count == scalars.count && breaks.last ?? true)
    var marked = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      marked.append(scalar)
      if breaks[index], index + 1 < scalars.count { marked.append("|") }
    }
    return String(marked)
  }

  @Test(
    "lines end behind spaces, hyphens and ideographs, but not before punctuation",
    arguments: [
      "one |two", "A.1 |b, |c", "fox-|trot", "(quick) |brown", "50 |% |off", "日|本。|語",
      "「東|京」|駅", "a\n|b", "a\u{AD}|b", "a\u{A0}b", "x|\u{1F600}|\u{1F600}", "",
    ])
  func places(wanted: String) throws {
    #expect(try marked(wanted.filter { $0 != "|" }) == wanted)
  }

  // How finely words are cut is the dictionaries' own.
  @Test(
    "words are found in dictionaries where a script has no spaces",
    arguments: [
      "โรงแรม|กรุงเทพ", "ໂຮງແຮມ|ວຽງຈັນ", "សណ្ឋាគារ|ភ្នំពេញ",
      "မြန်မာစကားသည်|အလွန်လှပသောဘာသာစကားဖြစ်သည်",
    ])
  func dictionaries(wanted: String) throws {
    let words = try marked(wanted.filter { $0 != "|" }).split(separator: "|")
    #expect(words.count > 1, "\(words)")
  }

  @Test("plain texts have the breaks of ICU without asking it", arguments: 0..<300)
  func plain(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 90)
    let alphabet = Array("abzAZ09éßŁ \n.,:;'\" ".unicodeScalars)
    var text: [Unicode.Scalar] = []
    for _ in 0..<Int.random(in: 0...16, using: &random) {
      text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
    }
    if let plain = PlainText.lineBreaks(in: text) {
      #expect(try plain == analyzer.dictionaryLineBreaks(in: text), "\(text)")
    }
    #expect(PlainText.lineBreaks(in: Array("São Tomé, 12".unicodeScalars)) != nil)
  }

  @Test("Unicode's cases have its breaks (UAX 14)", .enabled(if: cases != nil))
  func conformance() throws {
    var failures: [Substring] = []
    var count = 0
    for row in try #require(cases).split(separator: "\n") where !row.hasPrefix("#") {
      let signs = row.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
      var scalars: [Unicode.Scalar] = []
      var wanted: [Bool] = []
      for sign in signs {
        switch sign {
        case "÷": wanted.append(true)
        case "×": wanted.append(false)
        default: scalars += UInt32(sign, radix: 16).flatMap(Unicode.Scalar.init).map { [$0] } ?? []
        }
      }
      count += 1
      let breaks = try analyzer.lineBreaks(in: scalars)
      let isRight = zip(scalars.indices, zip(breaks, wanted.dropFirst())).allSatisfy {
        $1.0 == $1.1 || isOfUnicode16(scalars, $0, isBreak: $1.0)
      }
      if !isRight || breaks.count + 1 != wanted.count { failures.append(row) }
    }
    #expect(count > 7000)
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  /// Whether Unicode 16 decides otherwise than versions before it: it keeps a hyphen that begins a
  /// word with the word (LB20a) and a stop with a digit (LB25), and parts a space from a stop that
  /// begins a number (LB15c). ICU has done so before.
  private func isOfUnicode16(_ scalars: [Unicode.Scalar], _ index: Int, isBreak: Bool) -> Bool {
    func isStop(_ scalar: Unicode.Scalar) -> Bool { [",", ".", ":", ";"].contains(scalar) }
    func isDigit(_ index: Int) -> Bool {
      index < scalars.count && scalars[index].properties.numericType != nil
    }
    guard index + 1 < scalars.count,
      let base = scalars[...index].last(where: { ![0x308, 0x200D].contains($0.value) })
    else { return false }
    if isBreak { return base == " " && isStop(scalars[index + 1]) && isDigit(index + 2) }
    return base == "-" || base == "\u{2010}" || isStop(base) && isDigit(index + 1)
  }
}

/// Unicode's cases as Debian's package unicode-data has them.
private let cases = try? String(
  contentsOfFile: "/usr/share/unicode/auxiliary/LineBreakTest.txt", encoding: .utf8)
