import TestSupport
import Testing

@testable import PNG

@Suite("A deflate code")
struct DeflateCodeTests {
  /// Σ 2^−length over the symbols, in units of 2^−15; a complete code has 2^15.
  private func kraftSum(_ code: DeflateCode) -> Int {
    code.lengths.reduce(0) { $0 + ($1 > 0 ? 1 << (15 - Int($1)) : 0) }
  }

  @Test("a deflate code is complete, prefix-free and within its limit, whatever the frequencies")
  func complete() {
    var random = SplitMix64(seed: 5)
    for round in 0..<200 {
      let count = Int.random(in: 2...(round % 2 == 0 ? 30 : 286), using: &random)
      let limit = Int.random(in: count > 256 ? 9...15 : 8...15, using: &random)
      let frequencies = (0..<count).map { _ in
        UInt64.random(in: 0...1, using: &random)
          * (UInt64(1) << UInt64.random(in: 0...40, using: &random))
      }
      let code = DeflateCode(frequencies: frequencies, limit: limit)
      let used = frequencies.indices.filter { frequencies[$0] > 0 }
      #expect(code.lengths.indices.filter { code.lengths[$0] > 0 } == used)
      #expect(code.lengths.allSatisfy { $0 <= limit })
      if used.count > 1 { #expect(kraftSum(code) == 1 << 15) }
      // Read backwards the codes are numbers again; as intervals of 15 bits they never overlap.
      let intervals = used.map { symbol in
        let bits = code.codes[symbol]
        #expect(bits.count == UInt32(code.lengths[symbol]))
        var value = 0
        for bit in 0..<bits.count { value = value << 1 | Int(bits.bits >> bit & 1) }
        return (start: value << (15 - Int(bits.count)), size: 1 << (15 - Int(bits.count)))
      }.sorted { $0.start < $1.start }
      for (one, next) in zip(intervals, intervals.dropFirst()) {
        #expect(one.start + one.size <= next.start)
      }
    }
  }

  @Test("a deflate code costs no more bits than any other within the limit")
  func optimal() {
    // All length assignments of 5 symbols up to 4 bits that satisfy Kraft's inequality.
    func cheapest(_ frequencies: [UInt64], limit: Int) -> UInt64 {
      var best = UInt64.max
      var lengths = [Int](repeating: 1, count: frequencies.count)
      while true {
        if lengths.reduce(0, { $0 + 1 << (limit - $1) }) <= 1 << limit {
          best = min(best, zip(frequencies, lengths).reduce(0) { $0 + $1.0 * UInt64($1.1) })
        }
        guard let digit = lengths.lastIndex(where: { $0 < limit }) else { return best }
        lengths[digit] += 1
        for after in lengths.indices where after > digit { lengths[after] = 1 }
      }
    }
    var random = SplitMix64(seed: 6)
    for _ in 0..<60 {
      let frequencies = (0..<5).map { _ in UInt64.random(in: 1...100, using: &random) }
      for limit in 3...4 {
        let code = DeflateCode(frequencies: frequencies, limit: limit)
        let cost = zip(frequencies, code.lengths).reduce(0) { $0 + $1.0 * UInt64($1.1) }
        #expect(cost == cheapest(frequencies, limit: limit))
      }
    }
  }

  @Test("a deflate code breaks ties by the order of the symbols, and gives a single symbol one bit")
  func ties() {
    #expect(DeflateCode(frequencies: [7, 7, 7], limit: 15).lengths == [2, 2, 1])
    #expect(DeflateCode(frequencies: [0, 9, 0], limit: 15).lengths == [0, 1, 0])
    #expect(DeflateCode(frequencies: [0, 0], limit: 15).lengths == [0, 0])
    #expect(DeflateCode(frequencies: [.max, .max, .max], limit: 15).lengths == [2, 2, 1])
  }
}

@Suite("A deflate symbol")
struct DeflateSymbolTests {
  @Test("a deflate symbol follows RFC 1951's table of lengths")
  func lengths() {
    let bases = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
      131, 163, 195, 227, 258,
    ]
    for length in 3...258 {
      let symbol = DeflateSymbol(length: length)
      let index = bases.lastIndex { $0 <= length } ?? 0
      #expect(symbol.symbol == 257 + index)
      #expect(bases[index] + Int(symbol.extra.bits) == length)
      #expect(symbol.extra.count == (index < 8 || index == 28 ? 0 : UInt32(index - 4) / 4))
    }
  }

  @Test("a deflate symbol follows RFC 1951's table of distances")
  func distances() {
    var base = 1
    for symbol in 0..<30 {
      let extraBits = symbol < 4 ? 0 : symbol / 2 - 1
      for distance in [base, base + 1 << extraBits - 1] {
        let found = DeflateSymbol(distance: distance)
        #expect(found.symbol == symbol)
        #expect(found.extra.count == UInt32(extraBits))
        #expect(found.extra.bits == UInt32(distance - base))
      }
      base += 1 << extraBits
    }
    #expect(base == 32769)
  }
}

@Suite("A bit writer")
struct BitWriterTests {
  @Test("a bit writer appends strings and bits at every offset within a byte")
  func strings() {
    var random = SplitMix64(seed: 8)
    for offset in 0..<8 {
      for length in Array(0...140) + [191, 192, 193, 255, 256, 257] {
        let bits = (0..<length).map { _ in Bool.random(using: &random) }
        let string = BitString(capacity: length) { writer in
          for bit in bits { writer.put(bit ? 1 : 0, count: 1) }
        }
        #expect(string.bitCount == length)
        let again = BitString(capacity: length + 16) { writer in
          writer.put(0b1010_1010 & (1 << UInt64(offset) - 1), count: UInt64(offset))
          writer.put(string)
          writer.put(0b101, count: 3)
        }
        let expected = (0..<offset).map { $0 % 2 == 1 } + bits + [true, false, true]
        #expect(again.bitCount == expected.count)
        #expect(
          expected.indices.allSatisfy {
            (again.words[$0 / 64] >> UInt64($0 % 64) & 1 == 1) == expected[$0]
          })
      }
    }
  }

  @Test("a bit writer takes up to 56 bits at once")
  func widest() {
    let string = BitString(capacity: 200) { writer in
      writer.put(0x7F, count: 7)
      writer.put(0xAB_CDEF_0123_4567, count: 56)
      writer.put(0, count: 0)
      writer.put(1, count: 1)
    }
    #expect(string.bitCount == 64)
    #expect(Array(string.words) == [0x7F | 0xAB_CDEF_0123_4567 << 7 | 1 << 63])
  }
}
