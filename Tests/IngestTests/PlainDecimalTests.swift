import JSON
import TestSupport
import Testing

@testable import Ingest

@Suite("Plain decimals")
struct PlainDecimalTests {
  /// Reads a text in front of zeros.
  private func prefix(_ text: String) -> (value: Double, length: Int) {
    var bytes = Array(text.utf8) + [UInt8](repeating: 0, count: PlainDecimal.reach)
    return bytes.withUnsafeMutableBufferPointer { bytes in
      bytes.baseAddress.map { PlainDecimal.prefix($0) } ?? (0, 0)
    }
  }

  @Test("plain decimals are what the number grammar reads, to the last bit", arguments: 0..<4)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let alphabet = Array("0123456789012345678901234567890123456789.....-+eE, ")
    var plain = 0
    for round in 0..<30_000 {
      var text = ""
      if round % 2 == 0 {
        for _ in 0..<random.below(14) { text.append(alphabet[random.below(alphabet.count)]) }
      } else {
        text = random.below(2) == 0 ? "-" : ""
        for _ in 0..<(1 + random.below(8)) { text += "\(random.below(10))" }
        text += "."
        for _ in 0..<(1 + random.below(8)) { text += "\(random.below(10))" }
        text += [",", "]", " ", "", "e", "x"][random.below(6)]
      }
      let read = prefix(text)
      guard read.length > 0 else { continue }
      plain += 1
      let expected = Array(text.utf8).withUnsafeBytes { NumberGrammar.parsePrefix($0) }
      #expect(expected?.length == read.length, "\(text)")
      #expect(expected?.value.bitPattern == read.value.bitPattern, "\(text)")
    }
    #expect(plain > 5000)
  }

  @Test(
    "coordinates of files are plain",
    arguments: ["-90.00889", "46.37937", "-74.0496725", "0.5", "-0.0", "180.0", "1234567.1234567"])
  func plain(text: String) {
    #expect(prefix(text).length == text.utf8.count)
    #expect(prefix(text).value.bitPattern == Double(text)?.bitPattern)
  }

  @Test(
    "other spellings are left to the number grammar",
    arguments: [
      "", "-", "1", "1.", ".5", "-.5", "+1.5", "01.5", "-00.5", "1.5e3", "1.5E3", "1.12345678",
      "12345678.5", "1,5", "nan",
    ])
  func others(text: String) {
    #expect(prefix(text).length == 0)
  }
}
