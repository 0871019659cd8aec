import DefinitionSamples
import Features
import OrderedCollections
import TestSupport
import Testing

@testable import Definition
@testable import Drafts
@testable import Ingest
@testable import Runs

@Suite("The text of a drafted pipeline") struct DraftTextTests {
  private static let words = [
    "a", "yes", "null", "1", "01", "1.5", "~", "", " ", "a b", "#", "x # y", "a: b", "[", "{}", "'",
    "\"", "\\", "\n", "\t", "\u{85}", "\u{2028}", "\u{7F}", "ü", "🗺", "${A}", "$${",
    "-",
    "- a", "&a", "*a", "!t", "%", "@", "`", "? a", "|", ">", "2024-01-01", "0x1F", ".5", "e5", "=",
  ]

  /// Returns a tree of values, the same for the same state of the generator.
  private func value(_ random: inout SplitMix64, depth: Int) -> PropertyValue {
    switch random.below(depth > 0 ? 7 : 5) {
    case 0: .null
    case 1: .bool(random.below(2) == 0)
    case 2: .number(Double(random.below(2_000_001) - 1_000_000))
    case 3: .number(random.number(in: -1..<1) * [1e-9, 1, 1e12][random.below(3)])
    case 4: .string(random.pick(Self.words) + random.pick(Self.words))
    case 5: .array((0..<random.below(6)).map { _ in value(&random, depth: depth - 1) })
    default: .object(members(&random, depth: depth - 1))
    }
  }

  private func members(
    _ random: inout SplitMix64, depth: Int
  ) -> OrderedDictionary<String, PropertyValue> {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    for _ in 0..<random.below(5) {
      members["k" + random.pick(Self.words)] = value(&random, depth: depth)
    }
    return members
  }

  private func entries(_ random: inout SplitMix64, depth: Int) -> [DraftEntry] {
    (0..<1 + random.below(4)).map { index in
      let content: DraftEntry.Content =
        switch random.below(depth > 0 ? 3 : 1) {
        case 0: .value(value(&random, depth: 3))
        case 1: .keys(entries(&random, depth: depth - 1))
        default:
          .list((0..<random.below(3)).map { _ in entries(&random, depth: depth - 1) })
        }
      return DraftEntry(
        "\(index)" + random.pick(Self.words), content,
        comment: random.below(2) == 0 ? random.pick(Self.words) : "")
    }
  }

  @Test("a text parses back to the values that it was written from", arguments: 0..<200)
  func roundTrip(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let entries = entries(&random, depth: 3)
    let text = DraftText.text(entries, head: [random.pick(Self.words)])
    let parsed = try document(text).root.propertyValue
    #expect(parsed == entries.value, "\(text)")
    #expect(DraftText.text(entries) == DraftText.text(entries))
  }

  @Test("a long list is divided into lines of at most 100 characters, a short one is not")
  func lines() {
    let numbers = PropertyValue.array((0..<60).map { .number(Double($0)) })
    let nested = PropertyValue.array([.string("case"), numbers, .object(["k": numbers])])
    let text = DraftText.text([
      DraftEntry("short", .array([.number(1)])), DraftEntry("long", nested),
    ])
    let lines = text.split(separator: "\n")
    #expect(lines.first == "short: [1]" && lines.count > 4)
    #expect(lines.allSatisfy { $0.count <= 100 }, "\(text)")
  }

  private static let numbers: [(numbers: [Double], wanted: [Double])] = [
    ((0...100).map { Double($0) }, [20, 40, 60, 80]),
    ((0...1000).map { Double($0) / 1000 }, [0.2, 0.4, 0.6, 0.8]),
    ([1, 1, 1, 1, 1, 1, 2], [2]), ([5, 5, 5], []), ([], []),
  ]

  @Test("limits of classes are round numbers near the quantiles", arguments: Self.numbers)
  func breaks(numbers: [Double], wanted: [Double]) {
    #expect(ClassBreaks(numbers).values == wanted)
  }

  @Test("classes of values that grow fast have at least an eighth of them each")
  func skewed() {
    let numbers = (1...500).map { Double($0 * $0) }
    let values = ClassBreaks(numbers).values
    #expect(values.count == 4 && values == values.sorted())
    for (low, high) in zip([-.infinity] + values, values + [.infinity]) {
      let count = numbers.count { $0 >= low && $0 < high }
      #expect(count * 8 >= numbers.count, "\(low) \(high): \(count)")
    }
    // Readable: at most two digits before the zeros.
    #expect(values.allSatisfy { "\(Int($0))".replacing("0", with: "").count <= 2 }, "\(values)")
  }

  private static let names: [(names: [String], pattern: String?)] = [
    (["rain_201401190600.png", "rain_201401190610.png"], "%Y%m%d%H%M"),
    (["2014-01-19T06-00.png", "2014-01-19T07-00.png"], "%Y-%m-%dT%H-%M"),
    (["a20140119.png", "a20140120.png"], "%Y%m%d"), (["a1.png", "a2.png"], nil),
    (["20140119.png", "x.png"], nil), ([], nil),
    (["T20140119_063000Z.jpg", "T20140119_064500Z.jpg"], "%Y%m%d_%H%M%SZ"),
  ]

  @Test("the times in the names of frames are found", arguments: Self.names)
  func times(names: [String], pattern: String?) {
    #expect(TimeNames.pattern(of: names) == pattern)
  }
}
