import Features
import Foundation
import MBTiles
import PipelineSamples
import Scenes
import TestSupport
import Testing

@testable import Baking

@Suite("Numbered scenes")
struct SceneTableTests {
  private func hash(_ number: Int) -> StableHash {
    var hash = StableHash()
    hash.combine(number)
    return hash
  }

  @Test("scenes are numbered by first use, and found again", arguments: [0, 1, 511, 5000])
  func numbers(count: Int) {
    var table = SceneTable()
    for number in 0..<count {
      let inserted = table.insert(hash(number))
      #expect(inserted.number == number && inserted.isNew)
      #expect(!table.insert(hash(number / 2)).isNew)
    }
    let restored = SceneTable(table.hashes)
    for number in 0..<count {
      #expect(table.number(of: hash(number)) == number)
      #expect(restored.number(of: hash(number)) == number)
    }
    #expect(table.number(of: hash(count)) == nil && restored.number(of: hash(-1)) == nil)
    #expect(table.hashes.count == count)
  }

  @Test("scenes are distinguished by every part of their content")
  func layers() throws {
    // A heatmap below or above circles: the same densities, another picture.
    let below = "[{id: h, type: heatmap, source: places}, {id: d, type: circle, source: places}]"
    let above =
      "[{id: n, type: circle, source: places, filter: ['==', [literal, 1], 2]}, "
      + "{id: d, type: circle, source: places}, {id: h, type: heatmap, source: places}]"
    let hashes = try [below, above].map { layers in
      let sample = try BuildSample(rows: 3, tiles: "{maxzoom: 0}")
      let text = try String(contentsOfFile: sample.file, encoding: .utf8)
      let start = try #require(text.range(of: "layers:"))
      let end = try #require(text.range(of: "tiles:"))
      let other = text[..<start.lowerBound] + "layers: \(layers)\n" + text[end.lowerBound...]
      try sample.folder.write(String(other), to: "sample.yml")
      return try sample.planned().zooms[0].hashes[0]
    }
    #expect(hashes[0] != hashes[1])
  }
}
