import Foundation
import MBTiles
import TapBlocks
import TestSupport
import Testing

@testable import Archives

@Suite("The text of grids")
struct GridTextTests {
  /// A grid of discs, the keys in the order of their first cell.
  private static func grid(_ count: Int, _ random: inout SplitMix64) -> (
    cells: [UInt16], keys: [[UInt8]]
  ) {
    var cells = [Int](repeating: 0, count: 4096)
    for number in 1...count {
      let (x, y, reach) = (random.below(64), random.below(64), random.below(12))
      for row in max(0, y - reach)...min(63, y + reach) {
        for column in max(0, x - reach)...min(63, x + reach) { cells[row * 64 + column] = number }
      }
    }
    var numbers: [Int: UInt16] = [:]
    var keys: [[UInt8]] = []
    let numbered = cells.map { cell -> UInt16 in
      if cell == 0 { return 0 }
      if let known = numbers[cell] { return known }
      keys.append(Array("a2V5.\(String(repeating: "x", count: cell % 40)).\(cell)".utf8))
      numbers[cell] = UInt16(keys.count)
      return UInt16(keys.count)
    }
    return (numbered, keys)
  }

  private static func read(_ bytes: [UInt8]) throws -> GridTextReader {
    #expect(bytes.prefix(2) == [0x78, 0x9C])
    let text = try bytes.withUnsafeBytes { try TapInflater.forGrids.inflate($0) }
    #expect(text.count <= 64 << 10)
    guard case .grid(let grid) = GridTextReader.read(text) else {
      throw CocoaError(.coderInvalidValue)
    }
    return grid
  }

  @Test(
    "UTFGrids are read as they were written, sparse or not",
    arguments: [1, 2, 3, 8, 9, 30, 93, 94, 400])
  func roundTrip(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<20 {
      let (cells, keys) = Self.grid(count, &random)
      var bytes: [UInt8] = []
      let result = UTFGridEncoder().append(cells: cells, keys: keys, to: &bytes)
      let grid = try Self.read(bytes)
      #expect(result.step == 1 && result.keys == Array(keys.indices))
      #expect(grid.side == 64 && grid.cells == cells.map { Int($0) })
      #expect(grid.keys == [""] + keys.map { String(decoding: $0, as: UTF8.self) })
    }
  }

  @Test("UTFGrids become coarser if the keys of all cells are too large")
  func coarse() throws {
    let cells = (1...4096).map { UInt16($0) }
    let keys = cells.map { Array("key\(String(repeating: "k", count: 60))\($0)".utf8) }
    var bytes: [UInt8] = []
    let result = UTFGridEncoder().append(cells: cells, keys: keys, to: &bytes)
    let grid = try Self.read(bytes)
    #expect(result.step == 4 && grid.keys.count == 257 && result.keys.count == 256)
    #expect(Set(grid.cells).count == 256)
    for row in 0..<64 {
      for column in 0..<64 {
        #expect(grid.cells[row * 64 + column] == grid.cells[row / 4 * 4 * 64 + column / 4 * 4])
      }
    }
  }

  @Test("UTFGrids name keys by characters without quote and backslash")
  func codes() {
    for key in 0..<5000 {
      let character = UTFGridCode.character(of: key)
      #expect(character >= 32 && character != 34 && character != 92)
      #expect(UTFGridCode.key(of: character) == key)
    }
    for character: UInt32 in [0, 31, 34, 92] { #expect(UTFGridCode.key(of: character) == nil) }
  }

  @Test(
    "malformed UTFGrids are refused",
    arguments: [
      "", "[]", "{}", #"{"grid":[" "],"keys":["a"]}"#, #"{"grid":["  "],"keys":[""]}"#,
      #"{"grid":[" ","!"],"keys":[""]}"#, #"{"grid":["!"],"keys":[""]}"#,
      #"{"grid":[],"keys":[""]}"#,
      #"{"grid":[" "],"keys":["",1]}"#, #"{"grid":[" "],"keys":["","a","a"]}"#,
    ])
  func malformed(text: String) {
    guard case .fault = GridTextReader.read(Array(text.utf8)) else {
      Issue.record("taken: \(text)")
      return
    }
  }
}
