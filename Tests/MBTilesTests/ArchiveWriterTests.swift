import ArchiveDeltas
import Failures
import Files
import Hashing
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import MBTiles

@Suite("The archive writer")
struct ArchiveWriterTests {
  /// The schema and all rows as text.
  private func dump(_ path: FilePath) throws -> String {
    let database = try Database(path: path.string, mode: .immutable)
    var lines: [String] = []
    for sql in [
      "SELECT sql FROM sqlite_schema ORDER BY rowid",
      "SELECT name, value FROM metadata ORDER BY rowid",
    ] {
      let statement = try database.prepare(sql)
      while try statement.step() {
        lines.append(
          (0..<statement.columnCount).map { statement.text($0) ?? "" }.joined(separator: "|"))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static let metadata = """
    name|Sample
    format|png
    bounds|-100.5,-80,170,85
    center|10.25,-0.5,0
    minzoom|0
    maxzoom|2
    type|overlay
    version|1.0.0
    description|Ten tiles
    attribution|<a href="https://example.org/a/b">© Us</a>
    """

  @Test("the archive writer writes this schema and metadata with each image once")
  func dedup() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    let summary = try Sample.write(path)
    let hashes = try #require(summary.hashes)
    #expect(
      try dump(path) == """
        CREATE TABLE metadata (name TEXT, value TEXT)
        CREATE TABLE map (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT, grid_id TEXT)
        CREATE TABLE images (tile_id TEXT, tile_data BLOB)
        CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id
        CREATE UNIQUE INDEX metadata_index ON metadata (name)
        CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)
        CREATE UNIQUE INDEX images_index ON images (tile_id)
        \(Self.metadata)
        agg_tiles_hash|\(hashes.aggTilesHash ?? "")
        quadrille:digest|\(hashes.digest)
        quadrille:ledger|{"hotels":{"read":10}}
        """)
    #expect(try folder.names() == ["a"])
  }

  @Test("the archive writer writes this schema for the flat layout, with the same fingerprints")
  func flat() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    let summary = try Sample.write(path, layout: .flat)
    let hashes = try #require(summary.hashes)
    #expect(
      try dump(path) == """
        CREATE TABLE metadata (name TEXT, value TEXT)
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
        CREATE UNIQUE INDEX metadata_index ON metadata (name)
        CREATE UNIQUE INDEX tiles_index ON tiles (zoom_level, tile_column, tile_row)
        \(Self.metadata)
        agg_tiles_hash|\(hashes.aggTilesHash ?? "")
        quadrille:digest|\(hashes.digest)
        quadrille:ledger|{"hotels":{"read":10}}
        """)
    #expect(try Sample.write(folder.path.appending("b")) == summary)
  }

  @Test("the archive writer stores TMS rows in order, and images in the order of their first use")
  func rows() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Sample.write(path)
    let database = try Database(path: path.string, mode: .immutable)
    let map = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_id, grid_id FROM map ORDER BY rowid")
    for (tile, image) in Sample.tiles {
      #expect(try map.step())
      #expect((0..<3).map { map.integer($0) } == [tile.z, tile.x, tile.tmsRow].map(Int64.init))
      #expect(map.text(3) == image.withUnsafeBytes { MD5Digest(of: $0) }.description)
      #expect(map.kind(4) == .null)
    }
    #expect(try !map.step())
    let images = try database.prepare("SELECT tile_data FROM images ORDER BY rowid")
    for image in [Sample.red, Sample.green, Sample.blank] {
      #expect(try images.step())
      #expect(images.withBytes(0) { $0.elementsEqual(image) })
    }
    #expect(try !images.step())
  }

  @Test("the archive writer stores 11/327/791 in row 1256, like the specification's example")
  func flip() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Sample.write(
      path, tiles: [(TileCoord(z: 11, x: 327, y: 791), Sample.red)],
      metadata: Sample.metadata(zooms: 11...11))
    let database = try Database(path: path.string, mode: .immutable)
    #expect(try database.integer("SELECT tile_row FROM map") == 1256)
  }

  @Test(
    "an archive answers readers that bind text to their queries", arguments: ArchiveLayout.allCases)
  func textQueries(layout: ArchiveLayout) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Sample.write(path, layout: layout)
    let database = try Database(path: path.string, mode: .immutable)
    let query = try database.prepare(
      "SELECT tile_data FROM tiles WHERE tile_column = ?1 AND tile_row = ?2 AND zoom_level = ?3")
    try query.bind("2", at: 1)
    try query.bind("3", at: 2)
    try query.bind("2", at: 3)
    #expect(try query.step())
    #expect(query.withBytes(0) { $0.elementsEqual(Sample.green) })
    let literal = "SELECT count(*) FROM tiles WHERE zoom_level = '1' AND tile_column IN ('0', '1')"
    #expect(try database.integer(literal) == 4)
  }

  @Test("the archive writer computes the fingerprints by their definition")
  func fingerprints() throws {
    let folder = try TemporaryFolder()
    let hashes = try #require(try Sample.write(folder.path.appending("a")).hashes)
    let rows = Sample.tiles.sorted {
      ($0.tile.z, $0.tile.x, $0.tile.tmsRow) < ($1.tile.z, $1.tile.x, $1.tile.tmsRow)
    }
    let agg = rows.flatMap { Array("\($0.tile.z)\($0.tile.x)\($0.tile.tmsRow)".utf8) + $0.image }
    #expect(hashes.aggTilesHash == agg.withUnsafeBytes { MD5Digest(of: $0) }.description)
    // Each of these zooms is one block.
    let blocks = (0...2).flatMap { zoom in
      Array("\(zoom)/0/0\n".utf8)
        + SHA256.hash(
          data: Sample.tiles.filter { $0.tile.z == zoom }.flatMap {
            Array("\($0.tile)\n".utf8) + SHA256.hash(data: $0.image)
          })
    }
    #expect(hashes.digest == Hexadecimal.text(SHA256.hash(data: blocks)))
  }

  @Test(
    "rows of compact taps have numbers that follow from their keys",
    arguments: ArchiveLayout.allCases)
  func tapNumbers(layout: ArchiveLayout) throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    let pair = ArchivePair(seed: 3)
    try SampleTaps().write(path, DeltaForm(layout, taps: .blocks), tiles: pair.old) { _ in
      try Sample.metadata(zooms: 0...5)
    }
    let database = try Database(path: path.string, mode: .immutable)
    let count = try #require(try database.integer("SELECT count(*) FROM taps"))
    let numbered = """
      SELECT count(*) FROM taps WHERE rowid
        = ((1 << 2 * zoom_level) - 1) / 3 + 1 + (block_column << zoom_level) + block_row
      """
    #expect(count > 3)
    #expect(try database.integer(numbered) == count)
    let others = "SELECT count(*) FROM tap_entries WHERE rowid != first_feature + 1"
    #expect(try database.integer(others) == 0)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
  }

  @Test("the archive writer's file opens on a read-only medium and is complete")
  func header() throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending("a")
    try Sample.write(path)
    let bytes = try contents(of: path)
    let header = try #require(bytes.withUnsafeBytes { SQLiteHeader($0) })
    #expect(header.pageSize == 4096)
    #expect(header.writtenPages * 4096 == bytes.count)
    #expect(header.readVersion == 1)
    #expect(header.writeVersion == 1)
    #expect(header.textEncoding == 1)
    #expect(Array(bytes[68..<72]) == Array("MPBX".utf8))
    let database = try Database(path: path.string, mode: .readOnly)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.text("PRAGMA journal_mode") == "delete")
  }

  @Test("the archive writer counts tiles, images and bytes by zoom")
  func summary() throws {
    let folder = try TemporaryFolder()
    let summary = try Sample.write(folder.path.appending("a"))
    let (red, green, blank) = (Sample.red.count, Sample.green.count, Sample.blank.count)
    #expect(summary.zooms.map(\.zoom) == [0, 1, 2])
    #expect(summary.zooms.map(\.tiles) == [1, 4, 5])
    #expect(summary.zooms.map(\.distinct) == [1, 3, 3])
    #expect(summary.zooms.map(\.empty) == [0, 1, 2])
    #expect(summary.zooms[2].bytes == red + 2 * blank + 2 * green)
    #expect(summary.zooms[2].distinctBytes == red + blank + green)
    #expect(summary.zooms[2].extent.columns == 0...3)
    #expect(summary.zooms[2].extent.rows == 0...3)
    #expect(summary.tiles == 10)
    #expect(summary.distinct == 3)
  }

  @Test("the archive writer is deterministic", arguments: ArchiveLayout.allCases)
  func deterministic(layout: ArchiveLayout) throws {
    var random = SplitMix64(seed: 4)
    let images = (0..<500).map { number in
      samplePNG(
        pixels: (0..<(number * 11 % 5000)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
    var keys: Set<UInt64> = []
    for z in 0...9 {
      for _ in 0..<min(1 << (2 * z), 900) {
        let side = UInt64(1) << UInt64(z)
        let tile = TileCoord(z: z, x: Int(random.next() % side), y: Int(random.next() % side))
        keys.insert(tile.archiveKey)
      }
    }
    let tiles = keys.sorted().map { key in
      (tile: TileCoord(archiveKey: key), image: images[Int(random.next() % 500)])
    }
    let folder = try TemporaryFolder()
    let metadata = try Sample.metadata(zooms: 0...9)
    for name in ["a", "b"] {
      try Sample.write(
        folder.path.appending(name), layout: layout, tiles: tiles, metadata: metadata)
    }
    let first = try contents(of: folder.path.appending("a"))
    #expect(try contents(of: folder.path.appending("b")) == first)
    let reader = try ArchiveReader(folder.path.appending("a"))
    var read = 0
    try reader.forEachTile { tile, bytes in
      if tile == tiles[read].tile, bytes.elementsEqual(tiles[read].image) { read += 1 }
    }
    #expect(read == tiles.count)
  }

  @Test(
    "the archive writer writes the same bytes whether it keeps images or adds them as shown once",
    arguments: ArchiveLayout.allCases)
  func passingImages(layout: ArchiveLayout) throws {
    let folder = try TemporaryFolder()
    var images = (UInt8(1)...40).map { samplePNG(pixels: [$0]) }
    // Images that come back, at once and late, though each was said to be shown once.
    images.insert(images[3], at: 4)
    images.append(contentsOf: [images[0], images[3], images[20]])
    func write(_ name: String, isPassing: (Int) -> Bool) throws -> (FilePath, ArchiveSummary) {
      let path = folder.path.appending(name)
      let writer = try ArchiveWriter(path: path, layout: layout)
      for (index, image) in images.enumerated() {
        let tile = TileCoord(z: 6, x: index, y: 0)
        try image.withUnsafeBytes { bytes in
          let md5 = MD5Digest(of: bytes)
          if isPassing(index) {
            _ = try writer.addTile(tile, showingOnly: bytes, md5: md5)
          } else {
            try writer.addTile(tile, try writer.addImage(bytes, md5: md5))
          }
        }
      }
      return (path, try writer.finish(metadata: try Sample.metadata(zooms: 6...6)))
    }
    let kept = try write("kept") { _ in false }
    for (name, isPassing) in [
      ("passing", { _ in true }), ("mixed", { $0 % 3 == 0 }),
    ] as [(String, (Int) -> Bool)] {
      let other = try write(name, isPassing: isPassing)
      #expect(other.1 == kept.1)
      #expect(try FileDigest.sha256(of: other.0) == FileDigest.sha256(of: kept.0))
    }
  }

  @Test("the archive writer requests an image that it did not keep where each tile has its own")
  func forgotten() throws {
    let folder = try TemporaryFolder()
    for layout in ArchiveLayout.allCases {
      let path = folder.path.appending("\(layout)")
      let writer = try ArchiveWriter(path: path, layout: layout)
      try Sample.red.withUnsafeBytes { red in
        let md5 = MD5Digest(of: red)
        let image = try writer.addTile(TileCoord(z: 1, x: 0, y: 0), showingOnly: red, md5: md5)
        #expect(writer.withBytes(of: image) { $0.isEmpty })
        let next = TileCoord(z: 1, x: 1, y: 0)
        if layout == .flat {
          let error = #expect(throws: ArchiveError.self) { try writer.addTile(next, image) }
          #expect(error?.code == .misuse)
          #expect(try writer.addImage(red, md5: md5) == image)
        }
        try writer.addTile(next, image)
      }
      _ = try writer.finish(metadata: Sample.metadata(zooms: 1...1))
      #expect(try ArchiveReader(path).tile(TileCoord(z: 1, x: 1, y: 0)) == Sample.red)
    }
  }

  @Test(
    "the archive writer refuses tiles out of order, unknown images, skipped images and a second end"
  )
  func misuse() throws {
    let folder = try TemporaryFolder()
    let writer = try ArchiveWriter(path: folder.path.appending("a"), layout: .dedup)
    func add(_ bytes: [UInt8]) throws -> ImageRef {
      try bytes.withUnsafeBytes { try writer.addImage($0, md5: MD5Digest(of: $0)) }
    }
    func isMisuse(_ body: () throws -> Void) -> Bool {
      (#expect(throws: ArchiveError.self, performing: body))?.code == .misuse
    }
    let red = try add(Sample.red)
    let green = try add(Sample.green)
    #expect(try add(Sample.red) == red)
    let tile = TileCoord(z: 1, x: 1, y: 1)
    #expect(isMisuse { try writer.addTile(tile, green) })
    #expect(isMisuse { try writer.addTile(tile, ImageRef(number: 9)) })
    #expect(isMisuse { try writer.addTile(tile, ImageRef(number: -1)) })
    try writer.addTile(tile, red)
    #expect(isMisuse { try writer.addTile(tile, red) })
    #expect(isMisuse { try writer.addTile(TileCoord(z: 0, x: 0, y: 0), red) })
    #expect(isMisuse { try writer.addTile(TileCoord(z: 23, x: 0, y: 0), red) })
    #expect(isMisuse { try writer.addTile(TileCoord(z: 2, x: 4, y: 0), red) })
    let metadata = try Sample.metadata(zooms: 1...2)
    #expect(isMisuse { _ = try writer.finish(metadata: metadata) })
    try writer.addTile(TileCoord(z: 2, x: 3, y: 0), green)
    #expect(try writer.finish(metadata: metadata).tiles == 2)
    #expect(isMisuse { _ = try writer.finish(metadata: metadata) })
    #expect(isMisuse { try writer.addTile(TileCoord(z: 3, x: 0, y: 0), red) })
  }

  @Test("the archive writer creates no archive over a file or in a missing folder")
  func cannotCreate() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], to: "a")
    for place in [path, folder.path.appending("none/a")] {
      let error = #expect(throws: ArchiveError.self) {
        _ = try ArchiveWriter(path: place, layout: .dedup)
      }
      #expect(error?.code == .cannotCreate)
      #expect(error?.failureCode.exitStatus == 73)
    }
    #expect(try contents(of: path) == [1])
  }

  @Test("the archive writer writes an archive without tiles")
  func empty() throws {
    let folder = try TemporaryFolder()
    let summary = try Sample.write(folder.path.appending("a"), tiles: [])
    #expect(summary.tiles == 0)
    #expect(summary.hashes?.aggTilesHash == "D41D8CD98F00B204E9800998ECF8427E")
    #expect(summary.hashes?.digest == Hexadecimal.text(SHA256.hash(data: [UInt8]())))
  }

  @Test("an archive writer can be abandoned midway without harm")
  func abandoned() throws {
    let folder = try TemporaryFolder()
    for round in 0..<5 {
      let writer = try ArchiveWriter(path: folder.path.appending("\(round)"), layout: .dedup)
      // Enough for batches to be on their way to the fingerprints when the writer goes.
      for key in 0..<(5000 * round) {
        let tile = TileCoord(TileKey(rawValue: UInt64(key)), z: 15)
        try writer.append(EncodedTile(tile: tile, bytes: key % 2 == 0 ? Sample.red : Sample.green))
      }
    }
    #expect(try folder.names() == ["0", "1", "2", "3", "4"])
  }
}
