import Testing

@testable import MBTiles

@Suite("The image index")
struct ImageIndexTests {
  @Test("finds what was added under its number, and nothing else")
  func bruteForce() {
    var random = SplitMix64(state: 2)
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
}
