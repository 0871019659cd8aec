import Features
import GeoPackages
import Ingest
import Platform
import MBTiles
import OrderedCollections
import SystemPackage
import Tilesets
import Tiling

/// The tiles of a GeoPackage's table whose tile matrices match the map's tile grid.
final class GeoPackageTileset: Tileset {
  let path: FilePath
  let head: TilesetHead

  private let tiles: GeoPackageTiles

  /// The matching tile matrices by the map's zoom.
  private let grids: [Int: Grid]

  /// A tile matrix, and the map tile at its north-west corner.
  private struct Grid {
    let zoom: Int
    let column: Int
    let row: Int
    let columns: Int
    let rows: Int
  }

  /// - Parameter table: the table of tiles; `nil` for the only one.
  /// - Throws: ``ArchiveError``, also if a tile matrix does not match the map's tile grid.
  init(_ path: FilePath, table: String?) throws(ArchiveError) {
    self.path = path
    do throws(SourceError) {
      tiles = try GeoPackageTiles(
        try GeoPackageFile(path: path, name: path.string), table: table)
    } catch {
      throw ArchiveError(damagedFolder: path, error.message)
    }
    var grids: [Int: Grid] = [:]
    for matrix in tiles.matrices {
      guard let (zoom, grid) = Self.grid(matrix) else {
        throw ArchiveError(
          damagedFolder: path,
          "has tiles on a grid of its own at zoom \(matrix.zoom), not that of web maps. A source of "
            + "'type: image' with 'table:' draws one zoom of them")
      }
      grids[zoom] = grids[zoom] ?? grid
    }
    self.grids = grids
    var head = TilesetHead([:])
    (head.minZoom, head.maxZoom) = (grids.keys.min(), grids.keys.max())
    self.head = head
  }

  /// Returns the zoom and the place on the map's tile grid that a tile matrix matches; `nil` if it
  /// matches none.
  private static func grid(_ matrix: GeoPackageTileMatrix) -> (zoom: Int, grid: Grid)? {
    let world = matrix.box(columns: 0...0, rows: 0...0)
    let side = world.east - world.west
    let half = MercatorMetres.halfWorld
    let count = 2 * half / side
    let zoom = Int(log2(count).rounded())
    // Files round their numbers, so a hundredth of a tile is tolerated.
    func whole(_ value: Double) -> Int? {
      let number = value.rounded()
      return abs(value - number) < 0.01 ? Int(number) : nil
    }
    guard (0...TileCoord.maxZoom).contains(zoom), abs(count / Double(1 << zoom) - 1) < 1e-6,
      abs((world.north - world.south) / side - 1) < 1e-6,
      let column = whole((world.west + half) / side), let row = whole((half - world.north) / side)
    else { return nil }
    return (
      zoom,
      Grid(
        zoom: matrix.zoom, column: column, row: row, columns: matrix.columns, rows: matrix.rows)
    )
  }

  func storedTile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    guard let grid = grids[tile.z] else { return nil }
    let (column, row) = (tile.x - grid.column, tile.y - grid.row)
    guard (0..<grid.columns).contains(column), (0..<grid.rows).contains(row) else { return nil }
    do throws(SourceError) {
      let found = try tiles.tiles(
        zoom: grid.zoom, in: GeoPackageTileBlock(columns: column...column, rows: row...row))
      return try found.first.map { tile throws(SourceError) in try tiles.picture(of: tile) }
    } catch {
      throw ArchiveError(damagedFolder: path, error.message)
    }
  }

  func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard let grid = grids[zoom] else { return }
    do throws(SourceError) {
      for tile in try tiles.tiles(zoom: grid.zoom) {
        guard body(TileCoord(z: zoom, x: tile.column + grid.column, y: tile.row + grid.row)) else {
          return
        }
      }
    } catch {
      throw ArchiveError(damagedFolder: path, error.message)
    }
  }
}
