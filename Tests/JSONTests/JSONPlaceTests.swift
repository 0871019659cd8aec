import JSON
import TestSupport
import Testing

struct JSONPlaceTests {
  @Test("places count line feeds and bytes like a scan of every byte")
  func walk() {
    var random = SplitMix64(seed: 5)
    for length in Array(0...40) + [247, 248, 249, 500, 1000] {
      // From all line feeds to nearly none, with bytes that differ from one in a bit.
      for rarity in [1, 2, 8, 300] {
        let bytes = (0..<length).map { _ -> UInt8 in
          random.below(rarity) == 0 ? 0x0A : random.pick([0x0B, 0x8A, 0x00, 0x09, 0xFF])
        }
        var expected = JSONPlace(line: 3, column: 7)
        for byte in bytes {
          expected =
            byte == 0x0A
            ? JSONPlace(line: expected.line + 1, column: 1)
            : JSONPlace(line: expected.line, column: expected.column + 1)
        }
        let found = bytes.withUnsafeBytes { JSONPlace(line: 3, column: 7).advanced(over: $0) }
        #expect(found == expected)
      }
    }
  }
}
