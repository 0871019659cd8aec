import TestSupport
import Testing

@testable import Ingest

/// Plain records are taken in runs; a null value that never occurs turns that off.
@Suite("Plain records of CSV")
struct CSVPlainRunTests {
  private static let coordinates = [
    "1.5", "-0.25", "179.9999999", "12", "+3", "", "x", "1e2", " 7.5 ",
  ]
  private static let fields = [
    "name", "", "true", "falsehood", "Zürich", "\"quoted, text\"", "\"two\nlines\"", "a\"b",
    "a field of more than thirty-two bytes of text", "bad\u{FFFD}", "9.5", "a,b", "\"open",
  ]

  private static func record(_ random: inout SplitMix64) -> String {
    let isUsual = random.below(12) > 0
    func pick(_ list: [String], _ usual: Int) -> String {
      list[random.below(isUsual ? usual : list.count)]
    }
    let line = [pick(coordinates, 3), pick(coordinates, 3), pick(fields, 5), pick(fields, 4)]
    return line.joined(separator: random.below(40) == 0 ? ", " : ",")
  }

  @Test("records taken in runs are those read one by one", arguments: 0..<12)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let lines = ["lng,lat,name,kind"] + (0..<900).map { _ in Self.record(&random) }
    for end in ["\n", "\r\n", "\r"] {
      var bytes = Array((lines.joined(separator: end) + end).utf8)
      if seed % 3 == 0 { bytes[bytes.count / 2] = 0xFF }
      for chunk in [90, 1000, 1 << 18] {
        func trace(_ nullValues: [String]) -> ReadingTrace {
          var options = CSVOptions()
          options.nullValues = nullValues
          let source = ByteSource(bytes: bytes, name: "a.csv", chunk: chunk)
          do {
            return ReadingTrace(try CSVReader(source, options: options))
          } catch {
            return ReadingTrace(refusal: error)
          }
        }
        #expect(trace([]) == trace(["never\u{1}"]), "chunk \(chunk)")
      }
    }
  }
}
