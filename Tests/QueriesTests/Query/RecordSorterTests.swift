import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Queries
@testable import Runs

@Suite struct RecordSorterTests {
  @Test(
    "the record sorter sorts in little memory, in runs or not, with a limit or without",
    arguments: [100, 3_000, 1 << 20], [Int.max, 2_000, 37, 1, 0])
  func order(budget: Int, limit: Int) throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: UInt64(budget &+ limit & 0xFFFF))
    let sorter = RecordSorter(limit: limit, folder: FilePath(folder.path(".")), budget: budget)
    var all: [[UInt8]] = []
    for number in 0..<3_000 {
      let text = (0..<random.below(6)).map { _ in UInt8(random.below(3)) }
      let key = text + [0xFF] + Self.bytes(of: number)
      all.append(key)
      // Bodies of all lengths, empty ones too, each the key again and again.
      let body = Array(repeatElement(key, count: number % 4).joined())
      try sorter.add(key: key, record: body)
    }
    let expected = all.sorted { $0.lexicographicallyPrecedes($1) }.prefix(limit)
    for _ in 0..<2 {
      var index = 0
      try sorter.forEach { record in
        let key = expected[index]
        let number = Int(key[key.count - 2]) << 8 | Int(key[key.count - 1])
        #expect(Array(record) == Array(repeatElement(key, count: number % 4).joined()))
        index += 1
      }
      #expect(index == expected.count)
    }
    if limit == .max { #expect(sorter.runs.isEmpty == (budget == 1 << 20)) }
    if limit <= 1, budget > 100 { #expect(sorter.runs.isEmpty) }
    #expect(try folder.names() == [])
  }

  private static func bytes(of number: Int) -> [UInt8] {
    [UInt8(number >> 8), UInt8(number & 0xFF)]
  }

  @Test("a temporary folder that cannot be written is named with the remedy")
  func folder() throws {
    let sorter = RecordSorter(limit: .max, folder: "/nonexistent/folder", budget: 10)
    #expect(throws: PipelineError.self) {
      for number in 0..<10 { try sorter.add(key: Self.bytes(of: number), record: [1, 2, 3]) }
    }
  }
}
