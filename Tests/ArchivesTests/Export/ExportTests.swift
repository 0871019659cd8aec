import Foundation
import JSON
import MBTiles
import PMTiles
import PNG
import PipelineSamples
import Raster
import SQLite
import SystemPackage
import TestSupport
import Testing
import TileCodecs
import Tiling

@testable import Archives
@testable import Pipeline
@testable import Runs

@Suite("Archives as folders of files")
struct FolderExportTests {
  private func file(_ folder: String, _ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder).appendingPathComponent(name)))
  }

  @Test("each tile is a file of its bytes and there are no others", arguments: TileScheme.allCases)
  func files(scheme: TileScheme) throws {
    let sample = try ExportSample()
    let summary = try sample.export(to: "tiles") { $0.scheme = scheme }
    let tiles = try sample.tiles()
    for (tile, bytes) in tiles {
      let row = scheme == .tms ? tile.tmsRow : tile.y
      #expect(try file(sample.path("tiles"), "\(tile.z)/\(tile.x)/\(row).png") == bytes)
    }
    let names = FileManager.default.enumerator(atPath: sample.path("tiles"))?.allObjects ?? []
    #expect(names.count { "\($0)".hasSuffix(".png") } == tiles.count)
    #expect(summary.tiles == tiles.count)
    let json = try JSONSerialization.jsonObject(
      with: Data(try file(sample.path("tiles"), "tile.json")))
    let members = try #require(json as? [String: Any])
    #expect(members["scheme"] as? String == scheme.rawValue)
    #expect(members["tiles"] as? [String] == ["{z}/{x}/{y}.png"])
    #expect(members["minzoom"] as? Int == 0 && members["maxzoom"] as? Int == 5)
    #expect((members["bounds"] as? [Double])?.count == 4)
    #expect(
      try !sample.sample.folder.names().contains { $0.contains("tmp") || $0.contains("lock") })
  }

  @Test("tiles of a foreign archive are what they are, not what its metadata say")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("photos.mbtiles")
    let database = try Database(path: path, mode: .create)
    let picture = Pixmap(width: 256, height: 256)
    picture.clear(to: PremultipliedColor(Color(red: 0.5, green: 0.7, blue: 0.2)))
    let jpeg = try TileEncoder(.jpeg(quality: 80, background: PremultipliedColor(.black)))
      .encode(picture, showing: .image)
    func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02X", $0) }.joined() }
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO metadata VALUES ('name', 'photos'), ('format', 'png');
      INSERT INTO tiles VALUES (0, 0, 0, x'\(hex(jpeg))'), (1, 0, 1, x'\(hex(jpeg))'),
        (1, 1, 1, x'\(hex(PNGEncoder.transparent(width: 256, height: 256)))');
      """)
    func export(_ name: String, _ container: TileContainer) throws -> ExportSummary {
      try PipelineRunner.export(
        ExportOptions(archive: path, output: folder.path(name), container: container),
        cancellation: Cancellation(), progress: { _ in })
    }
    let summary = try export("photos", .folder)
    #expect(summary.notes.count == 2, "\(summary.notes)")
    #expect(summary.notes.first?.contains("say 'png', but its first tile is JPEG") == true)
    #expect(summary.notes.last?.hasPrefix("1 tile is not JPEG") == true)
    #expect(try file(folder.path("photos"), "0/0/0.jpg") == jpeg)
    let json = String(decoding: try file(folder.path("photos"), "tile.json"), as: UTF8.self)
    #expect(json.contains("{z}/{x}/{y}.jpg"))
    _ = try export("photos.pmtiles", .pmtiles)
    let packed = try PMTilesReader(FilePath(folder.path("photos.pmtiles")))
    #expect(packed.header.tileType == .jpeg)
    _ = try export("again.mbtiles", .mbtiles)
    let archive = try ArchiveReader(FilePath(folder.path("again.mbtiles")))
    #expect(archive.metadata["format"] == "jpg")
  }

  @Test("with links equal tiles are one file, and the tiles are the same")
  func links() throws {
    let sample = try ExportSample()
    try sample.export(to: "linked") { $0.linksEqualTiles = true }
    let tiles = try sample.tiles()
    var inodes: [[UInt8]: Set<Int>] = [:]
    for (tile, bytes) in tiles {
      let path = sample.path("linked/\(tile).png")
      #expect(try file(sample.path("linked"), "\(tile).png") == bytes)
      let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
      inodes[bytes, default: []].insert(try #require(number))
    }
    #expect(inodes.values.allSatisfy { $0.count == 1 } && inodes.count < tiles.count)
  }

  @Test("a non-empty folder is refused; --force replaces only an export")
  func force() throws {
    let sample = try ExportSample()
    func refusal(_ change: (inout ExportOptions) -> Void) -> PipelineError.Code? {
      do {
        try sample.export(to: "tiles", change)
        return nil
      } catch {
        return (error as? PipelineError)?.code
      }
    }
    try FileManager.default.createDirectory(
      atPath: sample.path("tiles"), withIntermediateDirectories: true)
    #expect(refusal { _ in } == nil)
    #expect(refusal { _ in } == .cannotCreate)
    #expect(refusal { ($0.replacesFolder, $0.maxZoom) = (true, 2) } == nil)
    #expect(!FileManager.default.fileExists(atPath: sample.path("tiles/3")))
    try sample.sample.folder.write("mine", to: "tiles/diary.txt")
    #expect(refusal { $0.replacesFolder = true } == .cannotCreate)
    #expect(try file(sample.path("tiles"), "diary.txt") == Array("mine".utf8))
    try FileManager.default.removeItem(atPath: sample.path("tiles"))
    try FileManager.default.createSymbolicLink(
      atPath: sample.path("tiles"), withDestinationPath: sample.sample.folder.url.path)
    #expect(refusal { $0.replacesFolder = true } == .cannotCreate)
    #expect(FileManager.default.fileExists(atPath: sample.archive))
  }
}

@Suite("Archives as PMTiles")
struct PMTilesExportTests {
  @Test("a PMTiles file has the tiles and the metadata of the archive")
  func tiles() throws {
    let sample = try ExportSample()
    let summary = try sample.export(to: "out.pmtiles")
    let tiles = try sample.tiles()
    let reader = try PMTilesReader(FilePath(sample.path("out.pmtiles")))
    for (tile, bytes) in tiles { #expect(try reader.tile(tile) == bytes) }
    let check = try PMTilesCheck(reader)
    #expect(check.faults == [] && check.tiles == tiles.count && summary.tiles == tiles.count)
    #expect(check.contents.count == Set(tiles.values).count)
    #expect(reader.header.tileType == .png && reader.header.tileCompression == .none)
    #expect(reader.header.minZoom == 0 && reader.header.maxZoom == 5)
    let bounds = try #require(
      try sample.metadata("out.mbtiles")["bounds"].flatMap { GeoBounds($0) })
    #expect(
      reader.header.bounds
        == [bounds.west, bounds.south, bounds.east, bounds.north].map(PMTilesHeader.units))
    let json = try JSONSerialization.jsonObject(with: Data(try reader.metadata()))
    #expect((json as? [String: Any])?["name"] as? String == "sample")
  }

  @Test("a PMTiles file of a part has that part, and equal exports have equal bytes")
  func part() throws {
    let sample = try ExportSample()
    let box = GeoBounds(west: 0, south: 0, east: 90, north: 60)
    for name in ["a.pmtiles", "b.pmtiles"] { try sample.export(to: name) { $0.bounds = box } }
    try sample.export(to: "small.mbtiles") { $0.bounds = box }
    let reader = try PMTilesReader(FilePath(sample.path("a.pmtiles")))
    let tiles = try sample.tiles("small.mbtiles")
    #expect(try PMTilesCheck(reader).tiles == tiles.count)
    for (tile, bytes) in tiles { #expect(try reader.tile(tile) == bytes) }
    #expect(try sample.sample.folder.bytes("a.pmtiles") == sample.sample.folder.bytes("b.pmtiles"))
  }

  @Test("inspect describes a PMTiles file, and verify names its damage")
  func inspection() throws {
    let sample = try ExportSample()
    try sample.export(to: "out.pmtiles")
    let path = sample.path("out.pmtiles")
    let text = try PipelineRunner.inspect(archive: path)
    for words in ["PMTiles version 3", "png", "0 to 5", "sample", "leaf directories"] {
      #expect(text.contains(words))
    }
    func faults() throws -> [String] {
      try PipelineRunner.verify(
        archive: path, cancellation: Cancellation(), progress: { _ in }
      ).faults
    }
    #expect(try faults() == [])
    var bytes = try sample.sample.folder.bytes("out.pmtiles")
    bytes[bytes.count - 200] ^= 0x10
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(try faults().first?.contains("a tile at byte") == true)
    try Data(bytes.prefix(300)).write(to: URL(fileURLWithPath: path))
    #expect(try !faults().isEmpty)
    try Data("PMTiles".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: PipelineError.self) { try PipelineRunner.inspect(archive: path) }
  }

  @Test("vector tiles keep their gzip and the names of their layers")
  func vector() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("vector.mbtiles")
    let database = try Database(path: path, mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      INSERT INTO metadata VALUES ('name', 'roads'), ('format', 'pbf'), ('bounds', '-10,-10,10,10'),
        ('json', '{"vector_layers": [{"id": "roads", "fields": {"lanes": "Number"}}]}');
      INSERT INTO tiles VALUES (0, 0, 0, x'1F8B0102'), (1, 0, 1, x'1A03'), (1, 1, 1, x'1A03');
      """)
    var options = ExportOptions(
      archive: path, output: folder.path("vector.pmtiles"), container: .pmtiles)
    try _ = PipelineRunner.export(options, cancellation: Cancellation(), progress: { _ in })
    let reader = try PMTilesReader(FilePath(options.output))
    #expect(reader.header.tileType == .vector && reader.header.tileCompression == .gzip)
    #expect(try reader.tile(TileCoord(z: 0, x: 0, y: 0)) == [0x1F, 0x8B, 1, 2])
    let inflated = try reader.tile(TileCoord(z: 1, x: 0, y: 0))?.withUnsafeBytes {
      Gzip.decompress($0, limit: 100)
    }
    #expect(inflated == [0x1A, 3])
    let json = String(decoding: try reader.metadata(), as: UTF8.self)
    #expect(json.contains(#""vector_layers": [{"id": "roads""#))
    options.container = .gpkg
    options.output = folder.path("vector.gpkg")
    #expect(throws: PipelineError.self) {
      try PipelineRunner.export(options, cancellation: Cancellation(), progress: { _ in })
    }
  }

  @Test(
    "the package pmtiles of PyPI reads the same tiles",
    .enabled(if: PythonReader.isThere, "no Python with the package pmtiles; see QUADRILLE_PYTHON"))
  func python() throws {
    let script = """
      import sys, sqlite3
      from pmtiles.reader import Reader, MmapSource
      with open(sys.argv[2], "rb") as file:
        reader = Reader(MmapSource(file))
        count = 0
        for z, x, row, data in sqlite3.connect(sys.argv[1]).execute(
            "SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles"):
          assert reader.get(z, x, 2**z - 1 - row) == data, (z, x, row)
          count += 1
        assert reader.header()["addressed_tiles_count"] == count
        assert reader.metadata()["name"] == "sample"
      """
    let sample = try ExportSample()
    try sample.export(to: "out.pmtiles")
    let run = try PythonReader.run(script, sample.archive, sample.path("out.pmtiles"))
    #expect(run.status == 0, "\(run.errors)")
  }
}

/// The Python that `QUADRILLE_PYTHON` names, else `python3`.
private enum PythonReader {
  static let isThere = (try? run("import pmtiles.reader"))?.status == 0

  static func run(_ script: String, _ arguments: String...) throws -> Program.Outcome {
    let python = ProcessInfo.processInfo.environment["QUADRILLE_PYTHON"] ?? "python3"
    return try Program.Run(
      ["-c", #"exec "$0" -c "$@""#, python, script] + arguments, program: "/bin/sh"
    ).finish()
  }
}

@Suite("Archives as tiles of a GeoPackage")
struct GeoPackageExportTests {
  @Test("a GeoPackage has each tile at its row from the north, and its place")
  func tiles() throws {
    let sample = try ExportSample()
    let summary = try sample.export(to: "my-map 1.gpkg")
    let database = try Database(path: sample.path("my-map 1.gpkg"), mode: .readOnly)
    #expect(try database.integer("PRAGMA application_id") == 0x4750_4B47)
    #expect(try database.integer("PRAGMA user_version") == 10_300)
    #expect(try database.text("PRAGMA integrity_check") == "ok")
    #expect(try database.text("PRAGMA foreign_key_check") == nil)
    let statement = try database.prepare(
      "SELECT zoom_level, tile_column, tile_row, tile_data FROM my_map_1")
    var found: [TileCoord: [UInt8]] = [:]
    while try statement.step() {
      let tile = TileCoord(
        z: Int(statement.integer(0)), x: Int(statement.integer(1)), y: Int(statement.integer(2)))
      found[tile] = statement.withBytes(3) { Array($0) }
    }
    #expect(try found == sample.tiles())
    #expect(summary.tiles == found.count)
    let contents = "SELECT data_type || srs_id || identifier FROM gpkg_contents"
    #expect(try database.text(contents) == "tiles3857sample")
    let matrix = try database.prepare(
      "SELECT zoom_level, matrix_width, tile_width, pixel_x_size * matrix_width * tile_width "
        + "FROM gpkg_tile_matrix ORDER BY 1")
    for zoom in 0...5 {
      try #require(try matrix.step())
      #expect(matrix.integer(0) == Int64(zoom) && matrix.integer(1) == Int64(1 << zoom))
      #expect(matrix.integer(2) == 256)
      #expect(abs(matrix.double(3) - 40_075_016.685578488) < 1e-6)
    }
    #expect(try !matrix.step())
  }

  @Test("equal exports give equal bytes")
  func deterministic() throws {
    let sample = try ExportSample()
    try sample.sample.folder.write("", to: "other/note.txt")
    for name in ["map.gpkg", "other/map.gpkg"] { try sample.export(to: name) }
    #expect(
      try sample.sample.folder.bytes("map.gpkg") == sample.sample.folder.bytes("other/map.gpkg"))
  }
}

@Suite("The size of pictures, from their headers")
struct PictureSizeTests {
  @Test("the size of a picture is read from the header of a PNG or JPEG, and of no other format")
  func heads() {
    let png: [UInt8] =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
      + [0, 0, 2, 0, 0, 0, 1, 0]
    let jpeg: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xFF, 0xC2, 0, 17, 8, 1, 0, 2, 1, 3, 0, 0, 0, 0]
    func size(_ bytes: [UInt8]) -> PictureSize? { bytes.withUnsafeBytes { PictureSize(of: $0) } }
    #expect(size(png) == PictureSize(width: 512, height: 256))
    #expect(size(jpeg) == PictureSize(width: 513, height: 256))
    #expect(size(Array(png.prefix(20))) == nil && size(Array(jpeg.prefix(9))) == nil)
    #expect(size([]) == nil && size([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
  }
}
