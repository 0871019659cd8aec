import Foundation
import TestSupport
import Testing

@testable import TextAnalysis

@Suite("Directions of texts")
struct DirectionTests {
  @Test(
    "right-to-left runs are reversed, numbers in them are not, and pairs of brackets stay together",
    arguments: [
      ("abc 123", [0, 1, 2, 3, 4, 5, 6]), ("\u{5D0}\u{5D1}\u{5D2}", [2, 1, 0]),
      ("a \u{5D0}\u{5D1} b", [0, 1, 3, 2, 4, 5]), ("\u{5D0} 12", [2, 3, 1, 0]),
      ("\u{5D0} ab", [2, 3, 1, 0]), ("a (\u{5D0})", [0, 1, 2, 3, 4]),
      ("\u{5D0} (a)", [4, 3, 2, 1, 0]), ("\u{202E}ab", [0, 2, 1]),
      ("a\u{2067}b c\u{2069}", [0, 1, 2, 3, 4, 5]), ("\u{1F600}\u{5D0}\u{5D1}", [2, 1, 0]),
      ("", []),
    ] as [(String, [Int])])
  func order(text: String, order: [Int]) {
    let scalars = Array(text.unicodeScalars)
    let levels = TextDirections.levels(of: scalars)
    let all = levels.isEmpty ? scalars.map { _ in 0 } : levels
    #expect(TextDirections.visualOrder(of: all) == order)
  }

  @Test("each paragraph has the direction of its first letter")
  func paragraphs() {
    let levels = TextDirections.levels(of: Array("\u{5D0} a\na \u{5D0}".unicodeScalars))
    #expect(levels == [1, 1, 2, 0, 0, 0, 1])
  }

  @Test("a text that runs rightward has no levels")
  func plain() {
    #expect(TextDirections.levels(of: Array("São Tomé 12 – 日本".unicodeScalars)).isEmpty)
    #expect(TextDirections.levels(of: []).isEmpty)
  }

  @Test("Unicode's cases of characters have its levels and order", .enabled(if: cases != nil))
  func characters() throws {
    var failures: [Substring] = []
    var count = 0
    for row in try #require(cases).split(separator: "\n") where !row.hasPrefix("#") {
      let fields = row.split(separator: ";", omittingEmptySubsequences: false)
      guard fields.count == 5 else { continue }
      let scalars = fields[0].split(separator: " ").compactMap {
        UInt32($0, radix: 16).flatMap(Unicode.Scalar.init)
      }
      let wanted = fields[3].split(separator: " ").map { UInt8($0) }
      let order = fields[4].split(separator: " ").compactMap { Int($0) }
      count += 1
      if !has(scalars, level: UInt8(fields[1]), wanted, order) { failures.append(row) }
    }
    #expect(count > 90_000)
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  @Test(
    "Unicode's cases of bidirectional classes have its levels and order",
    .enabled(if: classCases != nil))
  func classes() throws {
    var failures: [Substring] = []
    var count = 0
    var wanted: [UInt8?] = []
    var order: [Int] = []
    for row in try #require(classCases).split(separator: "\n") where !row.hasPrefix("#") {
      if row.hasPrefix("@Levels:") {
        wanted = row.dropFirst(8).split(whereSeparator: \.isWhitespace).map { UInt8($0) }
      } else if row.hasPrefix("@Reorder:") {
        order = row.dropFirst(9).split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
      } else {
        count += 1
        guard runsSlowTests || count % 16 == 0 else { continue }
        let fields = row.split(separator: ";")
        guard fields.count == 2, let levels = Int(fields[1].dropFirst()) else { continue }
        let scalars = fields[0].split(separator: " ").compactMap { samples[String($0)] }
        for (bit, level) in [(1, nil), (2, 0), (4, 1)] as [(Int, UInt8?)] where levels & bit != 0 {
          if !has(scalars, level: level, wanted, order) { failures.append(row) }
        }
      }
    }
    #expect(count > 490_000)
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(5))")
  }

  /// Whether a text has these levels, where there are any, and this order.
  private func has(
    _ scalars: [Unicode.Scalar], level: UInt8?, _ wanted: [UInt8?], _ order: [Int]
  ) -> Bool {
    let level = level.flatMap { $0 < 2 ? $0 : nil }
    let levels = TextDirections.levels(ofParagraph: scalars, level: level)
    let members = wanted.indices.filter { wanted[$0] != nil }
    guard levels.count == wanted.count, members.allSatisfy({ levels[$0] == wanted[$0] }) else {
      return false
    }
    return TextDirections.visualOrder(of: members.map { levels[$0] }).map { members[$0] } == order
  }
}

/// Unicode's cases as Debian's package unicode-data has them.
private let cases = try? String(
  contentsOfFile: "/usr/share/unicode/BidiCharacterTest.txt", encoding: .utf8)
private let classCases = try? String(
  contentsOfFile: "/usr/share/unicode/BidiTest.txt", encoding: .utf8)

/// A character of each bidirectional class.
private let samples: [String: Unicode.Scalar] = [
  "L": "a", "R": "\u{5D0}", "AL": "\u{627}", "EN": "1", "ES": "+", "ET": "#", "AN": "\u{661}",
  "CS": ",", "NSM": "\u{300}", "BN": "\u{AD}", "B": "\u{2029}", "S": "\t", "WS": " ", "ON": "!",
  "LRE": "\u{202A}", "RLE": "\u{202B}", "LRO": "\u{202D}", "RLO": "\u{202E}", "PDF": "\u{202C}",
  "LRI": "\u{2066}", "RLI": "\u{2067}", "FSI": "\u{2068}", "PDI": "\u{2069}",
]
