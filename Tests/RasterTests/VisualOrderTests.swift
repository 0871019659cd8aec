import Foundation
import TestSupport
import Testing

@testable import Raster

@Suite("VisualOrder")
struct VisualOrderTests {
  @Test(
    "right-to-left runs are reversed, numbers in them are not",
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
    expect(logical, visual)
  }

  // The orders are python-bidi's (0.6), with what runs leftward turned around.
  @Test(
    "mixed labels have the order of UAX 9",
    arguments: [
      ("\u{5DE}\u{5DC}\u{5D5}\u{5DF} 5 Star", "Star 5 \u{5DF}\u{5D5}\u{5DC}\u{5DE}"),
      (
        "\u{5E9}\u{5DC}\u{5D5}\u{5DD} \u{5E2}\u{5D5}\u{5DC}\u{5DD} 123 (abc) \u{5D2}\u{5DD}",
        "\u{5DD}\u{5D2} (abc) 123 \u{5DD}\u{5DC}\u{5D5}\u{5E2} \u{5DD}\u{5D5}\u{5DC}\u{5E9}"
      ),
      (
        "Hotel (\u{5EA}\u{5DC} \u{5D0}\u{5D1}\u{5D9}\u{5D1}) 5",
        "Hotel (\u{5D1}\u{5D9}\u{5D1}\u{5D0} \u{5DC}\u{5EA}) 5"
      ),
      ("\u{5DE}\u{5DC}\u{5D5}\u{5DF} (Star) 5", "5 (Star) \u{5DF}\u{5D5}\u{5DC}\u{5DE}"),
      ("(\u{5D0})", "(\u{5D0})"),
      ("\u{5D0} (\u{5D1}", "\u{5D1}) \u{5D0}"),
      ("a (\u{5D1}) c", "a (\u{5D1}) c"),
      ("a (\u{5D1} c) \u{5D3}", "a (\u{5D1} c) \u{5D3}"),
      ("\u{5D0} [b (\u{5D2}] d) \u{5D4}", "\u{5D4} (d [\u{5D2}) b] \u{5D0}"),
      (
        "\u{5DE}\u{5D7}\u{5D9}\u{5E8} 50% \u{5D4}\u{5E0}\u{5D7}\u{5D4}",
        "\u{5D4}\u{5D7}\u{5E0}\u{5D4} 50% \u{5E8}\u{5D9}\u{5D7}\u{5DE}"
      ),
      ("\u{5DE}\u{5D7}\u{5D9}\u{5E8} $50", "$50 \u{5E8}\u{5D9}\u{5D7}\u{5DE}"),
      ("\u{5D8}\u{5DE}\u{5E4} -5", "5- \u{5E4}\u{5DE}\u{5D8}"),
      ("12:30-14:00 \u{5E4}\u{5EA}\u{5D5}\u{5D7}", "\u{5D7}\u{5D5}\u{5EA}\u{5E4} 12:30-14:00"),
      ("\u{5E4}\u{5EA}\u{5D5}\u{5D7} 12:30-14:00", "12:30-14:00 \u{5D7}\u{5D5}\u{5EA}\u{5E4}"),
      (
        "\u{5E9}\u{5D5}\u{5E7} 1/2 \u{5D9}\u{5D5}\u{5DD}",
        "\u{5DD}\u{5D5}\u{5D9} 1/2 \u{5E7}\u{5D5}\u{5E9}"
      ),
      ("a-\u{5D1}-c", "a-\u{5D1}-c"),
      ("\u{5D1} 1 2", "2 1 \u{5D1}"),
      ("\u{5D1} 1, 2", "2 ,1 \u{5D1}"),
      (
        "\u{641}\u{646}\u{62F}\u{642} 5 \u{646}\u{62C}\u{648}\u{645}",
        "\u{645}\u{648}\u{62C}\u{646} 5 \u{642}\u{62F}\u{646}\u{641}"
      ),
      (
        "\u{641}\u{646}\u{62F}\u{642} \u{661}\u{662}\u{663} \u{634}\u{627}\u{631}\u{639}",
        "\u{639}\u{631}\u{627}\u{634} \u{661}\u{662}\u{663} \u{642}\u{62F}\u{646}\u{641}"
      ),
      (
        "\u{641}\u{646}\u{62F}\u{642} \u{661}\u{662}\u{66B}\u{665} (ABC)",
        "(ABC) \u{661}\u{662}\u{66B}\u{665} \u{642}\u{62F}\u{646}\u{641}"
      ),
      ("\u{634}\u{627}\u{631}\u{639} 12/34", "12/34 \u{639}\u{631}\u{627}\u{634}"),
      ("A \u{634}\u{627}\u{631}\u{639} 12-34 B", "A 34-12 \u{639}\u{631}\u{627}\u{634} B"),
      ("\u{661} \u{662}", "\u{662} \u{661}"),
      ("Rue \u{661} \u{662}", "Rue \u{662} \u{661}"),
      (
        "\u{645}\u{631}\u{62D}\u{628}\u{627}, Hello!", "!Hello ,\u{627}\u{628}\u{62D}\u{631}\u{645}"
      ),
      (
        "\u{5DE}\u{5DC}\u{5D5}\u{5DF} 5\u{2605} Star", "Star \u{2605}5 \u{5DF}\u{5D5}\u{5DC}\u{5DE}"
      ),
      (
        "3 \u{5DE}\u{5DC}\u{5D5}\u{5E0}\u{5D5}\u{5EA}",
        "\u{5EA}\u{5D5}\u{5E0}\u{5D5}\u{5DC}\u{5DE} 3"
      ),
      ("ABC \u{5D0}\u{5D1}\u{5D2} 123 DEF", "ABC 123 \u{5D2}\u{5D1}\u{5D0} DEF"),
      ("\u{AB}\u{5D0}\u{BB} b", "b \u{AB}\u{5D0}\u{BB}"),
      ("\u{5D0} <b> \u{5D2}", "\u{5D2} <b> \u{5D0}"),
    ])
  func mixed(logical: String, visual: String) {
    expect(logical, visual)
  }

  @Test("a line takes its paragraph's direction, even if all of its own text has the other")
  func paragraphs() {
    let text = Array("\u{5D0}\u{5D1} Hotel \u{5D2}\nHotel \u{5D0}".unicodeScalars)
    let order = VisualOrder(text)
    let lines = [0..<2, 3..<10, 11..<18].map { line in
      String(String.UnicodeScalarView(order.line(line).map(\.scalar)))
    }
    #expect(lines == ["\u{5D1}\u{5D0}", "\u{5D2} Hotel", "Hotel \u{5D0}"])
  }

  @Test("reordering keeps every character, whatever the mixture", arguments: 0..<200)
  func permutation(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed) + 7000)
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "1", "2", " ", ".", ",", "-", "\n", "%", "\u{5D0}", "\u{5D1}", "\u{627}", "\u{661}",
      "\u{5B8}", "\u{301}", "\u{AD}", "\u{200F}",
    ]
    let line = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
    }
    let indexes = VisualOrder(line).line(line.indices).map(\.index)
    #expect(indexes.sorted() == Array(line.indices))
  }

  @Test("the maximum number of nested brackets is ordered and closed")
  func deepBrackets() {
    for count in [63, 64, 500] {
      let text =
        String(repeating: "(", count: count) + "\u{5D0}" + String(repeating: ")", count: count)
      // Beyond 63 none is paired (BD16), which here comes to the same.
      expect(text, text)
    }
  }

  /// Unicode's own cases, one of sixteen; a mark of direction in front makes the paragraph's.
  @Test("Unicode's bidirectional test cases have its order", .enabled(if: unicodeCases != nil))
  func conformance() throws {
    var failures: [Substring] = []
    let rows = try #require(unicodeCases).split(separator: "\n").filter { !$0.hasPrefix("#") }
    for row in stride(from: 0, to: rows.count, by: 16).map({ rows[$0] }) {
      let fields = row.split(separator: ";", omittingEmptySubsequences: false)
      guard fields.count == 5 else { continue }
      var scalars = fields[0].split(separator: " ").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      // Lines end before white space, and embeddings are not kept. Marks stand behind their letter
      // here, which Unicode leaves to whoever draws.
      let isLine = scalars.allSatisfy { scalar in
        BidiClass(scalar) != .mark && scalar.properties.generalCategory != .control
          && !(0x2029...0x202E).contains(scalar.value)
          && !(0x2066...0x2069).contains(scalar.value)
      }
      guard isLine, scalars.last?.properties.isWhitespace == false else { continue }
      var wanted = fields[4].split(separator: " ").compactMap { Int($0) }
      if fields[1] != "2" {
        scalars.insert(fields[1] == "1" ? "\u{200F}" : "\u{200E}", at: 0)
        wanted = wanted.map { $0 + 1 }
      }
      let order = VisualOrder(scalars).line(scalars.indices).map(\.index).filter { index in
        BidiClass(scalars[index]) != .ignored && (fields[1] == "2" || index > 0)
      }
      if order != wanted { failures.append(row) }
    }
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  private func expect(_ logical: String, _ visual: String) {
    let scalars = Array(logical.unicodeScalars)
    let order = VisualOrder(scalars).line(scalars.indices)
    #expect(order.map(\.scalar.value) == visual.unicodeScalars.map(\.value))
  }
}

/// BidiCharacterTest.txt as Debian's package unicode-data brings it.
private let unicodeCases = try? String(
  contentsOfFile: "/usr/share/unicode/BidiCharacterTest.txt", encoding: .utf8)
