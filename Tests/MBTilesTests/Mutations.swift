import MBTiles
import Testing

/// Something done to a good archive, and what the verifier must say about it.
struct Mutation: Sendable, CustomTestStringConvertible {
  let sql: String
  let topic: ArchiveFinding.Topic
  let words: String
  var severity = ArchiveFinding.Severity.error

  init(
    _ sql: String, _ topic: ArchiveFinding.Topic, _ words: String,
    _ severity: ArchiveFinding.Severity = .error
  ) {
    self.sql = sql
    self.topic = topic
    self.words = words
    self.severity = severity
  }

  var testDescription: String { sql }

  static func metadata(_ name: String, _ value: String) -> String {
    "UPDATE metadata SET value = '\(value)' WHERE name = '\(name)'"
  }

  static let inMetadata: [Mutation] =
    [
      "name", "format", "bounds", "center", "minzoom", "maxzoom", "type", "version", "description",
      "attribution",
    ].map { name in
      Mutation("DELETE FROM metadata WHERE name = '\(name)'", .metadata, "there is no '\(name)'")
    } + [
      Mutation(metadata("format", "pbf"), .metadata, "'format' is 'pbf'"),
      Mutation(metadata("type", "baselayer"), .metadata, "'type' is 'baselayer'"),
      Mutation(metadata("minzoom", "0.0"), .metadata, "'minzoom' is '0.0', not a plain integer"),
      Mutation(metadata("maxzoom", "+2"), .metadata, "'maxzoom' is '+2'"),
      Mutation(metadata("minzoom", "1"), .zooms, "'minzoom' is 1, but the tiles have 0"),
      Mutation(metadata("maxzoom", "3"), .zooms, "'maxzoom' is 3, but the tiles have 2"),
      Mutation(metadata("bounds", "-100,-80,170"), .bounds, "not four plain numbers"),
      Mutation(metadata("bounds", "-100,-80,170,x"), .bounds, "not four plain numbers"),
      Mutation(metadata("bounds", "-1e2,-80,170,85"), .bounds, "not four plain numbers"),
      Mutation(metadata("bounds", "-100,-80,170,85,"), .bounds, "not four plain numbers"),
      Mutation(metadata("bounds", "170,-80,-100,85"), .bounds, "not west, south, east, north"),
      Mutation(metadata("bounds", "0,-80,170,85"), .bounds, "do not reach all tiles of zoom 1"),
      Mutation(metadata("bounds", "-100,-80,90,85"), .bounds, "do not reach all tiles of zoom 2"),
      Mutation(metadata("bounds", "-100,-80,170,60"), .bounds, "do not reach all tiles of zoom 2"),
      Mutation(metadata("center", "10,0"), .bounds, "'center' is '10,0'"),
      Mutation(metadata("center", "10,0,1.5"), .bounds, "a whole zoom"),
      Mutation(metadata("center", "-179,0,1"), .bounds, "'center' -179,0,1 is outside the bounds"),
      Mutation(metadata("center", "10,0,3"), .bounds, "the zoom of 'center'"),
      Mutation("INSERT INTO metadata VALUES ('scale', '2')", .metadata, "tiles have 256 pixels"),
      Mutation("INSERT INTO metadata VALUES ('scale', 'x')", .metadata, "'scale' is 'x'"),
      Mutation("INSERT INTO metadata VALUES ('scheme', 'xyz')", .metadata, "rows are TMS"),
      Mutation(
        "INSERT INTO metadata VALUES ('json', '{\"tiles\":[]}')", .metadata, "readers fetch"),
      Mutation("INSERT INTO metadata VALUES ('extra', '1')", .metadata, "no prefix", .warning),
      Mutation("INSERT INTO metadata VALUES (x'00', '1')", .metadata, "1 rows have"),
      Mutation("INSERT INTO metadata VALUES ('quadrille:x', x'05')", .metadata, "1 rows have"),
      Mutation(metadata("description", "from /home/me/data"), .metadata, "absolute path"),
      Mutation(
        "DROP INDEX metadata_index; INSERT INTO metadata VALUES ('name', 'b')", .metadata,
        "'name' occurs twice"),
    ]

  static let inSchema: [Mutation] = [
    Mutation("DROP INDEX metadata_index", .schema, "no unique index on metadata(name)"),
    Mutation("DROP INDEX map_index", .schema, "no unique index on map(zoom_level, tile_column"),
    Mutation("DROP INDEX images_index", .schema, "no unique index on images(tile_id)"),
    Mutation(
      "DROP INDEX images_index; CREATE INDEX images_index ON images (tile_id)", .schema,
      "no unique index on images(tile_id)"),
    Mutation(
      "DROP INDEX images_index; CREATE UNIQUE INDEX i ON images (tile_id COLLATE NOCASE)", .schema,
      "no unique index on images(tile_id)"),
    Mutation(
      "DROP INDEX map_index;"
        + " CREATE UNIQUE INDEX i ON map (zoom_level, tile_column, tile_row) WHERE zoom_level > 1",
      .schema, "no unique index on map"),
    Mutation("CREATE INDEX more ON map (tile_id)", .schema, "index 'more'", .warning),
    Mutation("CREATE TABLE more (a)", .schema, "table 'more'", .warning),
    Mutation("CREATE VIEW more AS SELECT 1", .schema, "view 'more'", .warning),
    Mutation("CREATE VIRTUAL TABLE more USING rtree (a, b, c)", .schema, "'more' is virtual"),
    Mutation(
      "CREATE TRIGGER t AFTER INSERT ON map BEGIN SELECT 1; END", .schema, "a trigger 't'"),
    Mutation("DROP VIEW tiles", .schema, "no table or view 'tiles'"),
    Mutation("DROP TABLE metadata", .schema, "no table or view 'metadata'"),
    Mutation("ALTER TABLE map DROP COLUMN grid_id", .schema, "no column 'map.grid_id'"),
    Mutation("ALTER TABLE map ADD COLUMN x INTEGER", .schema, "'map.x'", .warning),
    Mutation(
      "ALTER TABLE images ADD COLUMN x INT AS (1)", .schema, "'images.x' is generated"),
    Mutation(
      "DROP VIEW tiles; CREATE VIEW tiles AS SELECT map.zoom_level + 0 AS zoom_level,"
        + " map.tile_column AS tile_column, map.tile_row AS tile_row,"
        + " images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id",
      .schema, "'tiles.zoom_level' is declared ''"),
    Mutation(
      "DROP VIEW tiles; CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level,"
        + " map.tile_column AS tile_column, map.tile_row AS tile_row, images.tile_data AS tile_data"
        + " FROM map JOIN images ON images.tile_id = map.tile_id WHERE map.zoom_level < 2",
      .schema, "not the plain join", .warning),
    Mutation(
      "PRAGMA legacy_alter_table=ON; CREATE TABLE x (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id TEXT,"
        + " grid_id TEXT) STRICT; INSERT INTO x SELECT * FROM map; DROP TABLE map;"
        + " ALTER TABLE x RENAME TO map;"
        + " CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)",
      .schema, "'map' is STRICT"),
    Mutation(
      "PRAGMA legacy_alter_table=ON; CREATE TABLE x (tile_id TEXT PRIMARY KEY, tile_data BLOB) WITHOUT ROWID;"
        + " INSERT INTO x SELECT * FROM images; DROP TABLE images; ALTER TABLE x RENAME TO images",
      .schema, "'images' is STRICT or WITHOUT ROWID"),
    Mutation(
      "PRAGMA legacy_alter_table=ON; CREATE TABLE x (zoom_level, tile_column, tile_row, tile_id TEXT, grid_id TEXT);"
        + " INSERT INTO x SELECT * FROM map; DROP TABLE map; ALTER TABLE x RENAME TO map;"
        + " CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row)",
      .schema, "'map.tile_row' is declared ''"),
    Mutation("PRAGMA application_id=0", .header, "application id", .warning),
    Mutation("PRAGMA journal_mode=WAL", .header, "write-ahead log"),
    Mutation("PRAGMA page_size=1024; VACUUM", .header, "1024 bytes, not 4096 or 16384", .warning),
  ]

  static let inTiles: [Mutation] = [
    Mutation(
      "UPDATE map SET tile_row = 4 WHERE zoom_level = 2 AND tile_column = 3", .tiles,
      "zoom 2, column 3, TMS row 4 is no tile"),
    Mutation("UPDATE map SET tile_column = -1 WHERE zoom_level = 0", .tiles, "column -1"),
    Mutation("UPDATE map SET zoom_level = 23 WHERE zoom_level = 0", .tiles, "zoom 23"),
    Mutation("UPDATE map SET tile_row = 'x' WHERE zoom_level = 0", .tiles, "TMS row x"),
    Mutation("UPDATE map SET zoom_level = NULL WHERE zoom_level = 0", .tiles, "zoom null"),
    Mutation(
      "DROP INDEX map_index; INSERT INTO map SELECT * FROM map WHERE zoom_level = 2"
        + " AND tile_column = 1 AND tile_row = 0", .tiles, "tile 2/1/3 is stored twice"),
    Mutation("DELETE FROM map WHERE zoom_level = 1", .zooms, "between zoom 0 and zoom 2"),
    Mutation(
      "INSERT INTO map SELECT 2, 0, 3, tile_id, NULL FROM images LIMIT 1", .tiles, "not stored in",
      .warning),
    Mutation(
      "UPDATE map SET tile_id = NULL WHERE zoom_level = 0", .images,
      "tile 0/0/0 shows image null, which is missing"),
    Mutation(
      "DELETE FROM images WHERE rowid = 2", .images, "tile 1/0/0 shows image"),
    Mutation(
      "DELETE FROM map WHERE tile_id = (SELECT tile_id FROM images WHERE rowid = 5)", .images,
      "is shown by no tile"),
    Mutation(
      "UPDATE images SET tile_id = lower(tile_id); UPDATE map SET tile_id = lower(tile_id)",
      .images, "of tile 0/0/0 is not named by the upper-case MD5"),
    Mutation(
      "UPDATE images SET tile_data = zeroblob(99) WHERE rowid = 1", .images,
      "of tile 0/0/0 is not named by the upper-case MD5"),
    Mutation("UPDATE images SET tile_data = NULL WHERE rowid = 5", .tiles, "of tile 1/1/1 has no"),
    Mutation(
      "DROP INDEX images_index; INSERT INTO images SELECT * FROM images WHERE rowid = 1", .images,
      "is stored twice"),
  ]

  /// What only the fingerprints over all tiles show.
  static let inOrder: [Mutation] = [
    Mutation(metadata("agg_tiles_hash", "0"), .hashes, "'agg_tiles_hash' is 0, but"),
    Mutation(metadata("quadrille:digest", "0"), .hashes, "'quadrille:digest' is 0, but"),
    Mutation(
      "UPDATE map SET tile_id = (SELECT tile_id FROM images WHERE rowid = 2) WHERE zoom_level = 0",
      .hashes, "'agg_tiles_hash'"),
    Mutation(
      "DELETE FROM map WHERE zoom_level = 2 AND tile_column = 3", .hashes, "'agg_tiles_hash'"),
  ]
}
