import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import ArchiveDeltas
@testable import MBTiles
@testable import Reports

@Suite("A comparison of two archives")
struct ArchiveComparisonTests {
  /// Compares and returns the changes in the order in which they came.
  private func compare(
    _ old: FilePath, _ new: FilePath
  ) throws -> (changes: [TileChange], counts: TileChanges) {
    var changes: [TileChange] = []
    let comparison = ArchiveComparison(old: try ArchiveReader(old), new: try ArchiveReader(new))
    let counts = try comparison.run { (change) throws(ArchiveError) in changes.append(change) }
    #expect(try comparison.count() == counts)
    for reader in comparison.usesNames ? [comparison.old, comparison.new] : [] {
      let pages = try reader.database.integer("PRAGMA cache_size") ?? 0
      #expect(pages == -Int64(ArchiveComparison.keptBytes >> 10))
    }
    return (changes, counts)
  }

  @Test(
    "a comparison of two archives finds what brute force finds, whatever the layouts",
    arguments: ArchiveLayout.allCases, ArchiveLayout.allCases)
  func random(old: ArchiveLayout, new: ArchiveLayout) throws {
    for seed in 0..<8 {
      let folder = try TemporaryFolder()
      let pair = ArchivePair(seed: UInt64(seed), edits: seed * 20)
      let (before, after) = (folder.path.appending("a"), folder.path.appending("b"))
      try Sample.write(
        before, layout: old, tiles: pair.old, metadata: Sample.metadata(zooms: 0...5))
      try Sample.write(after, layout: new, tiles: pair.new, metadata: Sample.metadata(zooms: 0...5))
      let (changes, counts) = try compare(before, after)
      #expect(changes == pair.changes)
      #expect(counts.oldTiles == pair.old.count && counts.newTiles == pair.new.count)
      #expect(counts.differing == changes.count)
      for zoom in counts.zooms {
        let those = changes.filter { $0.tile.z == zoom.zoom }
        #expect(zoom.added == those.filter { $0.kind == .added }.count)
        #expect(zoom.changed == those.filter { $0.kind == .changed }.count)
        #expect(zoom.removed == those.filter { $0.kind == .removed }.count)
      }
    }
  }

  @Test("a comparison counts the same if an app has stored rows in another order")
  func disorder() throws {
    for seed in 0..<4 {
      let folder = try TemporaryFolder()
      let pair = ArchivePair(seed: UInt64(seed), edits: 30)
      let (before, after) = (folder.path.appending("a"), folder.path.appending("b"))
      try Sample.write(before, tiles: pair.old, metadata: Sample.metadata(zooms: 0...5))
      try Sample.write(after, tiles: pair.new, metadata: Sample.metadata(zooms: 0...5))
      let database = try Database(
        path: (seed % 2 == 0 ? before : after).string, mode: .readWrite)
      try database.execute(
        """
        CREATE TEMP TABLE rows AS SELECT * FROM map; DELETE FROM map;
        INSERT INTO map SELECT * FROM rows ORDER BY rowid % 7, rowid;
        """)
      let (changes, counts) = try compare(before, after)
      #expect(changes == pair.changes)
      #expect(counts.differing == changes.count && counts.newTiles == pair.new.count)
    }
  }

  @Test("a comparison of an archive with itself finds nothing", arguments: ArchiveLayout.allCases)
  func same(layout: ArchiveLayout) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Sample.write(path, layout: layout)
    let (changes, counts) = try compare(path, path)
    #expect(changes.isEmpty && counts.unchanged == Sample.tiles.count && counts.differing == 0)
    #expect(counts.zooms.map(\.zoom) == [0, 1, 2])
  }

  @Test("a comparison finds tiles that look the same but answer differently, like brute force")
  func answers() throws {
    for seed in 0..<4 {
      let pair = ArchivePair(seed: UInt64(seed), zooms: 0...4, edits: seed * 8)
      let before = SampleTaps()
      let after = SampleTaps(after: before, tiles: pair.old, seed: UInt64(seed), edits: seed * 9)
      let shop = try DeltaWorkshop(
        pair, DeltaForm(.dedup, taps: .grids), zooms: 0...4, taps: (before, after))
      let (changes, counts) = try compare(shop.old, shop.new)
      #expect(changes == before.changes(to: after, pair))
      #expect(counts.differing == changes.count && counts.newTiles == pair.new.count)
      // Pictures alone are looked at.
      let samples = try ArchiveComparison(
        old: try ArchiveReader(shop.old), new: try ArchiveReader(shop.new)
      ).samples()
      #expect(samples.changes == counts)
      #expect(samples.tiles.allSatisfy { $0.before != $0.after })
      // Where only one archive answers, that says nothing of tiles.
      let plain = try DeltaWorkshop(pair, DeltaForm(.dedup), zooms: 0...4)
      #expect(try compare(plain.old, shop.new).changes == pair.changes)
    }
  }

  @Test("a comparison uses the bytes if another program gave the names")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let (mine, other) = (folder.path.appending("a"), folder.path.appending("b"))
    try Sample.write(mine)
    try Sample.write(other)
    let database = try Database(path: other.string, mode: .readWrite)
    try database.execute(
      """
      DELETE FROM metadata WHERE name = '\(ArchiveMetadata.digestKey)';
      UPDATE map SET tile_id = 'x' || tile_id; UPDATE images SET tile_id = 'x' || tile_id;
      """)
    #expect(try compare(mine, other).counts.differing == 0)
    // One image's bytes under its old name.
    try database.execute("UPDATE images SET tile_data = x'00' WHERE rowid = 1")
    let shown = Sample.tiles.filter { $0.image == Sample.red }.map(\.tile)
    #expect(try compare(mine, other).changes == shown.map { TileChange(tile: $0, kind: .changed) })
  }

  @Test("a comparison counts a duplicate tile once and invalid rows not at all")
  func twice() throws {
    let folder = try TemporaryFolder()
    let (mine, other) = (folder.path.appending("a"), folder.path.appending("b"))
    try Sample.write(mine, layout: .flat)
    try Sample.write(other, layout: .flat)
    try Database(path: other.string, mode: .readWrite).execute(
      """
      DROP INDEX tiles_index; INSERT INTO tiles SELECT * FROM tiles WHERE zoom_level = 1;
      INSERT INTO tiles VALUES (1, 9, 9, x'00'), (30, 0, 0, x'00'), ('a', 0, 0, x'00'),
        (2, 3, 0, NULL);
      """)
    let counts = try compare(mine, other).counts
    #expect(counts.differing == 0 && counts.unchanged == Sample.tiles.count)
  }

  @Test("a comparison names the tile whose image is misnamed in an archive of this program")
  func badName() throws {
    let folder = try TemporaryFolder()
    let (mine, other) = (folder.path.appending("a"), folder.path.appending("b"))
    try Sample.write(mine)
    try Sample.write(other)
    try Database(path: other.string, mode: .readWrite).execute(
      "UPDATE map SET tile_id = 'short' WHERE zoom_level = 0")
    let error = #expect(throws: ArchiveError.self) { _ = try compare(mine, other) }
    #expect(error?.code == .badArchive && error?.message.contains("tile 0/0/0") == true)
  }
}
