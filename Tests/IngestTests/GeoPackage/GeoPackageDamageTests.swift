import Features
import Ingest
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import GeoPackages

/// Files whose bytes are wrong: every one ends in a sentence or with what can be read.
struct GeoPackageDamageTests {
  /// A table of 600 points on pages of 512 bytes, so that its tree has levels, and its index.
  private static func large() throws -> GeoPackageFixture {
    var script = "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB, n TEXT);"
    script += GeoPackageFixture.features("t")
    let rows = (0..<600).map {
      "(\(GeometryBlob.point(Double($0 % 30), Double($0 / 30)).sql), 'name \($0)')"
    }
    script += "INSERT INTO t(geom, n) VALUES \(rows.joined(separator: ","));"
    script += GeoPackageFixture.index(
      "t",
      boxes: "SELECT fid, (fid - 1) % 30, (fid - 1) % 30, (fid - 1) / 30, (fid - 1) / 30 FROM t")
    return try GeoPackageFixture(script, base: "PRAGMA page_size = 512;" + GeoPackageFixture.base)
  }

  /// What reading the table gives; `nil` for the sentence where it is refused.
  private static func read(
    _ fixture: GeoPackageFixture, bounds: GeoBounds? = nil
  ) -> (ids: Int?, refusal: String) {
    do throws(SourceError) {
      var limits = GeoPackageLimits()
      limits.seconds = 3
      let file = try fixture.open(limits: limits)
      var options = GeoPackageOptions()
      options.bounds = bounds
      let reader = try GeoPackageReader(file, options: options)
      var batch = FeatureBatch()
      var ids = 0
      while try reader.read(into: &batch) { ids += batch.count }
      return (ids, "")
    } catch {
      return (nil, error.description)
    }
  }

  /// Where a table's root page begins in the file.
  private static func root(of table: String, _ fixture: GeoPackageFixture) throws -> Int {
    let database = try Database(path: fixture.path.string, mode: .readOnly)
    let page = try database.integer("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
    return (Int(page ?? 1) - 1) * 512
  }

  @Test(
    "a file that is not a database is refused",
    arguments: [
      [UInt8]("{\"type\":\"FeatureCollection\"}".utf8), [], [UInt8](repeating: 0, count: 4096),
      [UInt8]("SQLite format 3\0".utf8),
      [UInt8]("SQLite format 2\0".utf8) + [UInt8](repeating: 1, count: 500),
    ])
  func noDatabase(_ content: [UInt8]) throws {
    let fixture = try GeoPackageFixture("")
    try fixture.change { $0 = content }
    #expect(
      Self.read(fixture).refusal
        == "test.gpkg: is no GeoPackage: it does not begin as a SQLite database does")
  }

  @Test("a false page size is refused", arguments: [0, 2, 511, 513, 4096, 32768])
  func pageSize(_ size: Int) throws {
    let fixture = try Self.large()
    try fixture.change { $0.replaceSubrange(16..<18, with: [UInt8(size >> 8), UInt8(size & 255)]) }
    let outcome = Self.read(fixture)
    #expect(outcome.ids == nil)
    #expect(!outcome.refusal.contains("\n"))
  }

  @Test("a file truncated anywhere is refused", arguments: [99, 100, 512, 5000, 20_000])
  func cutOff(_ bytes: Int) throws {
    let fixture = try Self.large()
    try fixture.change { $0.removeSubrange(bytes...) }
    let outcome = Self.read(fixture)
    #expect(outcome.ids == nil)
    #expect(outcome.refusal.contains("is cut off") || outcome.refusal.contains("is no GeoPackage"))
  }

  @Test("a cyclic table tree is detected")
  func circularTable() throws {
    for offset in [8, 12] {
      let fixture = try Self.large()
      let root = try Self.root(of: "t", fixture)
      let page = UInt32(root / 512 + 1)
      try fixture.change { bytes in
        // Byte 8 of an interior page is the child at its right; 12 is its first cell's place.
        let place =
          offset == 8 ? root + 8 : root + Int(bytes[root + 12]) << 8 + Int(bytes[root + 13])
        withUnsafeBytes(of: page.bigEndian) { bytes.replaceSubrange(place..<(place + 4), with: $0) }
      }
      let outcome = Self.read(fixture)
      #expect(outcome.ids == nil)
      #expect(outcome.refusal.contains("damaged"), "\(outcome.refusal)")
    }
  }

  @Test("a tree whose branches all lead to one page is detected by its rows")
  func repeatedPages() throws {
    let fixture = try Self.large()
    let root = try Self.root(of: "t", fixture)
    try fixture.change { bytes in
      let cells = Int(bytes[root + 3]) << 8 + Int(bytes[root + 4])
      let first = root + Int(bytes[root + 12]) << 8 + Int(bytes[root + 13])
      let child = Array(bytes[first..<(first + 4)])
      for cell in 0..<cells {
        let pointer = root + 12 + 2 * cell
        let place = root + Int(bytes[pointer]) << 8 + Int(bytes[pointer + 1])
        bytes.replaceSubrange(place..<(place + 4), with: child)
      }
    }
    let outcome = Self.read(fixture)
    #expect(outcome.ids == nil)
    #expect(outcome.refusal.contains("its rows are out of order"), "\(outcome.refusal)")
  }

  @Test("rows with more bytes than the file are detected")
  func sharedBytes() throws {
    let twenty =
      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 20) SELECT"
    let fixture = try GeoPackageFixture(
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, n TEXT);" + GeoPackageFixture.attributes("t")
        + "INSERT INTO t(n) \(twenty) printf('%100000d', x) FROM c;")
    var limits = GeoPackageLimits()
    // A mebibyte is always allowed; this file has two.
    limits.inflation = 0
    let file = try fixture.open(limits: limits)
    let error = #expect(throws: SourceError.self) {
      _ = try GeoPackageDump(try GeoPackageReader(file))
    }
    #expect(error?.message.contains("its rows hold more than the file") == true)
    #expect(Self.read(fixture).ids == 20)
  }

  @Test(
    "a cyclic or false spatial index is refused",
    arguments: [
      "UPDATE rtree_t_geom_node SET data = (SELECT data FROM rtree_t_geom_node WHERE nodeno = 1) WHERE nodeno <> 1",
      "DELETE FROM rtree_t_geom_node WHERE nodeno <> 1",
      "DELETE FROM rtree_t_geom_node",
      "UPDATE rtree_t_geom_node SET data = X'00'",
      "UPDATE rtree_t_geom_node SET data = 'text'",
      "UPDATE rtree_t_geom_node SET data = NULL",
      "UPDATE rtree_t_geom_node SET data = X'FFFFFFFF' || data",
    ])
  func circularIndex(_ change: String) throws {
    let fixture = try Self.large()
    let database = try Database(path: fixture.path.string, mode: .readWrite)
    try database.execute(change)
    let bounds = GeoBounds(west: 3, south: 3, east: 20, north: 20)
    let outcome = Self.read(fixture, bounds: bounds)
    #expect(outcome.ids == nil)
    #expect(
      outcome.refusal.contains("spatial index 'rtree_t_geom_node' is damaged"), "\(outcome.refusal)"
    )
    #expect(Self.read(fixture).ids == 600)
  }

  @Test("bounds around everything read the table in order, without its index")
  func wholeTable() throws {
    let fixture = try Self.large()
    #expect(Self.read(fixture, bounds: .world).ids == 600)
    let database = try Database(path: fixture.path.string, mode: .readWrite)
    try database.execute("DELETE FROM rtree_t_geom_node WHERE nodeno <> 1")
    #expect(Self.read(fixture, bounds: .world).ids == 600)
  }

  @Test(
    "an index with another form, or not registered, is ignored",
    arguments: [
      "DELETE FROM gpkg_extensions", "DROP TABLE gpkg_extensions", "DROP TABLE rtree_t_geom",
      "DROP TABLE rtree_t_geom; CREATE TABLE rtree_t_geom (id, minx, maxx, miny, maxy)",
      "DROP TABLE rtree_t_geom; CREATE VIRTUAL TABLE rtree_t_geom USING rtree(id, x, y)",
      "DROP TABLE rtree_t_geom; CREATE VIEW rtree_t_geom AS SELECT 1",
    ])
  func otherIndex(_ change: String) throws {
    let fixture = try Self.large()
    let bounds = GeoBounds(west: 3, south: 3, east: 5, north: 4)
    #expect(Self.read(fixture, bounds: bounds).ids == 6)
    let database = try Database(path: fixture.path.string, mode: .readWrite)
    try database.execute(change)
    #expect(Self.read(fixture, bounds: bounds).ids == 6)
  }

  @Test("a file with any random damage is read or refused", arguments: 0..<60)
  func randomDamage(_ seed: UInt64) throws {
    let fixture = try Self.large()
    var random = SplitMix64(seed: seed)
    try fixture.change { bytes in
      for _ in 0..<(1 + random.next() % 40) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
    }
    for bounds in [nil, GeoBounds(west: 3, south: 3, east: 20, north: 20)] {
      let outcome = Self.read(fixture, bounds: bounds)
      #expect((outcome.ids ?? 0) <= 600)
      #expect(outcome.ids != nil || !outcome.refusal.isEmpty)
      #expect(!outcome.refusal.contains("\n"))
    }
  }

  @Test("a file in WAL mode is read as it is, unless it has changes in a log")
  func writeAheadLog() throws {
    let fixture = try Self.large()
    try fixture.change { $0.replaceSubrange(18..<20, with: [2, 2]) }
    #expect(Self.read(fixture).ids == 600)
    for ending in ["-wal", "-journal"] {
      let beside = FilePath(fixture.path.string + ending)
      let file = try FileDescriptor.open(
        beside, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
      #expect(Self.read(fixture).ids == 600)
      try file.closeAfter { _ = try file.writeAll([1, 2, 3]) }
      #expect(Self.read(fixture).refusal.contains("changes that are only in 'test.gpkg\(ending)'"))
      // SQLite may leave a journal that is done with, its beginning overwritten.
      let done = try FileDescriptor.open(beside, .writeOnly, options: .truncate)
      try done.closeAfter { _ = try done.writeAll([UInt8](repeating: 0, count: 28)) }
      #expect((Self.read(fixture).ids == 600) == (ending == "-journal"))
      let empty = try FileDescriptor.open(beside, .writeOnly, options: .truncate)
      try empty.close()
    }
  }

  @Test("anything but a file is refused by its kind")
  func noFile() throws {
    let missing = #expect(throws: SourceError.self) {
      _ = try GeoPackageFile(path: "/nowhere/x.gpkg", name: "x.gpkg")
    }
    #expect(missing?.code == .missing)
    let folder = #expect(throws: SourceError.self) {
      _ = try GeoPackageFile(path: "/tmp", name: "tmp")
    }
    #expect(folder?.code == .configuration)
  }
}
