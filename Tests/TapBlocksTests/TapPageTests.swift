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

  /// The bytes of an example on the page.
  private func example(_ number: Int) throws -> [UInt8] {
    let parts = page.split(separator: "```hex\n").dropFirst()
    #expect(parts.count == 2)
    let part = try #require(parts.dropFirst(number).first?.split(separator: "```").first)
    return try part.split(separator: "\n").flatMap { line in
      try line.prefix { $0 != "#" }.split(separator: " ").map {
        try #require(UInt8($0, radix: 16))
      }
    }
  }

  @Test("the block in docs/taps.md answers what the page says, in the product and by the page")
  func answers() throws {
    let bytes = try example(0)
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

  @Test("the page of entries in docs/taps.md has the entries that it says")
  func entries() throws {
    let bytes = try example(1)
    let pieces = try TapEntryPage(bytes, first: 7)
    #expect(pieces.encoded() == bytes && pieces.identifiers == [7, 9, 20])
    let json = try #require(pieces.entries.last).json { member in
      pieces.entry(of: member) ?? TapEntry(key: [], fields: [])
    }
    let text = String(decoding: json, as: UTF8.self)
    #expect(page.contains("The third entry is `\(text)`."), "\(text)")
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
