import Definition
import Features
import Foundation
import Pipeline
import PipelineSamples
import Reuse
import SQLite
import TestSupport
import Testing

@testable import Reports
@testable import Runs

@Suite("Compact taps of the last archive")
struct TapReuseTests {
  private static let taps = ", interactivity: {fields: [kind], format: compact}"

  @Test("a build that finds damaged taps in the last archive makes them anew")
  func damage() throws {
    var tileset = try EditedTileset(records: 60, seed: 21, taps: Self.taps)
    _ = try tileset.build()
    try tileset.make(.move)
    let whole = try tileset.wholeArchive()
    let path = try #require(tileset.folder?.path("edited.mbtiles"))
    do {
      let database = try Database(path: path, mode: .readWrite)
      try database.execute(
        "UPDATE taps SET block_data = zeroblob(length(block_data)) WHERE rowid % 2 = 0;"
          + "UPDATE tap_entries SET entry_data = x'00'; DELETE FROM taps WHERE rowid % 5 = 0")
    }
    _ = try tileset.build()
    #expect(try tileset.archive() == whole)
  }

  /// Returns the numbers of rows of a table of `new.mbtiles` and of those that `old.mbtiles` lacks.
  private func changes(_ table: String, in folder: TemporaryFolder) throws -> (Int, Int) {
    let database = try Database(path: folder.path("new.mbtiles"), mode: .readOnly)
    try database.execute("ATTACH '\(folder.path("old.mbtiles"))' AS old")
    let all = try database.integer("SELECT count(*) FROM main.\(table)") ?? 0
    let changed = try database.integer(
      "SELECT count(*) FROM (SELECT * FROM main.\(table) EXCEPT SELECT * FROM old.\(table))")
    return (Int(all), Int(changed ?? 0))
  }

  @Test("a record that moves changes few blocks and pages")
  func stability() throws {
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 12)
    var rows = (0..<1500).map {
      "\(random.number(in: -40..<40)),\(random.number(in: -40..<40)),\($0),Place \($0)"
    }
    for name in ["old", "new"] {
      try folder.write("lng,lat,id,name\n" + rows.joined(separator: "\n"), to: "places.csv")
      let file = try folder.write(
        """
        version: 1
        name: sample
        sources: {places: {type: csv, data: places.csv, id: id, cluster: true, clusterMaxZoom: 6}}
        layers: [{id: dots, type: circle, source: places}]
        tiles: {minzoom: 0, maxzoom: 8, interactivity: {format: compact}}
        output: {path: \(name).mbtiles}
        """, to: "\(name).yml")
      let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
      _ = try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      rows[700] = "12.5,33.25,700,Place 700"
    }
    let (blocks, changedBlocks) = try changes("taps", in: folder)
    let (pages, changedPages) = try changes("tap_entries", in: folder)
    #expect(blocks > 90 && changedBlocks > 4 && changedBlocks < blocks / 4, "\(changedBlocks)")
    #expect(pages > 30 && changedPages > 1 && changedPages < pages / 3, "\(changedPages)")
  }

  @Test("a row is known by its place, what it was made from, and its bytes")
  func state() throws {
    var (state, hash) = (TapState(), StableHash())
    hash.combine(7)
    state.blocks.append(11, hash, [1, 2, 3], count: 9)
    let index = try #require(state.blocks.index(of: 11, hash))
    #expect(state.blocks.count(index, of: [1, 2, 3]) == 9)
    #expect(state.blocks.count(index, of: [1, 2, 4]) == nil)
    #expect(state.blocks.index(of: 11, StableHash()) == nil)
    #expect(state.blocks.index(of: 10, hash) == nil && state.blocks.index(of: 12, hash) == nil)
    #expect(state.pages.index(of: 11, hash) == nil)
  }

  @Test("the pages of a run are known by its first feature, their one hash and their counts")
  func run() {
    var (state, hash) = (TapState(), StableHash())
    hash.combine(7)
    state.pages.append(11, hash, [1], count: 4)
    state.pages.append(20, hash, [2], count: 5)
    state.pages.append(30, StableHash(), [3], count: 6)
    #expect(state.pages.rows(from: 11, hash, count: 9) == 0..<2)
    #expect(state.pages.rows(from: 11, hash, count: 10).isEmpty)
    #expect(state.pages.rows(from: 11, StableHash(), count: 9).isEmpty)
    #expect(state.pages.rows(from: 12, hash, count: 9).isEmpty)
  }
}
