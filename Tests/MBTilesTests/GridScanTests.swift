import SQLite
import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("A scan of grids")
struct GridScanTests {
  @Test("a scan of grids names each grid with too many keys once", arguments: [0, 1, 20])
  func keyLimit(beyond: Int) throws {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.path.appending("a").string, mode: .create)
    try database.execute(
      """
      CREATE TABLE map (zoom_level, tile_column, tile_row, tile_id TEXT, grid_id TEXT);
      CREATE TABLE grid_utfgrid (grid_id TEXT, grid_utfgrid BLOB);
      CREATE TABLE keymap (key_name TEXT, key_json TEXT);
      CREATE TABLE grid_key (grid_id TEXT, key_name TEXT);
      WITH RECURSIVE numbers (number) AS
        (SELECT 1 UNION ALL SELECT number + 1 FROM numbers
          WHERE number < \(GridScan.keyLimit + beyond))
      INSERT INTO grid_key SELECT grid, number FROM (SELECT 'A' AS grid UNION SELECT 'B'), numbers
      """)
    var scan = GridScan(database, looksInside: false, keysOfText: nil)
    _ = try scan.run()
    #expect(scan.log.findings.count == (beyond > 0 ? 2 : 0))
    #expect(scan.log.findings.allSatisfy { $0.message.contains("has more than 65536 keys") })
  }
}
