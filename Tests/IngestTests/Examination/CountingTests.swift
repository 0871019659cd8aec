import Features
import TestSupport
import Testing

@testable import Examination
@testable import Ingest

@Suite("The counting of values")
struct CountingTests {
  @Test(
    "the count of distinct values is exact for few and close for many",
    arguments: [0, 1, 2, 1023, 1024, 1025, 3000, 20_000, 150_000])
  func distinct(count: Int) {
    var counter = DistinctCounter()
    for round in 0..<2 {
      for value in 0..<count {
        // The second round must change nothing.
        let text = Array("value \(value)".utf8)
        counter.add(text.withUnsafeBytes { ValueHash.hash($0, seed: UInt64(round) * 0) })
      }
    }
    #expect(counter.isExact == (count <= DistinctCounter.exactLimit))
    // Five standard errors of 1.6 %.
    let error = counter.isExact ? 0 : Double(count) * 0.08
    #expect(abs(Double(counter.count - count)) <= error, "\(counter.count)")
  }

  @Test(
    "the count of distinct values is close for short texts, which differ in few bits",
    arguments: [2, 3, 5, 8])
  func shortTexts(length: Int) {
    var counter = DistinctCounter()
    var seen: Set<Int> = []
    for value in 0..<7000 {
      // Letters in the base of 26, the last one first; numbers where eight digits are wanted.
      var rest = length == 2 ? value % 676 : value
      let letters = (0..<length).map { _ in
        defer { rest /= length == 8 ? 10 : 26 }
        return UInt8(length == 8 ? 48 + rest % 10 : 65 + rest % 26)
      }
      seen.insert(length == 2 ? value % 676 : value)
      counter.add(letters.withUnsafeBytes { ValueHash.hash($0, seed: 0) })
    }
    #expect(abs(counter.count - seen.count) <= seen.count * 5 / 100, "\(counter.count)")
  }

  @Test("repetitions are counted as by a dictionary", arguments: [1, 7, 4096])
  func repetitions(batch: Int) {
    var random = SplitMix64(seed: 5)
    var table = RepetitionTable()
    var seen: [UInt64: (line: Int, count: Int)] = [:]
    var line = 0
    while line < 20_000 {
      let lines = ContiguousArray((line + 1)...(line + batch))
      let hashes = lines.map { _ in ValueHash.hash(random.next() % 5000, 7) }
      var expected: [Int: Int] = [:]
      for (row, hash) in hashes.enumerated() {
        expected[row] = seen[hash]?.line
        seen[hash, default: (lines[row], 0)].count += 1
      }
      var found: [Int: Int] = [:]
      _ = hashes.withUnsafeBufferPointer { hashes in
        table.add(hashes, lines: lines) { found[$0] = $1 }
      }
      #expect(found == expected)
      line += batch
    }
    #expect(table.distinct == seen.count && table.isComplete)
    #expect(table.repetitions == line - seen.count)
    #expect(Int(table.most.count) == seen.values.map(\.count).max())
  }

  @Test("hashes differ for bytes of every length, and are equal for equal ones")
  func hashes() {
    var seen: Set<UInt64> = [0]
    for length in 0..<70 {
      let bytes = [UInt8](repeating: 0, count: length)
      let hash = bytes.withUnsafeBytes { ValueHash.hash($0, seed: 3) }
      #expect(seen.insert(hash).inserted)
      #expect(bytes.withUnsafeBytes { ValueHash.hash($0, seed: 3) } == hash)
      #expect(seen.insert(bytes.withUnsafeBytes { ValueHash.hash($0, seed: 4) }).inserted)
    }
  }

  @Test("occurrences keep the first three places")
  func occurrences() {
    var many = Occurrences()
    for line in [4, 7, 8, 9] { many.add(line: line, "x") }
    #expect(many.count == 4 && many.samples.map(\.line) == [4, 7, 8])
    var more = Occurrences()
    more.add(line: 5)
    many.add(more)
    #expect(many.count == 5 && many.samples.map(\.line) == [4, 5, 7])
  }

  @Test(
    "the count of distinct values never exceeds the number of values",
    arguments: [1025, 1500, 5000])
  func distinctWithinValues(most: Int) {
    // Some of the estimates are too high.
    for seed in 0..<40 {
      var counter = DistinctCounter()
      for value in 0..<most {
        let text = Array("\(seed) \(value)".utf8)
        counter.add(text.withUnsafeBytes { ValueHash.hash($0, seed: 0) })
      }
      #expect(counter.count <= most, "seed \(seed)")
    }
  }
}
