import Features
import Testing

@Suite("A sum of ledgers")
struct LedgerSumTests {
  /// A ledger of a part with some rejected records.
  private func part(_ count: Int, from line: Int, _ reason: RejectReason) -> SourceLedger {
    var ledger = SourceLedger()
    for index in 0..<count {
      ledger.read += 1
      ledger.reject(
        SourceLedger.Example(reason: reason, line: line + index, column: 1, message: "bad"),
        as: reason)
    }
    return ledger
  }

  @Test("a sum of many parts keeps the first five examples of each reason")
  func bound() {
    var sum = SourceLedger()
    for number in 0..<100 {
      sum.add(part(3, from: 1 + 10 * number, .invalidGeometry))
      sum.add(part(1, from: 5 + 10 * number, .invalidTile))
    }
    #expect(sum.rejected == [.invalidGeometry: 300, .invalidTile: 100] && sum.balances)
    #expect(
      sum.examples(of: .invalidGeometry, limit: 9).map(\.line) == [1, 2, 3, 11, 12])
    #expect(sum.examples(of: .invalidTile, limit: 9).map(\.line) == [5, 15, 25, 35, 45])
    #expect(sum.examples.map(\.line) == [1, 5] && sum.furtherExamples.count == 8)
  }
}
