import TestSupport
import Testing

@testable import Unpacking

@Suite("Decoders of deflate streams")
struct DeflateTests {
  /// What a decoder made of streams that lie one behind the other, with bytes behind each.
  private struct Outcome: Equatable {
    var contents: [[UInt8]] = []
    /// The places behind the streams, and of the bytes that a decoder did not use.
    var ends: [Int] = []
    var isDamaged = false
  }

  /// Decodes streams in pieces of changing sizes.
  ///
  /// - Parameter gap: the number of bytes behind each stream that belong to none.
  private func decode(
    _ bytes: [UInt8], streams: Int, gap: Int, _ decoder: any StreamDecoder, seed: UInt64
  ) -> Outcome {
    var random = SplitMix64(seed: seed)
    var outcome = Outcome()
    var place = 0
    var room = [UInt8](repeating: 0, count: 3000)
    for _ in 0..<streams {
      var content: [UInt8] = []
      var idle = 0
      while true {
        let piece = Array(bytes[place..<min(bytes.count, place + 1 + random.below(700))])
        let size = 1 + random.below(room.count)
        let step = piece.withUnsafeBytes { input in
          room.withUnsafeMutableBytes { output in
            try? decoder.decode(
              input, into: UnsafeMutableRawBufferPointer(rebasing: output[..<size]))
          }
        }
        guard let step else {
          outcome.isDamaged = true
          return outcome
        }
        content += room[..<step.produced]
        place += step.consumed
        if step.isAtEnd { break }
        idle = step.consumed == 0 && step.produced == 0 ? idle + 1 : 0
        if idle > 3 { return outcome }
      }
      outcome.contents.append(content)
      outcome.ends.append(place)
      place += gap
    }
    return outcome
  }

  private func samples() -> [[UInt8]] {
    var random = SplitMix64(seed: 3)
    // What does not pack is stored as it is.
    let noise = (0..<90_000).map { _ in UInt8(random.below(256)) }
    return [
      Array(longText.prefix(200_000)), [], [7], noise, [UInt8](repeating: 0, count: 300_000),
      Array("lng,lat\n1,2\n".utf8),
    ]
  }

  @Test("both decoders give the same bytes and end at the same place, whatever the pieces")
  func equal() throws {
    let samples = samples()
    let gap = 8
    let bytes = samples.flatMap { PackedSample.deflate($0) + [UInt8](repeating: 0xEE, count: gap) }
    var expected = Outcome()
    var place = 0
    for sample in samples {
      place += PackedSample.deflate(sample).count
      expected.contents.append(sample)
      expected.ends.append(place)
      place += gap
    }
    let count = samples.count
    for seed in 0..<UInt64(8) {
      let slow = decode(bytes, streams: count, gap: gap, try DeflateDecoder(.gzip), seed: seed)
      #expect(slow == expected)
      guard let decoder = LibraryDecoder.deflate(.gzip) else { continue }
      let fast = decode(bytes, streams: count, gap: gap, decoder, seed: seed)
      #expect(fast == expected)
    }
  }

  @Test("damaged and cut-off streams end, with no byte beyond those that belong to them")
  func damaged() throws {
    let stream = PackedSample.deflate(Array(longText.prefix(50_000)))
    var random = SplitMix64(seed: 5)
    for seed in 0..<UInt64(60) {
      var bytes = stream
      if seed % 3 == 0 {
        bytes.removeLast(1 + random.below(bytes.count - 1))
      } else {
        bytes[random.below(bytes.count)] ^= UInt8(1 + random.below(255))
      }
      for decoder in [try DeflateDecoder(.gzip), LibraryDecoder.deflate(.gzip)]
        as [(any StreamDecoder)?]
      {
        guard let decoder else { continue }
        let outcome = decode(bytes, streams: 1, gap: 0, decoder, seed: seed)
        #expect(outcome.contents.first.map { $0.count <= bytes.count * 1032 } ?? true)
        if seed % 3 == 0 { #expect(outcome.contents.isEmpty) }
      }
    }
  }
}
