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

/// The pictures of a folder of tiles or of templates, one file per tile.
struct PictureTilesData: DataOrigin {
  /// The folder or the TileJSON, or nothing.
  private let base: any DataOrigin

  /// The tiles that were fetched one by one; `nil` for tiles on this machine, which share one
  /// digest over all that a map may show.
  private let fetchedTiles: [FetchedFile]?

  /// The entry of the tiles, computed on first use, since it reads every file.
  private let entry = Once<InputFile>()
  private let digest: @Sendable () throws -> String

  /// Creates the data of tiles on this machine.
  ///
  /// - Parameters:
  ///   - area: the box of the map; `nil` for the world.
  ///   - open: opens the tileset.
  init(
    _ base: any DataOrigin, area: GeoBounds?, zooms: ClosedRange<Int>,
    open: @escaping @Sendable () throws(ArchiveError) -> any Tileset
  ) {
    self.base = base
    fetchedTiles = nil
    digest = { try Self.digest(of: try open(), area: area, zooms: zooms) }
  }

  /// Creates the data of tiles that were fetched.
  init(_ base: any DataOrigin, fetched: [FetchedFile]) {
    self.base = base
    fetchedTiles = fetched
    digest = { "" }
  }

  /// Returns the digest of the tiles in a box, by zoom in the order of their keys.
  private static func digest(
    of tileset: any Tileset, area: GeoBounds?, zooms: ClosedRange<Int>
  ) throws(ArchiveError) -> String {
    var hasher = SHA256()
    for zoom in zooms {
      for tile in try tileset.tiles(zoom: zoom, around: area) {
        let bytes = try tileset.storedTile(tile) ?? []
        hasher.update(data: Array("\(tile) \(bytes.count)\n".utf8))
        hasher.update(data: bytes)
      }
    }
    return Hexadecimal.text(hasher.finalize())
  }

  var name: String { base.name }

  var files: [InputFile] {
    if let fetchedTiles { return base.files + fetchedTiles.map { InputFile($0) } }
    // The stage that draws the tiles reports one that cannot be read.
    let made = try? entry.value {
      InputFile(
        .data, name: FilePath(base.name).lastComponent?.string ?? base.name, sha256: try digest())
    }
    return made.map { [$0] } ?? base.files
  }

  var digestParts: [DigestPart]? { files.compactMap(\.sha256).map { .text($0) } }

  /// The size of all tiles together is unknown.
  var storedBytes: Int? { nil }
  var storedFile: FilePath? { base.storedFile }
  var fetched: [FetchedFile] { base.fetched + (fetchedTiles ?? []) }

  func path() throws -> FilePath? { try base.path() }

  func content() throws -> DataContent { try base.content() }
}
