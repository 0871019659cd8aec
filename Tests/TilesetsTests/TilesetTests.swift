import Features
import MBTiles
import OrderedCollections
import PMTiles
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling
import Tilesets

/// Some tiles, each with bytes of its own.
private let sample: [TileCoord: [UInt8]] = {
  var random = SplitMix64(seed: 7)
  var tiles: [TileCoord: [UInt8]] = [:]
  for zoom in [0, 3, 9] {
    for _ in 0..<60 {
      let tile = TileCoord(z: zoom, x: random.below(1 << zoom), y: random.below(1 << zoom))
      tiles[tile] = [0x1A, UInt8(random.below(256)), UInt8(random.below(256)), UInt8(zoom)]
    }
  }
  return tiles
}()

private func gzipped(_ bytes: [UInt8]) -> [UInt8] {
  bytes.withUnsafeBytes { Gzip.compress($0) } ?? []
}

private let layers = #"""
  [{"id": "water", "description": "Seas", "minzoom": 0, "maxzoom": 9,
    "fields": {"name": "String", "depth": "Number"}}, {"id": "road", "fields": {}}, {"no": "id"}]
  """#

/// Writes containers with the sample in a folder of its own.
private struct Containers {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

  /// An MBTiles archive of any program, its tiles gzipped.
  func archive() throws -> FilePath {
    let database = try Database(path: path("tiles.mbtiles").string, mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      """)
    let head = try database.prepare("INSERT INTO metadata VALUES (?1, ?2)")
    for (name, value) in [
      ("name", "Sample"), ("format", "pbf"), ("minzoom", "0"), ("maxzoom", "9"),
      ("bounds", "-10,-20, 30,40.5"), ("center", "1,2,3"), ("attribution", "© all"),
      ("json", "{\"vector_layers\": \(layers)}"),
    ] {
      try head.bind(name, at: 1)
      try head.bind(value, at: 2)
      try head.run()
    }
    let row = try database.prepare("INSERT INTO tiles VALUES (?1, ?2, ?3, ?4)")
    for (tile, bytes) in sample {
      try row.bind(Int64(tile.z), at: 1)
      try row.bind(Int64(tile.x), at: 2)
      try row.bind(Int64(tile.tmsRow), at: 3)
      try gzipped(bytes).withUnsafeBytes { bytes in
        try row.bindBlob(borrowing: bytes, at: 4)
        try row.run()
      }
    }
    return path("tiles.mbtiles")
  }

  func pmtiles() throws -> FilePath {
    let writer = try PMTilesWriter(path: path("tiles.pmtiles"))
    for (tile, bytes) in sample { try bytes.withUnsafeBytes { try writer.append(tile, $0) } }
    var header = PMTilesHeader()
    header.tileType = .vector
    (header.minZoom, header.maxZoom) = (0, 9)
    header.bounds = [-100_000_000, -200_000_000, 300_000_000, 405_000_000]
    (header.center, header.centerZoom) = ([10_000_000, 20_000_000], 3)
    let metadata = #"{"name": "Sample", "attribution": "© all", "vector_layers": \#(layers)}"#
    _ = try writer.finish(header, metadata: Array(metadata.utf8))
    return path("tiles.pmtiles")
  }

  /// A folder of files, and a TileJSON beside them that leads to them.
  ///
  /// - Parameter isTMS: whether rows are counted from the south.
  func files(_ name: String, isTMS: Bool = false, ending: String = "pbf") throws {
    for (tile, bytes) in sample {
      let row = isTMS ? tile.tmsRow : tile.y
      try write(gzipped(bytes), to: "\(name)/\(tile.z)/\(tile.x)/\(row).\(ending)")
    }
    let json = #"""
      {"tilejson": "3.0.0", "name": "Sample", "tiles": ["\#(name)/{z}/{x}/{y}.\#(ending)"],
       "scheme": "\#(isTMS ? "tms" : "xyz")", "minzoom": 0, "maxzoom": 9,
       "bounds": [-10, -20, 30, 40.5], "center": [1, 2, 3], "attribution": "© all",
       "vector_layers": \#(layers)}
      """#
    try folder.write(json, to: "\(name).json")
    try folder.write(json, to: "\(name)/tiles.json")
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try folder.write("", to: name)
    let file = try FileDescriptor.open(path(name), .writeOnly)
    _ = try file.closeAfter { try file.writeAll(bytes) }
  }
}

@Suite("Tilesets")
struct TilesetTests {
  private func expectSample(_ tileset: any Tileset) throws {
    for (tile, bytes) in sample { #expect(try tileset.tile(tile, limit: 100) == bytes) }
    var random = SplitMix64(seed: 9)
    for _ in 0..<50 {
      let tile = TileCoord(z: 9, x: random.below(512), y: random.below(512))
      #expect(try tileset.tile(tile, limit: 100) == sample[tile])
    }
    for zoom in [0, 1, 3, 9] {
      let keys = sample.keys.filter { $0.z == zoom }.map { TileKey($0) }.sorted()
      let presence = try tileset.presence(zoom: zoom)
      #expect(presence.keys == keys)
      #expect(presence.count == keys.count)
      #expect(keys.allSatisfy { presence.contains($0) })
      let range = TileRange(
        zoom: zoom, firstColumn: 0, lastColumn: (1 << zoom) / 2, firstRow: (1 << zoom) / 3,
        lastRow: 1 << zoom)
      #expect(
        try tileset.presence(zoom: zoom, in: range).keys
          == keys.filter { range.contains(TileCoord($0, z: zoom)) })
    }
    let head = tileset.head
    #expect(head.name == "Sample" && head.attribution == "© all")
    #expect(head.minZoom == 0 && head.maxZoom == 9)
    #expect(head.bounds == GeoBounds(west: -10, south: -20, east: 30, north: 40.5))
    #expect(head.center == LngLat(longitude: 1, latitude: 2) && head.centerZoom == 3)
    #expect(head.vectorLayers.map(\.id) == ["water", "road"])
    #expect(head.vectorLayers.first?.fields == ["name": "String", "depth": "Number"])
    #expect(head.vectorLayers.first?.zooms == 0...9 && head.vectorLayers.last?.zooms == nil)
  }

  @Test("the tiles and metadata of an MBTiles archive are found")
  func archive() throws {
    let containers = try Containers()
    try expectSample(try TilesetOpening.open(try containers.archive()))
  }

  @Test("the tiles and metadata of a PMTiles file are found")
  func pmtiles() throws {
    let containers = try Containers()
    let tileset = try TilesetOpening.open(try containers.pmtiles())
    try expectSample(tileset)
    #expect(tileset.head.format == "pbf")
  }

  @Test("of a run of billions of tiles only those of the range are looked at")
  func longRun() throws {
    let root = PMTilesDirectory.bytes(
      of: [
        PMTilesEntry(
          tile: HilbertTile.first(of: 16), offset: 0, length: 3, runLength: .max)
      ][...])
    var header = PMTilesHeader()
    header.internalCompression = .none
    header.root = .init(offset: 127, length: UInt64(root.count))
    header.tiles = .init(offset: 127 + UInt64(root.count), length: 3)
    header.maxZoom = 16
    let containers = try Containers()
    try containers.write(header.bytes + root + [1, 2, 3], to: "run.pmtiles")
    let tileset = try TilesetOpening.open(containers.path("run.pmtiles"))
    for (first, last) in [(9, 11), (65_534, 1), (0, 0)] {
      let range = TileRange(
        zoom: 16, firstColumn: first, lastColumn: last, firstRow: 100, lastRow: 102)
      var keys: [TileKey] = []
      range.forEachKey { key in
        keys.append(key)
        return true
      }
      #expect(try tileset.presence(zoom: 16, in: range).keys == keys)
    }
    // Squares of a run can be taken away without a look at their tiles.
    let range = TileRange(
      zoom: 16, firstColumn: 60, lastColumn: 130, firstRow: 64, lastRow: 130)
    var presence = try tileset.presence(zoom: 16, in: range)
    let count = presence.count
    #expect(count == 71 * 67 && presence.squares.contains(TileCoord(z: 10, x: 1, y: 1)))
    for square in presence.squares { presence.remove(square) }
    #expect(presence.count > 0 && presence.count == presence.keys.count)
    #expect(!presence.contains(TileKey(TileCoord(z: 16, x: 64, y: 64))))
    #expect(presence.contains(TileKey(TileCoord(z: 16, x: 60, y: 64))))
  }

  @Test(
    "the tiles and metadata of a folder are found, with either order of rows",
    arguments: [false, true])
  func folder(isTMS: Bool) throws {
    let containers = try Containers()
    try containers.files("tiles", isTMS: isTMS, ending: isTMS ? "mvt" : "pbf")
    try expectSample(try TilesetOpening.open(containers.path("tiles")))
    try expectSample(try TilesetOpening.open(containers.path("tiles.json")))
  }

  @Test("the order of rows that is asked for counts more than that of the metadata")
  func rows() throws {
    let containers = try Containers()
    try containers.files("tiles", isTMS: true)
    let tileset = try TilesetOpening.open(containers.path("tiles"), rows: .xyz)
    let tile = try #require(
      sample.keys.first { $0.z == 9 && sample[TileCoord(z: 9, x: $0.x, y: $0.tmsRow)] == nil })
    #expect(try tileset.tile(tile, limit: 100) == nil)
    let flipped = TileCoord(z: 9, x: tile.x, y: tile.tmsRow)
    #expect(try tileset.tile(flipped, limit: 100) == sample[tile])
  }

  @Test("a folder without metadata has the zooms of its folders, and strange names are left out")
  func bareFolder() throws {
    let containers = try Containers()
    for name in ["4/03/5.pbf", "4/2/x.pbf", "4/2/16.pbf", "4/2/1.txt", "4/2/1.pbf", "5/0/0.mvt"] {
      try containers.write([0x1A, 0], to: "bare/\(name)")
    }
    let tileset = try TilesetOpening.open(containers.path("bare"))
    #expect(tileset.head.minZoom == 4 && tileset.head.maxZoom == 5)
    #expect(try tileset.presence(zoom: 4).keys == [TileKey(column: 2, row: 1)])
    #expect(try tileset.presence(zoom: 6).keys == [])
  }

  private static let resource = """
    <?xml version="1.0" encoding="utf-8"?>
    <TileMap version="1.0.0" tilemapservice="http://tms.osgeo.org/1.0.0">
      <SRS>EPSG:3857</SRS><Origin x="-20037508" y="-20037508"/>
      <TileSets profile="PROFILE"><TileSet href="9" order="9"/></TileSets>
    </TileMap>
    """

  private static func cache(_ north: String, system: Int = 102_100) -> String {
    "<CacheInfo><TileCacheInfo><SpatialReference><WKID>\(system)</WKID></SpatialReference>"
      + "<TileOrigin><X>-20037508.34</X>\n<Y>\(north)</Y></TileOrigin></TileCacheInfo></CacheInfo>"
  }

  @Test(
    "files of other programs beside the tiles of a folder tell the order of rows",
    arguments: [
      ("tilemapresource.xml", resource.replacing("PROFILE", with: "mercator"), .tms, false),
      ("tilemapresource.xml", resource.replacing("PROFILE", with: "global-mercator"), .tms, false),
      ("tilemapresource.xml", "<html></html>", .xyz, true),
      ("conf.xml", cache("20037508.342787"), .xyz, false),
      ("conf.xml", cache("-20037508.342787"), .tms, false),
      ("conf.xml", "<x/>", .xyz, true),
      ("metadata.json", #"{"scheme": "tms"}"#, .tms, false),
      ("metadata.json", #"{"generator": "tippecanoe v2.60.0"}"#, .xyz, false),
      ("metadata.json", #"{"name": "a"}"#, .xyz, true),
      // The tile lies in the north as rows from the south, and in the south otherwise.
      ("metadata.json", #"{"bounds": "8,48,9,49"}"#, .tms, false),
      ("metadata.json", #"{"bounds": "8,-49,9,-48"}"#, .xyz, false),
      ("metadata.json", #"{"bounds": "-180,-85,180,85"}"#, .xyz, true),
      ("tiles.json", #"{"tilejson": "3.0.0"}"#, .xyz, false), ("other.txt", "", .xyz, true),
    ] as [(String, String, TileScheme, Bool)])
  func rowsOfOthers(file: String, text: String, rows: TileScheme, assumes: Bool) throws {
    let containers = try Containers()
    try containers.write([0x1A, 0], to: "dir/5/16/20.pbf")
    try containers.folder.write(text, to: "dir/\(file)")
    let tileset = try TilesetOpening.open(containers.path("dir"))
    #expect(tileset.head.rows == rows && tileset.head.assumesRows == assumes)
    let row = rows == .tms ? 11 : 20
    #expect(try tileset.presence(zoom: 5).keys == [TileKey(TileCoord(z: 5, x: 16, y: row))])
    let asked = try TilesetOpening.open(containers.path("dir"), rows: .xyz)
    #expect(asked.head.rows == .xyz && !asked.head.assumesRows)
  }

  @Test(
    "tiles that are not of Web Mercator by the files beside them are refused",
    arguments: [
      ("tilemapresource.xml", resource.replacing("PROFILE", with: "geodetic"), "'geodetic'"),
      ("tilemapresource.xml", resource.replacing("PROFILE", with: "raster"), "'raster'"),
      ("conf.xml", cache("90", system: 4326), "EPSG:4326"),
    ])
  func foreignTiles(file: String, text: String, words: String) throws {
    let containers = try Containers()
    try containers.write([0x1A, 0], to: "dir/5/16/20.pbf")
    try containers.folder.write(text, to: "dir/\(file)")
    let error = #expect(throws: ArchiveError.self) {
      try TilesetOpening.open(containers.path("dir"))
    }
    #expect(error?.message.contains(words) == true && error?.message.contains(file) == true)
  }

  /// The metadata of an exploded cache with levels 0 to 5.
  private static func levels(scale: Double = 1) -> String {
    let levels = (0...5).map {
      "<LODInfo><LevelID>\($0)</LevelID><Scale>1</Scale>\n<Resolution>"
        + "\(156543.033928 * scale / Double(1 << $0))</Resolution></LODInfo>"
    }
    return cache("20037508.342787").replacing(
      "</TileCacheInfo>", with: "<LODInfos>\(levels.joined())</LODInfos></TileCacheInfo>")
  }

  @Test(
    "an exploded cache of ArcGIS is read by its levels, rows and columns",
    arguments: ["dir", "dir/_alllayers"])
  func explodedCache(named name: String) throws {
    let containers = try Containers()
    try containers.write([0x1A, 0], to: "dir/_alllayers/L05/R00000014/C0000001f.png")
    try containers.write([0x1A, 0], to: "dir/_alllayers/L05/R00000014/C1f.png")
    try containers.write([0x1A, 0], to: "dir/_alllayers/L03/R00000001/C00000002.png")
    try containers.folder.write(Self.levels(), to: "dir/conf.xml")
    let tileset = try TilesetOpening.open(containers.path(name))
    #expect(tileset.head.minZoom == 3 && tileset.head.maxZoom == 5)
    #expect(tileset.head.rows == .xyz && !tileset.head.assumesRows)
    let tile = TileCoord(z: 5, x: 31, y: 20)
    #expect(try tileset.presence(zoom: 5).keys == [TileKey(tile)])
    let range = TileRange(zoom: 5, firstColumn: 31, lastColumn: 31, firstRow: 20, lastRow: 20)
    #expect(try tileset.presence(zoom: 5, in: range).keys.count == 1)
    #expect(try tileset.storedTile(tile) == [0x1A, 0])
  }

  @Test("an exploded cache without metadata, or of other levels than zooms, is refused")
  func foreignCache() throws {
    let containers = try Containers()
    try containers.write([0x1A, 0], to: "dir/_alllayers/L05/R00000014/C0000001f.png")
    for (text, words) in [
      (nil, "without the conf.xml"), (Self.levels(scale: 1.5), "the level 5 that is not zoom 5"),
    ] {
      if let text { try containers.folder.write(text, to: "dir/conf.xml") }
      let error = #expect(throws: ArchiveError.self) {
        try TilesetOpening.open(containers.path("dir"))
      }
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test("layers of a folder of tippecanoe are in a text of JSON, and numbers in texts")
  func textMetadata() throws {
    let containers = try Containers()
    try containers.write([0x1A, 0], to: "dir/2/1/1.pbf")
    let layer = #"{\"vector_layers\": [{\"id\": \"a\", \"fields\": {\"n\": \"Number\"}}]}"#
    try containers.folder.write(
      #"{"minzoom": "1", "maxzoom": "2", "bounds": "1,2,3,4", "json": "\#(layer)"}"#,
      to: "dir/metadata.json")
    let head = try TilesetOpening.open(containers.path("dir")).head
    #expect(head.minZoom == 1 && head.maxZoom == 2)
    #expect(head.bounds == GeoBounds(west: 1, south: 2, east: 3, north: 4))
    #expect(head.vectorLayers.map(\.id) == ["a"])
  }

  @Test("a tile that unpacks to more than the limit is refused, as is a damaged one")
  func bomb() throws {
    let containers = try Containers()
    try containers.write(gzipped([UInt8](repeating: 0, count: 1 << 20)), to: "t/0/0/0.pbf")
    try containers.write([0x1F, 0x8B, 8, 0, 1, 2, 3], to: "t/1/0/0.pbf")
    let tileset = try TilesetOpening.open(containers.path("t"))
    let bomb = TileCoord(z: 0, x: 0, y: 0)
    #expect(try tileset.tile(bomb, limit: 1 << 20)?.count == 1 << 20)
    let error = #expect(throws: ArchiveError.self) { try tileset.tile(bomb, limit: 1 << 19) }
    #expect(error?.code == .badArchive)
    #expect(error?.message.contains("tile 0/0/0") == true)
    #expect(throws: ArchiveError.self) {
      try tileset.tile(TileCoord(z: 1, x: 0, y: 0), limit: 1 << 20)
    }
  }

  @Test(
    "a TileJSON whose tiles are neither files nor on a server is refused by their address",
    arguments: [
      "ftp://example.org/{z}/{x}/{y}.pbf", "t/{z}/{x}/{y}.pbf?a=b", "{a}/{z}/{x}/{y}.pbf",
      "{z}/{x}.pbf", "local://{z}/{x}/{y}.pbf",
    ])
  func strangeTemplates(template: String) throws {
    let containers = try Containers()
    try containers.folder.write(#"{"tiles": ["\#(template)"]}"#, to: "a.json")
    let error = #expect(throws: ArchiveError.self) {
      try TilesetOpening.open(containers.path("a.json"))
    }
    #expect(error?.message.contains(template) == true)
  }

  @Test("what is no tileset is refused by its name", arguments: ["", "{}", "[", "hello", "null"])
  func noTileset(text: String) throws {
    let containers = try Containers()
    try containers.folder.write(text, to: "a.json")
    let error = #expect(throws: ArchiveError.self) {
      try TilesetOpening.open(containers.path("a.json"))
    }
    #expect(error?.message.contains("a.json is no TileJSON") == true)
    let missing = #expect(throws: ArchiveError.self) {
      try TilesetOpening.open(containers.path("absent"))
    }
    #expect(missing?.code == .missing)
    try containers.folder.write("", to: "empty/file.txt")
    #expect(throws: ArchiveError.self) { try TilesetOpening.open(containers.path("empty")) }
  }

  @Test("metadata that make no sense count as absent")
  func strangeMetadata() {
    let head = TilesetHead([
      "minzoom": .number(9), "maxzoom": .number(3), "bounds": .array([.number(1)]),
      "center": .string("x,y"), "vector_layers": .string("no"), "scheme": .string("other"),
      "name": .number(3), "tiles": .object([:]),
    ])
    #expect(head.minZoom == nil && head.maxZoom == nil && head.bounds == nil)
    #expect(head.center == nil && head.vectorLayers.isEmpty && head.rows == .xyz)
    #expect(head.name == nil && head.templates.isEmpty)
    #expect(TilesetHead(["minzoom": .string("-1"), "maxzoom": .number(1e300)]).maxZoom == nil)
  }
}

/// Runs of tiles that are stored once.
@Suite("Runs of PMTiles") struct TileRunTests {
  private let containers: Containers

  init() throws { containers = try Containers() }

  /// A file of one tile that stands for some numbers.
  private func tileset(from first: UInt64, count: UInt32) throws -> PMTilesTileset {
    let path = containers.path("run.pmtiles")
    let tile: [UInt8] = [0x1A, 0]
    var directory: [UInt8] = []
    for number in [1, first, UInt64(count), UInt64(tile.count), 1] {
      var rest = number
      while rest > 127 {
        directory.append(UInt8(rest & 127) | 128)
        rest >>= 7
      }
      directory.append(UInt8(rest))
    }
    var bytes = Array("PMTiles".utf8) + [3]
    func add(_ numbers: [Int]) {
      for number in numbers {
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
    }
    let end = 127 + directory.count
    add([127, directory.count, end, 2, end + 2, 0, end + 2, tile.count, 0, 1, 1])
    bytes += [1, 1, 1, 1, 0, 15]
    bytes += [UInt8](repeating: 0, count: 127 - bytes.count)
    try containers.folder.write(
      bytes: bytes + directory + Array("{}".utf8) + tile, to: "run.pmtiles")
    return try PMTilesTileset(try PMTilesReader(path))
  }

  @Test("the tiles of any run are those of its numbers", arguments: 0..<40)
  func presence(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let zoom = random.below(7)
    let start = HilbertTile.first(of: zoom)
    let size = Int(HilbertTile.first(of: zoom + 1) - start)
    let first = random.below(size)
    let count = 1 + random.below(size - first + 20)
    let tileset = try tileset(from: start + UInt64(first), count: UInt32(count))
    let side = 1 << zoom
    let corner = (random.below(side), random.below(side))
    let range = TileRange(
      zoom: zoom, firstColumn: corner.0, lastColumn: random.below(side),
      firstRow: corner.1, lastRow: min(side - 1, corner.1 + random.below(side)))
    let expected: [TileCoord] = (first..<min(first + count, size)).compactMap { place in
      HilbertTile(rawValue: start + UInt64(place)).tile
    }
    let keys: [TileKey] = expected.map { TileKey($0) }.sorted()
    let inside: [TileKey] = expected.filter { range.contains($0) }.map { TileKey($0) }.sorted()
    #expect(try tileset.presence(zoom: zoom).keys == keys)
    #expect(try tileset.presence(zoom: zoom, in: range).keys == inside)
    let all = try tileset.presence(zoom: zoom)
    let step = 1 + random.below(9)
    let some: [TileKey] = stride(from: step / 2, to: all.count, by: step).map { keys[$0] }
    #expect(all.keys(from: step / 2, every: step) == some)
    #expect(all.count == expected.count)
  }

  @Test("a run of as many tiles as there can be is counted, or refused, at once")
  func longest() throws {
    let tileset = try tileset(from: 0, count: .max)
    #expect(try tileset.presence(zoom: 13).count == 1 << 26)
    let error = #expect(throws: ArchiveError.self) { try tileset.presence(zoom: 15) }
    #expect(error?.code == .badArchive)
    #expect(try tileset.storedNumber(TileCoord(z: 9, x: 5, y: 5)) == 0)
  }
}
