import Foundation
import TapBlocks
import TestSupport
import Testing

/// The description of the format for those who write clients.
@Suite("Compact taps in docs/taps.md")
struct TapPageTests {
  private let page: String

  init() throws {
    page = try String(
      contentsOf: packageRoot.appendingPathComponent("docs/taps.md"), encoding: .utf8)
  }

  /// The bytes of the block that the page shows.
  private func example() throws -> [UInt8] {
    let part = try #require(page.split(separator: "```hex\n").last?.split(separator: "```").first)
    return try part.split(separator: "\n").flatMap { line in
      try line.prefix { $0 != "#" }.split(separator: " ").map {
        try #require(UInt8($0, radix: 16))
      }
    }
  }

  @Test("the block in docs/taps.md answers what the page says, in the product and by the page")
  func answers() throws {
    let bytes = try example()
    let (block, client) = (try TapBlock(bytes), try PageBlock(bytes))
    #expect(block.encoded() == bytes)
    let rows = page.matches(of: #/(?m)^\| ([\d.]+), ([\d.]+) \| (\d+|nothing) \| /#)
    #expect(rows.count >= 6)
    for row in rows {
      let (x, y) = (try #require(Double(row.1)), try #require(Double(row.2)))
      #expect(client.answer(x: x, y: y) == Int(row.3), "\(row.0)")
      #expect(block.feature(x: x, y: y).map(Int.init) == Int(row.3), "\(row.0)")
    }
  }

  @Test("a client that is written from docs/taps.md alone answers as the product does")
  func client() throws {
    var random = SplitMix64(seed: 9)
    var (answers, wrong) = (0, [String]())
    for _ in 0..<10 {
      let block = TapBlock.random(&random)
      let client = try PageBlock(block.encoded())
      for _ in 0..<400 {
        let (x, y) = (random.number(in: 0..<512), random.number(in: 0..<512))
        let (own, other) = (block.feature(x: x, y: y).map(Int.init), client.answer(x: x, y: y))
        if own != other { wrong.append("\(x), \(y): \(own ?? -1), \(other ?? -1)") }
        if own != nil { answers += 1 }
      }
    }
    #expect(wrong.isEmpty && answers > 200)
  }
}
