package import Features
import Files
import Ingest
import SQLite

/// A table of tiles of a GeoPackage: pictures in Web Mercator on grids of several zooms.
///
/// Only what is requested is read: the list of the tiles of a block, then picture by picture.
package final class GeoPackageTiles {
  /// Maximum number of tiles of one zoom in a block.
  private static let tileLimit = 1 << 20

  /// The table's name.
  package let table: String

  /// The zooms, ascending.
  package let matrices: [GeoPackageTileMatrix]

  private let file: GeoPackageFile
  private let quoted: String

  /// Opens a table of tiles, or the only one there is.
  ///
  /// - Throws: ``SourceError`` where there is none, it is not a plain table, its system is not
  ///   EPSG:3857, or its grids are invalid.
  package init(_ file: GeoPackageFile, table name: String? = nil) throws(SourceError) {
    let contents = try file.pick(name, of: [.tiles])
    let spelled = GeoPackageFile.singleLine(contents.table)
    guard let entry = try file.entry(contents.table), entry.isTable,
      let quoted = SQLName.quoted(entry.name)
    else { throw file.bad("'gpkg_contents' lists '\(spelled)', but there is no such table") }
    self.file = file
    self.quoted = quoted
    table = entry.name
    matrices = try Self.matrices(of: entry.name, in: file)
  }

  /// Returns the grid of a zoom.
  ///
  /// - Throws: ``SourceError`` `configuration` with the existing zooms.
  package func matrix(zoom: Int) throws(SourceError) -> GeoPackageTileMatrix {
    if let matrix = matrices.first(where: { $0.zoom == zoom }) { return matrix }
    let zooms = matrices.map { "\($0.zoom)" }.joined(separator: ", ")
    throw SourceError(
      code: .configuration, file: file.name,
      message:
        "'\(GeoPackageFile.singleLine(table))' has no tiles of zoom \(zoom); zooms are \(zooms)")
  }

  /// Returns the existing tiles of a block, row by row from the north, each from west to east.
  ///
  /// - Complexity: O(tiles of the block · log), and one search of the table's index; a table
  ///   without an index is read from end to end.
  package func tiles(
    zoom: Int, in block: GeoPackageTileBlock? = nil
  ) throws(SourceError) -> [GeoPackageTile] {
    let matrix = try matrix(zoom: zoom)
    let columns = (block?.columns ?? 0...(matrix.columns - 1)).clamped(to: 0...(matrix.columns - 1))
    let rows = (block?.rows ?? 0...(matrix.rows - 1)).clamped(to: 0...(matrix.rows - 1))
    file.permit(tables: [table])
    let sql =
      "SELECT rowid, tile_column, tile_row FROM \(quoted) WHERE zoom_level = ?1 AND tile_column "
      + "BETWEEN ?2 AND ?3 AND tile_row BETWEEN ?4 AND ?5 AND typeof(tile_column) = 'integer' "
      + "AND typeof(tile_row) = 'integer' LIMIT \(Self.tileLimit + 1)"
    var tiles = try file.run("list the tiles of '\(GeoPackageFile.singleLine(table))'") {
      database throws(SQLiteError) in
      let statement = try database.prepare(sql)
      let values = [zoom, columns.lowerBound, columns.upperBound, rows.lowerBound, rows.upperBound]
      for (place, value) in values.enumerated() {
        try statement.bind(Int64(value), at: Int32(place) + 1)
      }
      var tiles: [GeoPackageTile] = []
      while try statement.step() {
        tiles.append(
          GeoPackageTile(
            zoom: zoom, column: Int(statement.integer(1)), row: Int(statement.integer(2)),
            key: statement.integer(0)))
      }
      return tiles
    }
    guard tiles.count <= Self.tileLimit else {
      throw SourceError(
        code: .configuration, file: file.name,
        message: "zoom \(zoom) of '\(GeoPackageFile.singleLine(table))' has more than "
          + "\(Self.tileLimit) tiles there. Set 'bounds:' or a smaller zoom")
    }
    tiles.sort { ($0.row, $0.column, $0.key) < ($1.row, $1.column, $1.key) }
    return tiles
  }

  /// Returns the bytes of a tile's picture, a PNG or JPEG.
  ///
  /// - Throws: ``SourceError`` `badData` where it is not a picture, or of an unsupported format.
  package func picture(of tile: GeoPackageTile) throws(SourceError) -> [UInt8] {
    file.permit(tables: [table])
    let sql = "SELECT tile_data FROM \(quoted) WHERE rowid = ?1"
    let bytes = try file.run("read a tile of '\(GeoPackageFile.singleLine(table))'") {
      database throws(SQLiteError) -> [UInt8] in
      let statement = try database.prepare(sql)
      try statement.bind(tile.key, at: 1)
      guard try statement.step() else { return [] }
      return statement.withBytes(0) { Array($0) }
    }
    let format = FileSignature(bytes)
    guard format == .png || format == .jpeg else {
      // The tiles that are not pictures are vector tiles, gzipped or not.
      let isVector = format == .gzip || bytes.first == 0x1A
      throw file.bad(
        "tile \(tile.zoom)/\(tile.column)/\(tile.row) of '\(GeoPackageFile.singleLine(table))' is "
          + (isVector ? "a vector tile" : format?.words ?? "of an unknown format")
          + ", and only PNG and JPEG can be read")
    }
    return bytes
  }

  /// Maximum total bytes of the pictures of a mosaic.
  var payloadLimit: Int { file.limits.inflation * file.byteCount + 1 << 20 }

  /// Returns an error about this table.
  func refusal(_ message: String, _ code: SourceError.Code = .badData) -> SourceError {
    SourceError(code: code, file: file.name, message: message)
  }
}

extension GeoPackageTiles {
  /// Reads and checks the grids.
  private static func matrices(
    of table: String, in file: GeoPackageFile
  ) throws(SourceError) -> [GeoPackageTileMatrix] {
    let spelled = GeoPackageFile.singleLine(table)
    for name in ["gpkg_tile_matrix_set", "gpkg_tile_matrix"] {
      guard try file.entry(name)?.isTable == true else {
        throw file.bad("has no table '\(name)', which says where tiles lie")
      }
    }
    let set = try file.run("read 'gpkg_tile_matrix_set'") {
      database throws(SQLiteError) -> (system: Int64?, west: Double, north: Double)? in
      let statement = try database.prepare(
        "SELECT srs_id, min_x, max_y FROM gpkg_tile_matrix_set "
          + "WHERE table_name = ?1 COLLATE NOCASE LIMIT 1")
      try statement.bind(table, at: 1)
      guard try statement.step() else { return nil }
      let system = statement.kind(0) == .integer ? statement.integer(0) : nil
      return (system, statement.double(1), statement.double(2))
    }
    guard let set else { throw file.bad("'gpkg_tile_matrix_set' has no row for '\(spelled)'") }
    guard
      try GeometrySystem.find(set.system, table: table, in: file) == .mercator
    else {
      throw file.bad(
        "the tiles of '\(spelled)' are in EPSG:4326, and only EPSG:3857 can be read. Convert them: "
          + "gdalwarp -t_srs EPSG:3857 '\(file.name)' out.gpkg")
    }
    let matrices = try file.run("read 'gpkg_tile_matrix'") { database throws(SQLiteError) in
      let statement = try database.prepare(
        "SELECT zoom_level, matrix_width, matrix_height, tile_width, tile_height, pixel_x_size, "
          + "pixel_y_size FROM gpkg_tile_matrix WHERE table_name = ?1 COLLATE NOCASE "
          + "ORDER BY zoom_level LIMIT 100")
      try statement.bind(table, at: 1)
      var matrices: [GeoPackageTileMatrix] = []
      while try statement.step() {
        let whole = (0..<5).map { Int(statement.integer(Int32($0))) }
        matrices.append(
          GeoPackageTileMatrix(
            zoom: whole[0], columns: whole[1], rows: whole[2], tileWidth: whole[3],
            tileHeight: whole[4], pixelWidth: statement.double(5), pixelHeight: statement.double(6),
            west: set.west, north: set.north))
      }
      return matrices
    }
    guard !matrices.isEmpty else {
      throw file.bad("'gpkg_tile_matrix' has no zoom for '\(spelled)'")
    }
    if let broken = matrices.first(where: { !$0.isSound }) {
      throw file.bad("the grid of zoom \(broken.zoom) of '\(spelled)' makes no sense")
    }
    return matrices
  }
}

extension GeoPackageTileMatrix {
  /// Whether the grid has a finite size and lies roughly within the world.
  fileprivate var isSound: Bool {
    let world = 2.1 * MercatorMetres.halfWorld
    let width = pixelWidth * Double(tileWidth) * Double(columns)
    let height = pixelHeight * Double(tileHeight) * Double(rows)
    return zoom >= 0 && zoom <= 40 && (1...(1 << 31)).contains(columns)
      && (1...(1 << 31)).contains(rows) && (1...8192).contains(tileWidth)
      && (1...8192).contains(tileHeight) && pixelWidth > 0 && pixelHeight > 0 && width <= world
      && height <= world && abs(west) <= world && abs(north) <= world
  }
}
