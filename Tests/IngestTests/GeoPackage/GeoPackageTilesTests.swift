import Features
import Ingest
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import GeoPackages

/// Pictures that only this test can decode: a PNG's first bytes, then a size and one value.
private func blob(_ value: UInt8, size: Int = 4, magic: String = "89504E470D0A1A0A") -> String {
  func hex(_ byte: Int) -> String { String(String(byte + 256, radix: 16).dropFirst()) }
  return "X'\(magic)\(hex(size))\(hex(Int(value)))'"
}

private func decode(_ bytes: [UInt8]) throws(SourceError) -> GeoPackageMosaic.Picture {
  let size = Int(bytes[bytes.count - 2])
  let value = bytes[bytes.count - 1]
  return GeoPackageMosaic.Picture(
    width: size, height: size, pixels: [UInt8](repeating: value, count: 4 * size * size))
}

/// A table of tiles: the world at zoom 1, and a part of zoom 3.
private func script(
  system: Int = 3857, matrix: String = "", rows: String
) -> String {
  let half = MercatorMetres.halfWorld
  let pixel = half / 4
  return """
    CREATE TABLE gpkg_tile_matrix_set (table_name TEXT, srs_id INTEGER, min_x REAL, min_y REAL,
      max_x REAL, max_y REAL);
    CREATE TABLE gpkg_tile_matrix (table_name TEXT, zoom_level INTEGER, matrix_width INTEGER,
      matrix_height INTEGER, tile_width INTEGER, tile_height INTEGER, pixel_x_size REAL,
      pixel_y_size REAL);
    CREATE TABLE pics (id INTEGER PRIMARY KEY, zoom_level INTEGER, tile_column INTEGER,
      tile_row INTEGER, tile_data BLOB);
    INSERT INTO gpkg_contents (table_name, data_type) VALUES ('pics', 'tiles');
    INSERT INTO gpkg_tile_matrix_set VALUES
      ('pics', \(system), -\(half), -\(half), \(half), \(half));
    INSERT INTO gpkg_tile_matrix VALUES ('pics', 1, 2, 2, 4, 4, \(pixel), \(pixel)),
      ('pics', 3, 8, 8, 4, 4, \(pixel / 4), \(pixel / 4));
    \(matrix)
    INSERT INTO pics(zoom_level, tile_column, tile_row, tile_data) VALUES \(rows);
    """
}

private let four =
  "(1, 1, 1, \(blob(4))), (1, 0, 0, \(blob(1))), (1, 1, 0, \(blob(2))), (1, 0, 1, \(blob(3)))"

struct GeoPackageTilesTests {
  @Test("tiles are assembled from the north-west")
  func mosaic() throws {
    let tiles = try GeoPackageTiles(try GeoPackageFixture(script(rows: four)).open())
    #expect(tiles.table == "pics")
    #expect(tiles.matrices.map(\.zoom) == [1, 3])
    let mosaic = try #require(try tiles.mosaic(zoom: 1, decode: decode))
    #expect((mosaic.picture.width, mosaic.picture.height) == (8, 8))
    let corners = [(0, 0), (7, 0), (0, 7), (7, 7)].map {
      mosaic.picture.pixels[4 * ($0.1 * 8 + $0.0)]
    }
    #expect(corners == [1, 2, 3, 4])
    #expect(mosaic.tiles == 4)
    #expect(mosaic.missing == 0)
    #expect(mosaic.box.bounds == .world)
  }

  @Test("a mosaic reaches only as far as there are tiles, and reports missing ones")
  func partial() throws {
    let rows = four + ", (3, 2, 5, \(blob(7))), (3, 4, 6, \(blob(8))), (3, 9, 9, \(blob(9)))"
    let tiles = try GeoPackageTiles(try GeoPackageFixture(script(rows: rows)).open())
    #expect(try tiles.tiles(zoom: 3).map(\.column) == [2, 4])
    let mosaic = try #require(try tiles.mosaic(zoom: 3, decode: decode))
    #expect((mosaic.picture.width, mosaic.picture.height) == (12, 8))
    #expect(mosaic.tiles == 2)
    #expect(mosaic.missing == 4)
    let quarter = MercatorMetres.halfWorld / 4
    let edges = [mosaic.box.west, mosaic.box.south, mosaic.box.east, mosaic.box.north]
    for (edge, expected) in zip(edges, [-2.0, -3, 1, -1]) {
      #expect(abs(edge - expected * quarter) < 1e-6)
    }
    let none = try tiles.mosaic(
      zoom: 3, in: GeoPackageTileBlock(columns: 0...1, rows: 0...1), decode: decode)
    #expect(none == nil)
  }

  @Test(
    "bounds become blocks of tiles, two over the antimeridian",
    arguments: [
      (GeoBounds.world, [GeoPackageTileBlock(columns: 0...7, rows: 0...7)]),
      (
        GeoBounds(west: 1, south: 1, east: 2, north: 2),
        [GeoPackageTileBlock(columns: 4...4, rows: 3...3)]
      ),
      (
        GeoBounds(west: -1, south: -1, east: 1, north: 1),
        [GeoPackageTileBlock(columns: 3...4, rows: 3...4)]
      ),
      (
        GeoBounds(west: 170, south: 1, east: -170, north: 2),
        [
          GeoPackageTileBlock(columns: 0...0, rows: 3...3),
          GeoPackageTileBlock(columns: 7...7, rows: 3...3),
        ]
      ),
      (
        GeoBounds(west: 0, south: 0, east: 45, north: 90),
        [GeoPackageTileBlock(columns: 4...4, rows: 0...3)]
      ),
    ])
  func blocks(_ bounds: GeoBounds, _ expected: [GeoPackageTileBlock]) throws {
    let tiles = try GeoPackageTiles(try GeoPackageFixture(script(rows: four)).open())
    #expect(try tiles.matrix(zoom: 3).blocks(in: bounds) == expected)
  }

  @Test(
    "unreadable tile pictures are refused by name",
    arguments: [
      (blob(1, magic: "524946460000000057454250"), "is a WebP image, and only PNG and JPEG"),
      (blob(1, magic: "49492A00"), "is a TIFF image"), (blob(1, magic: "1F8B"), "is a vector tile"),
      ("X''", "unknown format"), ("NULL", "unknown format"), ("5", "unknown format"),
      (blob(1, size: 5), "has 5 × 5 pixels, not 4 × 4"),
    ])
  func otherPictures(_ data: String, _ words: String) throws {
    let tiles = try GeoPackageTiles(
      try GeoPackageFixture(script(rows: "(1, 0, 0, \(data))")).open())
    let error = #expect(throws: SourceError.self) { try tiles.mosaic(zoom: 1, decode: decode) }
    #expect(error?.message.contains(words) == true)
    #expect(error?.message.contains("tile 1/0/0 of 'pics'") == true)
  }

  @Test(
    "invalid tile grids are refused",
    arguments: [
      ("UPDATE gpkg_tile_matrix SET matrix_width = 0;", "zoom 1 of 'pics' makes no sense"),
      ("UPDATE gpkg_tile_matrix SET tile_width = 100000000;", "makes no sense"),
      ("UPDATE gpkg_tile_matrix SET pixel_x_size = -1;", "makes no sense"),
      ("UPDATE gpkg_tile_matrix SET pixel_x_size = 9e999;", "makes no sense"),
      ("UPDATE gpkg_tile_matrix SET matrix_height = 9223372036854775807;", "makes no sense"),
      ("UPDATE gpkg_tile_matrix_set SET min_x = 1e300;", "makes no sense"),
      ("DELETE FROM gpkg_tile_matrix;", "has no zoom"),
      ("DROP TABLE gpkg_tile_matrix;", "has no table"),
      ("DELETE FROM gpkg_tile_matrix_set;", "has no row"),
      ("UPDATE gpkg_tile_matrix_set SET srs_id = 4326;", "EPSG:4326, and only EPSG:3857"),
      ("UPDATE gpkg_tile_matrix_set SET srs_id = 3035;", "EPSG:3035 (Lambert)"),
      ("UPDATE gpkg_tile_matrix_set SET srs_id = NULL;", "srs_id is NULL"),
    ])
  func brokenGrids(_ change: String, _ words: String) throws {
    let file = try GeoPackageFixture(script(matrix: change, rows: four)).open()
    let error = #expect(throws: SourceError.self) { _ = try GeoPackageTiles(file) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("a missing zoom, or too large a picture, is refused with the remedy")
  func refusals() throws {
    let tiles = try GeoPackageTiles(try GeoPackageFixture(script(rows: four)).open())
    let zoom = #expect(throws: SourceError.self) { try tiles.mosaic(zoom: 2, decode: decode) }
    #expect(zoom?.message == "'pics' has no tiles of zoom 2; zooms are 1, 3")
    let size = #expect(throws: SourceError.self) {
      try tiles.mosaic(zoom: 1, pixelLimit: 63, decode: decode)
    }
    #expect(size?.message.contains("has 8 × 8 pixels there, and 63 are the limit") == true)
  }

  @Test("a duplicate tile counts once")
  func twins() throws {
    let rows = "(1, 0, 0, \(blob(1))), (1, 0, 0, \(blob(2))), (1, 0.5, 0, \(blob(3)))"
    let tiles = try GeoPackageTiles(try GeoPackageFixture(script(rows: rows)).open())
    let mosaic = try #require(try tiles.mosaic(zoom: 1, decode: decode))
    #expect(mosaic.tiles == 1)
    #expect(mosaic.picture.pixels.first == 1)
  }

  @Test(
    "the tiles of real files are found at their positions", .enabled(if: SharedData.isThere),
    arguments: [
      (
        "nga_denver_tile.gpkg", 16, 42,
        GeoPackageTileBlock(columns: 13680...13685, rows: 24888...24894)
      ),
      ("nga_rivers.gpkg", 3, 64, GeoPackageTileBlock(columns: 0...7, rows: 0...7)),
      ("nga_rivers.gpkg", 0, 1, GeoPackageTileBlock(columns: 0...0, rows: 0...0)),
    ])
  func realFiles(_ name: String, _ zoom: Int, _ count: Int, _ block: GeoPackageTileBlock) throws {
    let file = try GeoPackageFile(path: FilePath(SharedData.path("gpkg/\(name)")), name: name)
    let tiles = try GeoPackageTiles(file)
    let found = try tiles.tiles(zoom: zoom)
    #expect(found.count == count)
    #expect(try tiles.extent(zoom: zoom) == block)
    let matrix = try tiles.matrix(zoom: zoom)
    for tile in found {
      let bytes = try tiles.picture(of: tile)
      #expect(bytes.count > 50)
      // The grid is that of the world, so the tile lies where its number says.
      let box = matrix.box(columns: tile.column...tile.column, rows: tile.row...tile.row).bounds
      let west = Double(tile.column) / Double(1 << zoom) * 360 - 180
      #expect(abs(box.west - west) < 1e-6)
    }
  }

  @Test(
    "sample tiles in another reference system are refused by its name",
    .enabled(if: SharedData.isThere), arguments: ["byte_png", "byte_jpeg"])
  func samples(_ table: String) throws {
    let name = "ets_gdal_sample_v1.2_no_extensions.gpkg"
    let file = try GeoPackageFile(path: FilePath(SharedData.path("gpkg/\(name)")), name: name)
    let error = #expect(throws: SourceError.self) { _ = try GeoPackageTiles(file, table: table) }
    #expect(error?.message.contains("EPSG:26711") == true)
  }
}
