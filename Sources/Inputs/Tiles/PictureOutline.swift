import Definition
package import Fetching
import SystemPackage
import Tilesets
import Tiling

/// The tiles that a run fetched for a raster source, one by one: another run draws the same of copies
/// of their files.
package struct PictureOutline: Codable, Hashable, Sendable {
  /// A tile that was fetched, or could not be.
  struct Tile: Codable, Hashable, Sendable {
    let zoom: Int
    let column: Int
    let row: Int

    /// The path of the file; `nil` after a failure.
    let path: String?

    /// The reason why the tile cannot be fetched; `nil` for one that is there.
    let failure: String?
  }

  /// The first and the last zoom that the source has.
  private let minZoom: Int
  private let maxZoom: Int

  private let bounds: GeoBounds?
  private let attribution: String?

  /// The tiles in the order of their zooms and keys.
  private let tiles: [Tile]

  /// - Returns: `nil` for tiles that were not fetched one by one.
  fileprivate init?(_ raster: RasterTileset) {
    guard let found = raster.found, let minZoom = raster.minZoom, let maxZoom = raster.maxZoom
    else { return nil }
    (self.minZoom, self.maxZoom) = (minZoom, maxZoom)
    bounds = raster.bounds
    attribution = raster.attribution
    let all = Set(found.files.keys).union(found.failures.keys)
    tiles = all.sorted { $0.archiveKey < $1.archiveKey }.map { tile in
      Tile(
        zoom: tile.z, column: tile.x, row: tile.y, path: found.files[tile]?.string,
        failure: found.failures[tile])
    }
  }

  /// Sets what the run that fetched the tiles found.
  ///
  /// - Parameter copies: the copies of files, by their paths.
  fileprivate func apply(to raster: inout RasterTileset, _ copies: [String: String]) {
    (raster.minZoom, raster.maxZoom) = (minZoom, maxZoom)
    raster.bounds = bounds
    raster.attribution = attribution
    var found = FoundTiles()
    for tile in tiles {
      let coord = TileCoord(z: tile.zoom, x: tile.column, y: tile.row)
      found.files[coord] = tile.path.map { FilePath(copies[$0] ?? $0) }
      found.failures[coord] = tile.failure
    }
    raster.found = found
  }

  /// Whether the zooms and tiles are those of a map.
  package var isSound: Bool {
    (0...TileCoord.maxZoom).contains(minZoom) && (minZoom...TileCoord.maxZoom).contains(maxZoom)
      && tiles.allSatisfy { TileCoord(z: $0.zoom, x: $0.column, y: $0.row).isValid }
  }
}

extension ResolvedSource {
  /// The tiles that were fetched for it one by one; `nil` for other data.
  package var pictures: PictureOutline? { image?.tileset.flatMap { PictureOutline($0) } }

  /// Takes the tiles that an earlier run fetched one by one.
  ///
  /// - Parameters:
  ///   - files: all files that it fetched for the source.
  ///   - copies: the copies of files, by their paths.
  package mutating func take(
    _ pictures: PictureOutline, fetched files: [FetchedFile], _ copies: [String: String]
  ) {
    guard case .image(var image) = definition.kind, var raster = image.tileset else { return }
    pictures.apply(to: &raster, copies)
    image.tileset = raster
    definition.kind = .image(image)
    let own = Set(origin.fetched.map(\.path))
    origin = PictureTilesData(origin, fetched: files.filter { !own.contains($0.path) })
  }
}
