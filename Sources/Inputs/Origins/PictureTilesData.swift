import Definition
import Failures
import Features
import Fetching
import Files
import Hashing
import MBTiles
import Runs
import SystemPackage
import Tilesets
import Tiling

/// The pictures of a folder of tiles: a file each, with one digest for all that a map may show.
struct PictureTilesData: DataOrigin {
  /// The folder or the TileJSON.
  private let base: any DataOrigin

  /// The entry of the tiles, made when it is first asked for: each file is read for it.
  private let entry = Once<InputFile>()
  private let digest: @Sendable () throws -> String

  /// - Parameters:
  ///   - area: the box of the map; `nil` for the world.
  ///   - open: opens the tileset.
  init(
    _ base: any DataOrigin, area: GeoBounds?, zooms: ClosedRange<Int>,
    open: @escaping @Sendable () throws(ArchiveError) -> any Tileset
  ) {
    self.base = base
    digest = { try Self.digest(of: try open(), area: area, zooms: zooms) }
  }

  /// Returns the digest of the tiles in a box, by zoom in the order of their keys.
  private static func digest(
    of tileset: any Tileset, area: GeoBounds?, zooms: ClosedRange<Int>
  ) throws(ArchiveError) -> String {
    var hasher = SHA256()
    for zoom in zooms {
      // Tiles at the rim of the map reach into it by their pixels.
      let range = area.map {
        TileRange(WorldBox($0), zoom: zoom).sourceTiles(zoom: zoom, margin: 1)
      }
      for key in try tileset.presence(zoom: zoom, in: range).keys {
        let tile = TileCoord(key, z: zoom)
        let bytes = try tileset.storedTile(tile) ?? []
        hasher.update(data: Array("\(tile) \(bytes.count)\n".utf8))
        hasher.update(data: bytes)
      }
    }
    return Hexadecimal.text(hasher.finalize())
  }

  var name: String { base.name }

  var files: [InputFile] {
    // A tile that cannot be read is told by the stage that draws it.
    let made = try? entry.value {
      InputFile(
        .data, name: FilePath(base.name).lastComponent?.string ?? base.name, sha256: try digest())
    }
    return made.map { [$0] } ?? base.files
  }

  var digestParts: [DigestPart]? { files.compactMap(\.sha256).map { .text($0) } }

  /// Nothing tells the size of all tiles together.
  var storedBytes: Int? { nil }
  var storedFile: FilePath? { base.storedFile }

  func path() throws -> FilePath? { try base.path() }

  func content() throws -> DataContent { try base.content() }
}

extension ResolvedSource {
  /// Replaces the data of a raster source whose tiles are files by their digest.
  ///
  /// - Parameter area: the box of the map; `nil` for the world.
  mutating func resolveRasterTiles(in area: GeoBounds?) throws(PipelineError) {
    guard let definition = image?.tileset, absence == nil, origin.fetched.isEmpty,
      !(origin is PictureTilesData), let path = origin.storedFile
    else { return }
    do throws(ArchiveError) {
      guard let tileset = try tileset(of: definition, in: path) as? FolderTileset else { return }
      let zooms = try tileset.zooms(from: definition.minZoom, to: definition.maxZoom)
      origin = PictureTilesData(origin, area: area, zooms: zooms) { () throws(ArchiveError) in
        try definition.tileset(path)
      }
    } catch {
      throw PipelineError(
        error.failureCode, "source '\(name)': \(error.message)", at: self.definition.dataPlace)
    }
  }
}
