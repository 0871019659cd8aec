import Calendar
import Files
import MBTiles
import Pictures
import Platform
import Runs
import SQLite
import SystemPackage
import Tiling

/// A sink that writes tiles to a GeoPackage 1.3: one pyramid of tiles in Web Mercator.
///
/// GeoPackage cannot store equal tiles once: each takes its bytes. Source: OGC 12-128r17, clause
/// 2.2 (tiles) and annex C.
final class GeoPackageTileSink: TileSink {
  private let publication: ArchivePublication
  private let database: Database
  private let insertion: Statement
  private let table: String
  private let changeTime: Int

  /// The size in pixels of the tiles of each zoom.
  private var sizes: [(zoom: Int, size: PictureSize)] = []
  private var count = 0

  init(
    _ publication: ArchivePublication, _ format: TileFormat, table: String, _ changeTime: Int
  ) throws {
    guard TileFormat.pictures.contains(format) else {
      throw PipelineError(
        .usage,
        "a GeoPackage holds PNG, JPEG and WebP tiles, and these are \(format.rawValue). Export to "
          + ".pmtiles or a folder.")
    }
    self.publication = publication
    self.changeTime = changeTime
    self.table = Self.tableName(table)
    let tiles = self.table
    let database = try DatabaseFailure.wrap(writing: publication.archive) {
      let database = try Database(path: publication.temporary.string, mode: .create)
      try database.execute(GeoPackageSchema.base(version: 10_300))
      try database.execute(GeoPackageTileSchema.tables(tiles))
      if format == .webp { try database.execute(GeoPackageTileSchema.webP(tiles)) }
      return database
    }
    self.database = database
    insertion = try database.prepare(
      "INSERT INTO \(GeoPackageSchema.quoted(tiles)) "
        + "(zoom_level, tile_column, tile_row, tile_data) VALUES (?1, ?2, ?3, ?4)")
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws {
    guard let size = PictureSize(of: bytes) else {
      throw PipelineError(
        .badData, "tile \(tile) is no PNG, JPEG or WebP, which a GeoPackage needs. Run verify.")
    }
    if sizes.last?.zoom != tile.z { sizes.append((tile.z, size)) }
    guard let first = sizes.last?.size, first == size else {
      throw PipelineError(
        .badData,
        "tile \(tile) has \(size) pixels and others of its zoom have not; a GeoPackage needs one "
          + "size. Run verify.")
    }
    try DatabaseFailure.wrap(writing: publication.archive) {
      try insertion.bind(Int64(tile.z), at: 1)
      try insertion.bind(Int64(tile.x), at: 2)
      // Rows of a GeoPackage run from north to south, as ours do.
      try insertion.bind(Int64(tile.y), at: 3)
      try insertion.bindBlob(borrowing: bytes, at: 4)
      try insertion.run()
    }
    count += 1
  }

  func publish(
    _ tileset: TilesetDescription, rows _: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome {
    try DatabaseFailure.wrap(writing: publication.archive) {
      try describe(tileset)
      try describeZooms(tileset.zooms)
      try database.execute("COMMIT")
    }
    try prove()
    try publication.commit()
    return SinkOutcome(
      bytes: try FileStatus.size(of: publication.archive), detail: "table '\(table)'",
      notes: ["a GeoPackage stores equal tiles as often as they occur."])
  }

  /// Writes the rows of the table to the GeoPackage's own tables.
  private func describe(_ tileset: TilesetDescription) throws {
    let edge = Mercator.halfWorld
    let matrixSet = try database.prepare(
      "INSERT INTO gpkg_tile_matrix_set VALUES (?1, 3857, ?2, ?2, ?3, ?3)")
    try matrixSet.bind(table, at: 1)
    try matrixSet.bind(-edge, at: 2)
    try matrixSet.bind(edge, at: 3)
    try matrixSet.run()
    let contents = try database.prepare(
      """
      INSERT INTO gpkg_contents (table_name, data_type, identifier, description, last_change, \
      min_x, min_y, max_x, max_y, srs_id) VALUES (?1, 'tiles', ?2, ?3, ?4, ?5, ?6, ?7, ?8, 3857)
      """)
    try contents.bind(table, at: 1)
    try contents.bind(tileset.name, at: 2)
    // There is no other column for an attribution.
    let words = [tileset.description, tileset.attribution].filter { !$0.isEmpty }
    try contents.bind(words.joined(separator: "\n"), at: 3)
    try contents.bind(UTCText.text(secondsSince1970: changeTime), at: 4)
    let bounds = tileset.bounds
    for (index, metres) in [
      Mercator.x(bounds.west), Mercator.y(bounds.south), Mercator.x(bounds.east),
      Mercator.y(bounds.north),
    ].enumerated() { try contents.bind(metres, at: Int32(5 + index)) }
    try contents.run()
  }

  /// Writes a matrix per zoom, including those without tiles: neighbours must differ by a factor of
  /// two.
  private func describeZooms(_ zooms: ClosedRange<Int>) throws {
    let matrix = try database.prepare(
      "INSERT INTO gpkg_tile_matrix VALUES (?1, ?2, ?3, ?3, ?4, ?5, ?6, ?7)")
    var size = sizes.first?.size ?? PictureSize(width: 256, height: 256)
    for zoom in zooms {
      size = sizes.first { $0.zoom == zoom }?.size ?? size
      let world = 2 * Mercator.halfWorld / Double(1 << zoom)
      try matrix.bind(table, at: 1)
      try matrix.bind(Int64(zoom), at: 2)
      try matrix.bind(Int64(1 << zoom), at: 3)
      try matrix.bind(Int64(size.width), at: 4)
      try matrix.bind(Int64(size.height), at: 5)
      try matrix.bind(world / Double(size.width), at: 6)
      try matrix.bind(world / Double(size.height), at: 7)
      try matrix.run()
    }
  }

  /// Verifies the written file by reading it back.
  private func prove() throws {
    let written = try Database(path: publication.temporary.string, mode: .immutable)
    let check = try written.text("PRAGMA quick_check(1)")
    guard check == "ok" else {
      // SQLite reports a page as damaged if the system fails to deliver it.
      let fault = check?.split(separator: "\n").joined(separator: "; ")
      throw PipelineError.unreadable("file \(publication.temporary)", cause: fault)
    }
    let rows = try written.integer(
      "SELECT count(*) FROM \(GeoPackageSchema.quoted(table))")
    guard rows == Int64(count) else {
      throw PipelineError.unverified(
        "file", cause: "it has \(rows ?? 0) of \(count) tiles")
    }
  }

  /// Returns a name that needs no quotes and is not one of GeoPackage's own.
  private static func tableName(_ text: String) -> String {
    let plain = String(
      text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let lowered = plain.lowercased()
    let isReserved =
      ["gpkg_", "sqlite_", "rtree_"].contains { lowered.hasPrefix($0) }
      || plain.first?.isNumber != false
    return isReserved ? "tiles_\(plain)" : plain
  }
}

/// The SQL of a GeoPackage's tiles.
private enum GeoPackageTileSchema {
  /// Returns the tables in addition to those that every file has, and the reference system of the
  /// tiles.
  static func tables(_ table: String) -> String {
    """
    INSERT INTO gpkg_spatial_ref_sys VALUES ('WGS 84 / Pseudo-Mercator', 3857, 'EPSG', 3857,
      '\(webMercator)', 'metres east and north of the crossing of equator and Greenwich');
    CREATE TABLE gpkg_tile_matrix_set (
      table_name TEXT NOT NULL PRIMARY KEY, srs_id INTEGER NOT NULL, min_x DOUBLE NOT NULL,
      min_y DOUBLE NOT NULL, max_x DOUBLE NOT NULL, max_y DOUBLE NOT NULL,
      CONSTRAINT fk_gtms_table_name FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gtms_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id));
    CREATE TABLE gpkg_tile_matrix (
      table_name TEXT NOT NULL, zoom_level INTEGER NOT NULL, matrix_width INTEGER NOT NULL,
      matrix_height INTEGER NOT NULL, tile_width INTEGER NOT NULL, tile_height INTEGER NOT NULL,
      pixel_x_size DOUBLE NOT NULL, pixel_y_size DOUBLE NOT NULL,
      CONSTRAINT pk_ttm PRIMARY KEY (table_name, zoom_level),
      CONSTRAINT fk_tmm_table_name FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name));
    CREATE TABLE \(GeoPackageSchema.quoted(table)) (
      id INTEGER PRIMARY KEY AUTOINCREMENT, zoom_level INTEGER NOT NULL,
      tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_data BLOB NOT NULL,
      UNIQUE (zoom_level, tile_column, tile_row));
    """
  }

  /// Returns the row of the extension for WebP: OGC 12-128r17, clause 2.3 and annex F.7.
  static func webP(_ table: String) -> String {
    """
    INSERT INTO gpkg_extensions VALUES ('\(table)', 'tile_data', 'gpkg_webp',
      'http://www.geopackage.org/spec/#extension_tiles_webp', 'read-write');
    """
  }

  /// EPSG:3857 in well-known text (OGC 01-009) with the names by which GDAL recognizes the sphere.
  private static let webMercator = """
    PROJCS["WGS 84 / Pseudo-Mercator",GEOGCS["WGS 84",DATUM["WGS_1984",\
    SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],\
    PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],\
    UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]],\
    PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],\
    PARAMETER["false_easting",0],PARAMETER["false_northing",0],\
    UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],\
    EXTENSION["PROJ4","+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 \
    +units=m +nadgrids=@null +wktext +no_defs"],AUTHORITY["EPSG","3857"]]
    """
}

/// The constants of Web Mercator in metres (EPSG:3857).
private enum Mercator {
  private static let radius = 6_378_137.0

  /// The distance from the middle of the square to its edge.
  static let halfWorld = Double.pi * radius

  static func x(_ longitude: Double) -> Double { longitude / 180 * halfWorld }

  static func y(_ latitude: Double) -> Double {
    let sine = sin(latitude * (Double.pi / 180))
    let y = radius * 0.5 * log((1 + sine) / (1 - sine))
    return max(-halfWorld, min(halfWorld, y))
  }
}
