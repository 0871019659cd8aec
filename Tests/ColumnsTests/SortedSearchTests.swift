import Columns
import TestSupport
import Testing

@Suite("Search in order")
struct SortedSearchTests {
  @Test("the first element that is not before a place is the one that a walk finds")
  func search() {
    var random = SplitMix64(seed: 3)
    for count in 0..<40 {
      let values = (0..<count).map { _ in random.below(30) }.sorted()
      for place in -1...31 {
        let walked = values.firstIndex { $0 >= place } ?? values.count
        #expect(values.bisectedIndex(notBefore: { $0 < place }) == walked)
        #expect(Column(values).bisectedIndex(notBefore: { $0 < place }) == walked)
      }
      for start in 0..<count {
        let rest = values[start...]
        let walked = rest.firstIndex { $0 >= 15 } ?? count
        #expect(rest.bisectedIndex(notBefore: { $0 < 15 }) == walked)
      }
    }
  }

  @Test("a sorted sequence without repetitions has each of its elements once")
  func repetitions() {
    var random = SplitMix64(seed: 4)
    for count in 0..<40 {
      let values = (0..<count).map { _ in random.below(20) }.sorted()
      #expect(values.withoutRepetitions() == Set(values).sorted())
    }
    #expect([1, 1, 2, 1].withoutRepetitions() == [1, 2, 1])
  }
}
