import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import MBTiles

@Suite("The archive reader")
struct ArchiveReaderTests {
  @Test("the archive reader returns every tile and no other", arguments: ArchiveLayout.allCases)
  func tiles(layout: ArchiveLayout) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    let summary = try Sample.write(path, layout: layout)
    let reader = try ArchiveReader(path)
    #expect(reader.layout.rawValue == layout.rawValue)
    for z in 0...3 {
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) {
          let tile = TileCoord(z: z, x: x, y: y)
          #expect(try reader.tile(tile) == Sample.tiles.first { $0.tile == tile }?.image)
        }
      }
    }
    #expect(try reader.tile(TileCoord(z: 70, x: 0, y: 0)) == nil)
    var tiles: [TileCoord] = []
    try reader.forEachTile { tile, _ in tiles.append(tile) }
    #expect(tiles == Sample.tiles.map(\.tile))
    #expect(try reader.summary(hashing: true) == summary)
    #expect(reader.metadata["format"] == "png")
    #expect(reader.metadata[ArchiveMetadata.ledgerKey] == "{\"hotels\":{\"read\":10}}")
  }

  @Test(
    "the archive reader names a missing file, one that is not an archive, and one without tiles")
  func refused() throws {
    let folder = try TemporaryFolder()
    func code(_ path: FilePath) -> ArchiveError.Code? {
      (#expect(throws: ArchiveError.self) { _ = try ArchiveReader(path) })?.code
    }
    #expect(code(folder.path.appending("none")) == .missing)
    #expect(code(folder.path) == .badArchive)
    #expect(code(try folder.write([], to: "empty")) == .badArchive)
    #expect(code(try folder.write(Array("SQLite format 3\0".utf8), to: "short")) == .badArchive)
    let other = folder.path.appending("other")
    try Database(path: other.string, mode: .create).execute("CREATE TABLE t (a)")
    #expect(code(other) == .badArchive)
  }

  @Test("the archive reader refuses a journal or log that holds part of the archive")
  func companion() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Sample.write(path)
    _ = try folder.write([1], to: "a-wal")
    let error = #expect(throws: ArchiveError.self) { _ = try ArchiveReader(path) }
    #expect(error?.message.contains("journal_mode=DELETE") == true)
  }

  @Test(
    "the archive reader reads tiles through any view, skips invalid rows, and stops at its deadline"
  )
  func foreignView() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Database(path: path.string, mode: .create).execute(
      """
      CREATE VIEW tiles AS SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'01' AS tile_data
      UNION ALL SELECT 1, 2, 0, x'02' UNION ALL SELECT 'x', 0, 0, x'03' UNION ALL SELECT 1, 1, 1, NULL
      """)
    let reader = try ArchiveReader(path)
    #expect(reader.layout == .view)
    var count = 0
    try reader.forEachTile { _, _ in count += 1 }
    #expect(count == 1)

    let endless = folder.path.appending("b")
    try Database(path: endless.string, mode: .create).execute(
      """
      CREATE VIEW tiles AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
      SELECT 0 AS zoom_level, 0 AS tile_column, 0 AS tile_row, x'01' AS tile_data FROM n WHERE i < 0
      """)
    let slow = try ArchiveReader(endless, giveUpAfter: 0.05)
    #expect(throws: ArchiveError.self) { _ = try slow.summary() }
  }

  @Test(
    "the archive reader counts the tiles of archives by other programs",
    .enabled(if: SharedData.isThere, "no shared data"),
    arguments: [
      ("mbutil_one_tile", 2), ("mbutil_utf8grid", 1), ("nodembtiles_plain_1", 285),
      ("nodembtiles_plain_2", 269), ("nodembtiles_plain_3", 2621), ("nodembtiles_plain_4", 269),
      ("nodembtiles_some-empty-tiles", 11), ("nodembtiles_unindexed", 285),
      ("nodembtiles_with_spaces", 0),
    ])
  func others(name: String, tiles: Int) throws {
    let data = FilePath(SharedData.path(""))
    let path = data.appending("mbtiles").appending(name + ".mbtiles")
    let reader = try ArchiveReader(path)
    #expect(try reader.summary().tiles == tiles)
    var rows = 0
    try reader.forEachTile { _, _ in rows += 1 }
    #expect(rows == tiles)
  }

  @Test(
    "the archive reader reads archives written by TileMill",
    .enabled(if: SharedData.isThere, "no shared data"),
    arguments: [
      ("geography-class-png", [1, 4, 1]), ("geography-class-png-no-bounds", [1, 4]),
      ("geography-class-jpg", [1, 4]),
    ])
  func tileMill(name: String, tiles: [Int]) throws {
    let script = FilePath(SharedData.path("mbtiles/martin_sql/\(name).sql"))
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Database(path: path.string, mode: .create).execute(
      String(decoding: contents(of: script), as: UTF8.self))
    let zooms = try ArchiveReader(path).summary().zooms
    #expect(zooms.map(\.zoom) == Array(tiles.indices))
    #expect(zooms.map(\.tiles) == tiles)
  }
}
