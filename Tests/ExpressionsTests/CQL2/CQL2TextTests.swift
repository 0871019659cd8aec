import Features
import OrderedCollections
import TestSupport
import Testing

@testable import Expressions

@Suite struct CQL2TextTests {
  @Test(
    "LIKE supports %, _ and the backslash",
    arguments: [
      ("USA-United States", "USA%", true), ("usa", "USA%", false), ("USA", "USA%", true),
      ("", "", true), ("", "%", true), ("", "_", false), ("a", "", false), ("abc", "a_c", true),
      ("ac", "a_c", false), ("abbc", "a_c", false), ("abc", "%b%", true), ("abc", "%c", true),
      ("abc", "%b", false), ("abcabc", "a%bc", true), ("aXb", "a%%b", true),
      ("100%", "100\\%", true), ("1000", "100\\%", false), ("a_b", "a\\_b", true),
      ("axb", "a\\_b", false), ("a\\b", "a\\\\b", true), ("ab", "a\\b", true), ("é", "_", true),
      ("😀x", "_x", true), ("😀", "__", false), ("x😀", "%_", true), ("e\u{301}", "_", false),
      ("aab", "%a_", true), ("aaab", "%aab", true), ("mississippi", "m%iss%pi", true),
      ("mississippi", "m%issi%issi%", false), ("mississippi", "%iss%iss%iss%", false),
      ("line\nbreak", "line%break", true), ("ab", "_%_", true), ("a", "_%_", false),
    ])
  func like(text: String, pattern: String, isMatch: Bool) throws {
    let compiled = try #require(LikePattern(pattern))
    #expect(compiled.matches(text) == isMatch)
    let record = CQL2Record(["s": .string(text)])
    let quoted = pattern.replacing("'", with: "''")
    #expect(try record.truth(of: "s LIKE '\(quoted)'") == (isMatch ? "T" : "F"))
    #expect(try record.truth(of: "s NOT LIKE '\(quoted)'") == (isMatch ? "F" : "T"))
  }

  @Test("LIKE matches like a search through all splits")
  func likeByBruteForce() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<3000 {
      let text = String(
        (0..<Int.random(in: 0...7, using: &random)).map { _ in
          "abé".randomElement(using: &random) ?? "a"
        })
      let pattern = String(
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          "abé%%_".randomElement(using: &random) ?? "a"
        })
      let compiled = try #require(LikePattern(pattern))
      #expect(
        compiled.matches(text) == Self.matches(Array(text)[...], Array(pattern)[...]),
        "\(text) LIKE \(pattern)")
    }
  }

  private static func matches(
    _ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>
  ) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    if sign == "%" {
      return (text.startIndex...text.endIndex).contains {
        matches(text[$0...], pattern.dropFirst())
      }
    }
    guard let letter = text.first, sign == "_" || sign == letter else { return false }
    return matches(text.dropFirst(), pattern.dropFirst())
  }

  @Test(
    "ILIKE, CASEI and ACCENTI ignore case and accents",
    arguments: [
      ("s ILIKE 'STRASSE'", "Straße"), ("s ILIKE 'straße'", "STRASSE"), ("s NOT ILIKE 'x%'", "Ax"),
      ("CASEI(s) = CASEI('οδος')", "ΟΔΟΣ"), ("CASEI(s) IN (CASEI('STRASSE'))", "straße"),
      ("CASEI(s) LIKE CASEI('Zür%')", "ZÜRICH"), ("ACCENTI(s) = 'Zurich'", "Zürich"),
      ("ACCENTI(s) = ACCENTI('papa')", "papá"), ("ACCENTI(s) = 'debarquer'", "débárquér"),
      ("ACCENTI(s) = 'Angstrom'", "A\u{30A}ngström"), ("ACCENTI(s) = 'AEro'", "Ærø"),
      ("CASEI(ACCENTI(s)) LIKE 'el nino%'", "El Niño de la Tele"), ("ACCENTI(s) = 'ガ'", "ガ"),
      ("ACCENTI(s) LIKE ACCENTI('%é%')", "bee"), ("CASEI(s) <> s", "A"),
    ])
  func folding(condition: String, text: String) throws {
    #expect(try CQL2Record(["s": .string(text)]).truth(of: condition) == "T")
  }

  @Test(
    "one instant has many spellings",
    arguments: [
      "2014-01-19T06:00:00", "2014-01-19T06:00:00Z", "2014-01-19t06:00:00z", "2014-01-19 06:00:00",
      "2014-01-19T06:00", "2014-01-19T06:00:00.000Z", "2014-01-19T07:30:00+01:30",
      "2014-01-18T23:00:00-07:00", "2014-01-19T06:00:00.0000000001Z",
    ])
  func instants(text: String) throws {
    let record = CQL2Record(["t": .string(text)])
    #expect(try record.truth(of: "t = TIMESTAMP('2014-01-19T06:00:00Z')") == "T")
    #expect(try record.truth(of: "t <> TIMESTAMP('2014-01-19T06:00:00Z')") == "F")
    #expect(try record.truth(of: "t > DATE('2014-01-19')") == "T")
    #expect(try record.truth(of: "t < TIMESTAMP('2014-01-19T06:00:00.001Z')") == "T")
  }

  @Test("temporal predicates are Allen's relations of intervals and instants")
  func temporal() throws {
    // The first interval stays, the second begins and ends at each pair of days.
    let all = TemporalRelation.allCases
    for start in 1...6 {
      for end in start...6 {
        let record = CQL2Record([
          "start": .string("2020-01-0\(start)"), "end": .string("2020-01-0\(end)"),
        ])
        var expected: Set<TemporalRelation> = []
        if end < 3 { expected.insert(.after) }
        if start > 5 { expected.insert(.before) }
        expected.insert(end < 3 || start > 5 ? .disjoint : .intersects)
        if start > 3, end < 5 { expected.insert(.contains) }
        if start < 3, end > 5 { expected.insert(.during) }
        if start == 3, end == 5 { expected.insert(.equals) }
        if start > 3, end == 5 { expected.insert(.finishedBy) }
        if start < 3, end == 5 { expected.insert(.finishes) }
        if start == 5 { expected.insert(.meets) }
        if end == 3 { expected.insert(.metBy) }
        if start < 3, end > 3, end < 5 { expected.insert(.overlappedBy) }
        if start > 3, start < 5, end > 5 { expected.insert(.overlaps) }
        if start == 3, end < 5 { expected.insert(.startedBy) }
        if start == 3, end > 5 { expected.insert(.starts) }
        let found = try all.filter {
          try record.truth(
            of: "\($0.rawValue)(INTERVAL('2020-01-03', '2020-01-05'), INTERVAL(start, end))")
            == "T"
        }
        #expect(Set(found) == expected, "\(start)…\(end)")
      }
    }
  }

  @Test(
    "temporal predicates accept instants and open intervals",
    arguments: [
      ("T_AFTER(t, DATE('2014-01-18'))", "T"), ("T_BEFORE(t, DATE('2014-01-18'))", "F"),
      ("T_EQUALS(t, TIMESTAMP('2014-01-19T06:00:00Z'))", "T"),
      ("T_DURING(t, INTERVAL('2014-01-19', '2014-01-20'))", "T"),
      ("T_INTERSECTS(t, INTERVAL('..', '2014-01-19T06:00:00Z'))", "T"),
      ("T_INTERSECTS(t, INTERVAL('2014-01-20', '..'))", "F"),
      ("T_DISJOINT(INTERVAL('..', '..'), t)", "F"), ("T_AFTER(x, t)", "U"),
      ("T_INTERSECTS(t, INTERVAL(x, '..'))", "U"), ("T_DURING(t, INTERVAL(t, '2014-01-01'))", "U"),
    ])
  func temporalOperands(condition: String, truth: String) throws {
    let record = CQL2Record(["t": .string("2014-01-19T06:00:00"), "x": .string("soon")])
    #expect(try record.truth(of: condition) == truth)
  }
}
