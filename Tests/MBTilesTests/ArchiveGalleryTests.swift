import Pictures
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import MBTiles
@testable import ReportPages
@testable import Reports

@Suite("The tiles that stand for an archive")
struct ArchiveGalleryTests {
  @Test(
    "size percentiles are those of the sorted sizes, by nearest rank",
    arguments: [1, 2, 3, 19, 20, 21, 100, 999])
  func percentiles(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    var counter = SizeCounter()
    // Some beyond the sizes that have a place of their own.
    let sizes = (0..<count).map { _ in
      Int(random.next() % 7 == 0 ? 65_000 : 100) + Int(random.next() % 2000)
    }
    for size in sizes { counter.add(size) }
    let sorted = sizes.sorted()
    func rank(_ share: Int) -> Int { sorted[(count * share + 99) / 100 - 1] }
    let found = counter.sizes
    #expect(found.smallest == sorted.first && found.largest == sorted.last)
    #expect(found.median == rank(50) && found.percentile95 == rank(95))
  }

  @Test("all sizes are 0 if nothing was counted")
  func none() {
    #expect(SizeCounter().sizes == TileSizes())
  }

  @Test("gallery tiles are those that brute force finds", arguments: ArchiveLayout.allCases)
  func bruteForce(layout: ArchiveLayout) throws {
    for seed in 1..<6 {
      let folder = try TemporaryFolder()
      let pair = ArchivePair(seed: UInt64(seed), edits: 0)
      let path = folder.path.appending("a")
      try Sample.write(
        path, layout: layout, tiles: pair.old, metadata: Sample.metadata(zooms: 0...5))
      let reader = try ArchiveReader(path)
      var tiles: [(tile: TileCoord, bytes: Int, isBlank: Bool)] = []
      try reader.forEachTile { (tile, bytes) throws(ArchiveError) in
        tiles.append((tile, bytes.count, (try? PNGStructure(bytes))?.isBlank ?? false))
      }
      let zooms = try reader.summary().zooms
      let gallery = try ArchiveGallery(reader, zooms: zooms, biggest: 4)
      #expect(gallery.sheets.map(\.zoom) == zooms.map(\.zoom))
      for (sheet, zoom) in zip(gallery.sheets, zooms) {
        let those = tiles.filter { $0.tile.z == zoom.zoom }
        let shown = those.filter { !$0.isBlank }
        let densest = shown.max { $0.bytes < $1.bytes }?.bytes ?? those.first?.bytes
        #expect(sheet.densest?.bytes == densest)
        let emptiest = shown.map(\.bytes).min()
        #expect((sheet.emptiest ?? sheet.median ?? sheet.densest)?.bytes == emptiest ?? densest)
        for tile in [sheet.densest, sheet.median, sheet.emptiest].compactMap(\.self) {
          #expect(those.contains { $0.tile == tile.tile && $0.bytes == tile.bytes })
        }
      }
      let order = tiles.indices.sorted { (-tiles[$0].bytes, $0) < (-tiles[$1].bytes, $1) }
      #expect(gallery.biggest.map(\.tile) == order.prefix(4).map { tiles[$0].tile })
    }
  }

  @Test("changed tiles are the archives' own, the fullest of each zoom and kind")
  func changes() throws {
    let folder = try TemporaryFolder()
    let pair = ArchivePair(seed: 3, edits: 60)
    let (before, after) = (folder.path.appending("a"), folder.path.appending("b"))
    try Sample.write(before, tiles: pair.old, metadata: Sample.metadata(zooms: 0...5))
    try Sample.write(after, tiles: pair.new, metadata: Sample.metadata(zooms: 0...5))
    let (old, new) = (try ArchiveReader(before), try ArchiveReader(after))
    let found = try ArchiveComparison(old: old, new: new).samples()
    #expect(found.changes.differing == pair.changes.count && !found.tiles.isEmpty)
    for tile in found.tiles {
      #expect(pair.changes.contains(tile.change))
      #expect(try old.tile(tile.change.tile) == tile.before)
      #expect(try new.tile(tile.change.tile) == tile.after)
      #expect(tile.before != tile.after)
    }
    for zoom in found.changes.zooms {
      let kinds = found.tiles.filter { $0.change.tile.z == zoom.zoom }.map(\.change.kind)
      #expect(kinds.filter { $0 == .changed }.count == min(zoom.changed, 2))
      #expect(kinds.filter { $0 == .added }.count == min(zoom.added, 1))
      #expect(kinds.filter { $0 == .removed }.count == min(zoom.removed, 1))
    }
  }
}
