import SQLite
import SystemPackage
import TestSupport
import Testing

@testable import ArchiveDeltas
@testable import MBTiles

@Suite("A damaged delta")
struct DamagedDeltaTests {
  /// Applies bytes as a delta: `nil` if they are refused in a sentence, else the new file.
  private func outcome(_ bytes: [UInt8], _ shop: DeltaWorkshop) throws -> [UInt8]? {
    let path = try shop.folder.write(bytes, to: "damaged.delta")
    do {
      return try shop.apply(path)
    } catch let error as ArchiveError {
      #expect([.badArchive, .badValue].contains(error.code), "\(error.message)")
      return nil
    }
  }

  @Test("a delta with any page of noise is refused, or has no effect on the result")
  func pages() throws {
    for form in DeltaForm.all {
      let shop = try DeltaWorkshop(
        ArchivePair(seed: 9, zooms: form.sampleZooms, edits: form.hasGrids ? 12 : 150), form,
        zooms: form.sampleZooms)
      try shop.make()
      let (good, wanted) = (try contents(of: shop.delta), try contents(of: shop.new))
      let before = try contents(of: shop.old)
      var random = SplitMix64(seed: 1)
      for page in 0..<(good.count / 4096) {
        for kind in 0..<4 {
          var bytes = good
          let start = page * 4096 + (page == 0 ? 100 : 0)
          switch kind {
          case 0: bytes[start + Int(random.next() % 3000)] ^= 1 << UInt8(random.next() % 8)
          case 1: for i in start..<(page + 1) * 4096 { bytes[i] = 0 }
          case 2:
            for i in start..<(page + 1) * 4096 {
              bytes[i] = UInt8(truncatingIfNeeded: random.next())
            }
          default:
            let other = Int(random.next() % UInt64(good.count / 4096)) * 4096 + start % 4096
            for i in 0..<(4096 - start % 4096) { bytes[start + i] = good[other + i] }
          }
          if let made = try outcome(bytes, shop) { #expect(made == wanted, "page \(page)") }
        }
      }
      #expect(try contents(of: shop.old) == before)
    }
  }

  @Test("a delta truncated at any length is refused")
  func cut() throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 9, edits: 50), DeltaForm(.dedup))
    try shop.make()
    let good = try contents(of: shop.delta)
    for count in stride(from: 0, to: good.count, by: 509) {
      #expect(try outcome(Array(good[..<count]), shop) == nil)
    }
  }

  @Test(
    "a delta with false rows is refused with the reason",
    arguments: [
      (
        "UPDATE new_map SET tile_row = -1 WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 1)",
        "no tile or out of order"
      ),
      (
        "UPDATE new_map SET zoom_level = 0 WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 2)",
        "no tile or out of order"
      ),
      (
        "UPDATE new_map SET tile_id = 'x' WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 1)",
        "not named by an MD5"
      ),
      (
        "UPDATE new_map SET tile_id = '0123456789ABCDEF0123456789ABCDEF' WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 1)",
        "neither it nor the archive has image"
      ),
      ("UPDATE new_images SET tile_data = x'00' WHERE rowid = 1", "by the MD5 of its bytes"),
      ("DELETE FROM new_images WHERE rowid = 2", "neither it nor the archive has image"),
      (
        "INSERT INTO new_images SELECT tile_id, tile_data, NULL FROM new_images WHERE rowid = 1",
        "more rows or images"
      ),
      ("DELETE FROM new_map WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 0)", ""),
      ("DELETE FROM removed_tiles WHERE rowid = 1", "leads to"),
      ("INSERT INTO removed_tiles VALUES (22, 0, 0)", "removes a tile that is not there"),
      ("UPDATE new_metadata SET name = 'name'", "occurs twice"),
      ("UPDATE new_metadata SET value = x'00' WHERE rowid = 1", "makes no sense"),
      ("UPDATE new_metadata SET value = '/home/me/a' WHERE rowid = 9", "absolute path"),
      ("DELETE FROM new_metadata WHERE name = 'quadrille:digest'", "leads to"),
      ("UPDATE facts SET value = 'x' WHERE name = 'after'", "facts make no sense"),
      ("UPDATE facts SET value = '-1' WHERE name = 'bytes'", "facts make no sense"),
      ("UPDATE facts SET value = 'flat' WHERE name = 'layout'", "facts make no sense"),
      ("DELETE FROM facts WHERE name = 'name'", "facts make no sense"),
      ("CREATE TABLE more (a)", "tables are others"),
      ("DROP TABLE removed_tiles; CREATE VIEW removed_tiles AS SELECT 1", "tables are others"),
      ("CREATE TRIGGER t AFTER INSERT ON facts BEGIN SELECT 1; END", "tables are others"),
      ("PRAGMA user_version = 1", "format is not 2"),
      ("PRAGMA application_id = 0", "is no delta"),
      ("PRAGMA journal_mode = WAL", ""),
    ])
  func rows(sql: String, words: String) throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 9, edits: 80), DeltaForm(.dedup))
    try shop.make()
    try Database(path: shop.delta.string, mode: .readWrite).execute(sql)
    let error = #expect(throws: ArchiveError.self) { _ = try shop.apply() }
    #expect(error?.code == .badArchive && error?.message.contains(words) == true, "\(error as Any)")
  }

  @Test(
    "a delta with false taps is refused with the reason",
    arguments: [
      (
        "UPDATE new_map SET grid_id = 'x' WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 2)",
        "grid is not named by an MD5"
      ),
      ("UPDATE new_grids SET grid_id = 'x' WHERE rowid = 2", "grid is not named by an MD5"),
      (
        "UPDATE new_map SET grid_id = '0123456789ABCDEF0123456789ABCDEF' WHERE rowid = (SELECT rowid FROM new_map LIMIT 1 OFFSET 2)",
        "neither it nor the archive has grid"
      ),
      ("UPDATE new_grids SET grid_utfgrid = x'00' WHERE rowid = 1", "by the MD5 of its bytes"),
      ("UPDATE new_grid_key SET key_name = 'a' WHERE rowid = 1", "other keys than are listed"),
      (
        """
        UPDATE new_grid_key SET key_name = '' WHERE rowid = (SELECT b.rowid FROM new_grid_key AS a
        JOIN new_grid_key AS b ON b.rowid = a.rowid + 1 AND b.grid = a.grid LIMIT 1)
        """, "out of order"
      ),
      ("DELETE FROM new_grid_key WHERE rowid = 1", "other keys than are listed"),
      ("INSERT INTO new_grid_key VALUES (9999, 'x')", "more grids or keys"),
      ("UPDATE new_grid_key SET key_name = x'FF' WHERE rowid = 1", "is no text"),
      ("UPDATE new_keymap SET key_json = '{}' WHERE rowid = 1", "leads to"),
      ("UPDATE new_keymap SET key_json = CAST(x'FF' AS TEXT) WHERE rowid = 1", "is no text"),
      ("UPDATE new_keymap SET key_name = 'x' WHERE rowid = 1", ""),
      ("INSERT INTO new_keymap SELECT * FROM new_keymap", "stands for two things"),
      ("INSERT INTO new_keymap VALUES ('x', '{}', NULL)", "more grids or keys"),
      ("UPDATE facts SET value = 'x' WHERE name = 'taps_after'", "facts make no sense"),
      ("DELETE FROM facts WHERE name = 'taps_before'", "facts make no sense"),
      ("DELETE FROM new_metadata WHERE name = 'quadrille:taps'", "leads to"),
      ("DROP TABLE dropped_keymap", "tables are others"),
    ])
  func taps(sql: String, words: String) throws {
    let shop = try DeltaWorkshop(
      ArchivePair(seed: 9, zooms: 0...3, edits: 40), DeltaForm(.dedup, taps: .grids), zooms: 0...3)
    try shop.make()
    try Database(path: shop.delta.string, mode: .readWrite).execute(sql)
    let before = try contents(of: shop.old)
    let error = #expect(throws: ArchiveError.self) { _ = try shop.apply() }
    #expect(error?.code == .badArchive && error?.message.contains(words) == true, "\(error as Any)")
    #expect(try contents(of: shop.old) == before)
  }

  @Test(
    "a delta with false rows of compact taps is refused with the reason",
    arguments: [
      ("UPDATE new_taps SET block_data = x'00' WHERE rowid = 1", "a row of taps"),
      ("UPDATE new_taps SET block_data = 'x' WHERE rowid = 1", "no number or no bytes"),
      ("UPDATE new_taps SET zoom_level = 99 WHERE rowid = 1", "nothing that there is"),
      ("INSERT INTO new_taps SELECT * FROM new_taps", "out of order"),
      ("INSERT INTO removed_taps VALUES (22, 0, 0)", "taps that are not there"),
      (
        "INSERT INTO removed_taps SELECT zoom_level, block_column, block_row FROM new_taps",
        "removed and changed"
      ),
      ("DELETE FROM new_taps WHERE rowid = 1", "leads to"),
      ("UPDATE new_tap_entries SET entry_data = x'00' WHERE rowid = 1", "a row of taps"),
      ("UPDATE new_tap_entries SET first_feature = -1 WHERE rowid = 1", "nothing that there is"),
      ("DELETE FROM new_tap_entries", "leads to"),
      ("DELETE FROM facts WHERE name = 'blocks'", "facts make no sense"),
      ("DROP TABLE removed_tap_entries", "tables are others"),
    ])
  func compactTaps(sql: String, words: String) throws {
    let shop = try DeltaWorkshop(
      ArchivePair(seed: 9, edits: 80), DeltaForm(.flat, taps: .blocks))
    try shop.make()
    try Database(path: shop.delta.string, mode: .readWrite).execute(sql)
    let error = #expect(throws: ArchiveError.self) { _ = try shop.apply() }
    #expect(error?.code == .badArchive && error?.message.contains(words) == true, "\(error as Any)")
  }

  @Test("a damaged delta is distinguished from an archive with damaged taps")
  func damagedTaps() throws {
    let shop = try DeltaWorkshop(
      ArchivePair(seed: 9, zooms: 0...3, edits: 20), DeltaForm(.dedup, taps: .grids), zooms: 0...3)
    try shop.make()
    try Database(path: shop.old.string, mode: .readWrite).execute(
      "UPDATE map SET grid_id = NULL WHERE rowid = (SELECT max(rowid) FROM map WHERE grid_id > '')")
    let error = #expect(throws: ArchiveError.self) { _ = try shop.apply() }
    #expect(error?.code == .badArchive && error?.path == shop.old, "\(error as Any)")
  }

  @Test("a damaged delta is distinguished from the wrong old archive")
  func wrongArchive() throws {
    let shop = try DeltaWorkshop(ArchivePair(seed: 9, edits: 50), DeltaForm(.dedup))
    try shop.make()
    let other = try DeltaWorkshop(ArchivePair(seed: 10, edits: 50), DeltaForm(.dedup))
    let error = #expect(throws: ArchiveError.self) { _ = try shop.apply(to: other.old) }
    #expect(error?.code == .badValue && error?.message.contains("leads from") == true)
    // The metadata promises the right tiles, but one is gone.
    try Database(path: shop.old.string, mode: .readWrite).execute(
      "DELETE FROM map WHERE zoom_level = 0")
    let damaged = #expect(throws: ArchiveError.self) { _ = try shop.apply() }
    #expect(damaged?.code == .badArchive && damaged?.message.contains("is damaged") == true)
    #expect(try #require(damaged).path == shop.old)
  }

  @Test("a delta that is missing, empty or an archive is refused")
  func nothing() throws {
    let folder = try TemporaryFolder()
    func code(_ path: FilePath) -> ArchiveError.Code? {
      (#expect(throws: ArchiveError.self) { _ = try DeltaReader(path) })?.code
    }
    #expect(code(folder.path.appending("none")) == .missing)
    #expect(code(try folder.write([], to: "empty")) == .badArchive)
    #expect(code(folder.path) == .badArchive)
    let archive = folder.path.appending("a")
    try Sample.write(archive)
    #expect(code(archive) == .badArchive)
  }
}
