import Features
import PipelineSamples
import Scenes
import Testing
import Tiling

@testable import Baking

@Suite("The rows of an archive")
struct BuildTileRowsTests {
  /// All batches of a sample whose layer ends before the last zooms.
  private func batches(_ planned: PlannedTiles) -> [TileRows.Batch] {
    var rows = planned.rows.batches
    var batches: [TileRows.Batch] = []
    while let batch = rows.next() { batches.append(batch) }
    return batches
  }

  @Test("the rows of an archive come once each, in archive order, as many as planned")
  func order() throws {
    let planned = try BuildSample(rows: 1300, tiles: "{maxzoom: 7, snap: 1}").planned()
    let batches = batches(planned)
    let keys = batches.flatMap { $0.rows.map(\.tile.archiveKey) }
    #expect(keys == keys.sorted() && Set(keys).count == keys.count)
    #expect(keys.count == planned.counts.reduce(0) { $0 + $1.drawn + $1.transparent })
    for batch in batches {
      #expect(!batch.rows.isEmpty && batch.rows.count <= TileRows.batchSize)
      #expect(Set(batch.rows.map(\.tile.z)).count == 1)
    }
    #expect(batches.contains { $0.rows.count == TileRows.batchSize })
  }

  @Test("the rows of an archive are the same in smaller batches")
  func smallBatches() throws {
    let planned = try BuildSample(rows: 300, tiles: "{maxzoom: 6, snap: 4}").planned()
    let rows = planned.rows
    var small = TileRows(rows, in: 0..<rows.count, batchSize: 7)
    var batches: [TileRows.Batch] = []
    while let batch = small.next() { batches.append(batch) }
    let usual = self.batches(planned)
    #expect(batches.count > usual.count && batches.allSatisfy { $0.rows.count <= 7 })
    #expect(
      batches.flatMap { $0.rows.map(\.tile) } == usual.flatMap { $0.rows.map(\.tile) })
    #expect(batches.flatMap { $0.fresh.map(\.slot) } == usual.flatMap { $0.fresh.map(\.slot) })
  }

  @Test("the rows of an archive paint each distinct scene once, where it occurs first")
  func slots() throws {
    let planned = try BuildSample(rows: 900, tiles: "{maxzoom: 7, snap: 4}").planned()
    var slots: [TileCoord: UInt32] = [:]
    var next: UInt32 = 1
    for batch in batches(planned) {
      for fresh in batch.fresh {
        #expect(fresh.slot == next)
        let tile = planned.zooms[batch.zoomIndex].tile(fresh.tile)
        #expect(batch.rows.contains { $0.tile == tile && $0.slot == fresh.slot })
        next += 1
      }
      for row in batch.rows {
        #expect(row.slot < next)
        slots[row.tile] = row.slot
      }
    }
    #expect(Int(next) - 1 == planned.uses.count)
    #expect(planned.uses.count < slots.count)
    // Equal slots stand for equal scenes, and only those.
    var hashes: [UInt32: StableHash] = [:]
    for scenes in planned.zooms {
      for index in 0..<scenes.count {
        let slot = try #require(slots[scenes.tile(index)])
        #expect(slot > 0)
        #expect(hashes[slot, default: scenes.hashes[index]] == scenes.hashes[index])
        hashes[slot] = scenes.hashes[index]
      }
    }
    #expect(Set(hashes.values).count == hashes.count)
  }

  @Test("an archive has no transparent tile if nothing is to be filled")
  func fill() throws {
    let bare = try BuildSample(tiles: "{maxzoom: 5, snap: 1, fill: none}").planned()
    #expect(bare.counts.allSatisfy { $0.transparent == 0 })
    #expect(batches(bare).allSatisfy { $0.rows.allSatisfy { $0.slot > 0 } })
    let filled = try BuildSample().planned()
    for (zoom, count) in filled.counts.enumerated() {
      let blank = batches(filled).flatMap(\.rows).filter { $0.tile.z == zoom && $0.slot == 0 }
      #expect(blank.count == count.transparent)
    }
  }
}
