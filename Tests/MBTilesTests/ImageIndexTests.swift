import Columns
import TestSupport
import Testing

@testable import MBTiles

@Suite("The image index")
struct ImageIndexTests {
  @Test("the image index finds each image under its number, and nothing else")
  func bruteForce() {
    var random = SplitMix64(seed: 2)
    var index = ImageIndex()
    var numbers: [MD5Digest: Int] = [:]
    for _ in 0..<3000 {
      // Few low words, so that many digests want one slot.
      let digest = MD5Digest(high: random.next() % 100, low: random.next() % 40)
      #expect(index.number(of: digest) == numbers[digest])
      if numbers[digest] == nil { numbers[digest] = index.add(digest) }
    }
    #expect(index.count == numbers.count)
    for (number, digest) in index.digests.enumerated() { #expect(numbers[digest] == number) }
  }

  @Test("the image index lists all numbers in order of the digests", arguments: [0, 1, 2, 5000])
  func order(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var index = ImageIndex()
    for number in 0..<count {
      // Some alike in the first two bytes, some in the first eight.
      let high = number % 3 == 0 ? 0x4D4D_0000_0000_0000 | random.next() >> 60 : random.next()
      index.add(MD5Digest(high: high, low: random.next()))
    }
    let sorted = index.digests.indices.sorted {
      "\(index.digests[$0])" < "\(index.digests[$1])"
    }
    #expect(index.numbersInOrder().map { Int($0) } == sorted)
  }
}
