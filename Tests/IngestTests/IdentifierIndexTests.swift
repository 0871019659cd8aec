import TestSupport
import Testing

@testable import Ingest

@Suite("Ids that occurred before")
struct IdentifierIndexTests {
  @Test(
    "the identifier index finds each id again, however it grows",
    arguments: [0, 1, 700, 5_000, 100_000])
  func room(reserved: Int) {
    var index = IdentifierIndex()
    var numbers: [String: Int] = [:]
    var random = SplitMix64(seed: 7)
    for step in 0..<6_000 {
      if step == 900 { index.reserve(reserved) }
      let id = String(random.next() % 4_000)
      let known = withBytes(of: id) { index.insert($0) }
      #expect(known == numbers[id])
      if known == nil { numbers[id] = numbers.count }
    }
    #expect(index.count == numbers.count)
    for (id, number) in numbers {
      #expect(withBytes(of: id) { index.number(of: $0) } == number)
      #expect(index.text(number) == id)
    }
    #expect(withBytes(of: "4000") { index.number(of: $0) } == nil)
  }

  private func withBytes<R>(of id: String, _ body: (UnsafeRawBufferPointer) -> R) -> R {
    Array(id.utf8).withUnsafeBytes(body)
  }
}
