import Features
import JSON
import OrderedCollections
import Testing

@testable import Ingest

struct JSONWriterTests {
  @Test(
    "numbers are written as JavaScript writes them",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (100, "100"), (0.1, "0.1"),
      (0.000001, "0.000001"), (0.0000001, "1e-7"), (-1.5e-9, "-1.5e-9"),
      (1e20, "100000000000000000000"),
      (123_456_789_012_345_683_968, "123456789012345680000"), (1e21, "1e+21"),
      (1.5e300, "1.5e+300"),
      (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
      (9007199254740992, "9007199254740992"), (9007199254740994, "9007199254740994"),
      (4.35, "4.35"), (-163.71289567772871, "-163.7128956777287"),
      (0.1 + 0.2, "0.30000000000000004"),
      (1 / 3, "0.3333333333333333"), (1234.5678e10, "12345678000000"), (.infinity, "null"),
      (.nan, "null"),
    ] as [(Double, String)])
  func numbers(_ number: Double, _ expected: String) {
    #expect(JSONWriter.text(.number(number)) == expected)
  }

  @Test("random numbers read back as they were")
  func roundTrip() throws {
    var random = JSONRandom(seed: 3)
    for _ in 0..<5_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let text = JSONWriter.text(.number(number))
      #expect(try JSONValueParser.parse(Array(text.utf8)) == .number(number))
    }
  }

  @Test("strings have escapes where JSON demands them and nowhere else")
  func strings() {
    #expect(JSONWriter.text(.string("a\"b\\c/d é 😀\u{7F}")) == #""a\"b\\c/d é 😀\#u{7F}""#)
    #expect(JSONWriter.text(.string("\u{8}\t\n\u{C}\r\u{0}\u{1F}")) == #""\b\t\n\f\r\u0000\u001f""#)
  }

  @Test("arrays and objects are written without space, members in their order")
  func containers() {
    let value = PropertyValue.object([
      "b": .array([.null, .bool(true), .bool(false)]), "a": .object([:]), "c": .array([]),
    ])
    #expect(JSONWriter.text(value) == #"{"b":[null,true,false],"a":{},"c":[]}"#)
  }

  @Test("what is written reads back as it was")
  func documents() throws {
    var random = JSONRandom(seed: 11)
    for _ in 0..<300 {
      let value = randomValue(&random, depth: 4)
      let text = JSONWriter.text(value)
      #expect(try JSONValueParser.parse(Array(text.utf8)) == value, "\(text)")
    }
  }

  private func randomValue(_ random: inout JSONRandom, depth: Int) -> PropertyValue {
    switch random.next(depth == 0 ? 5 : 7) {
    case 0: return .null
    case 1: return .bool(random.next(2) == 0)
    case 2: return .number(Double(Int64(bitPattern: random.next())) / 1024)
    case 3, 4: return .string(randomText(&random))
    case 5: return .array((0..<random.next(4)).map { _ in randomValue(&random, depth: depth - 1) })
    default:
      var members: OrderedDictionary<String, PropertyValue> = [:]
      for _ in 0..<random.next(4) {
        members[randomText(&random)] = randomValue(&random, depth: depth - 1)
      }
      return .object(members)
    }
  }

  private func randomText(_ random: inout JSONRandom) -> String {
    let pieces = ["a", "bc", "\"", "\\", "\n", "\u{1}", "é", "中", "😀", " ", "/"]
    return (0..<random.next(6)).map { _ in random.pick(pieces) }.joined()
  }
}
