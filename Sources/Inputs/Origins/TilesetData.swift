import Definition
import Fetching
import Ingest
import SystemPackage
import Tiling

/// A part of a tileset: the tileset's file, or the files of the part's tiles.
struct TilesetData: DataOrigin {
  /// The data of the whole tileset.
  private let base: any DataOrigin

  private let part: VectorTileSource.Part

  /// The files of the part's tiles and of the metadata; `nil` for a tileset that is one file.
  private let tileFiles: [InputFile]?

  /// The search for tiles that templates name; `nil` for a container.
  let listing: TileListing?

  /// The tiles that were fetched one by one.
  private var fetchedTiles: [FetchedFile]

  /// The box of the tiles of the closest zoom that is drawn; `nil` where there are none.
  var box: GeoBounds?

  /// Whether this is the first part of its tileset: the fetched container counts for this part
  /// alone.
  private var isFirst: Bool

  /// Whether the part reads more tiles than its files list, so that its records are not cached.
  private var isUnbounded = false

  /// - Parameter files: the files of a folder's tiles; `nil` for a tileset that is one file.
  init(
    _ base: any DataOrigin, _ part: VectorTileSource.Part, files: [InputFile]?, box: GeoBounds?,
    isFirst: Bool
  ) {
    self.base = base
    self.box = box
    self.part = part
    tileFiles = files
    listing = nil
    fetchedTiles = []
    self.isFirst = isFirst
  }

  /// Creates the data of tiles that templates name.
  ///
  /// - Parameter found: the tiles; `nil` until it is known which are drawn.
  init(
    _ base: any DataOrigin, _ part: VectorTileSource.Part, _ listing: TileListing,
    found: TileListing.Found?, isFirst: Bool
  ) {
    self.base = base
    self.part = part
    self.listing = listing
    box = nil
    tileFiles = found?.files ?? []
    fetchedTiles = found?.fetched ?? []
    isUnbounded = found == nil
    self.isFirst = isFirst
  }

  /// Returns the data with the tiles of the part that were found.
  func listed(_ part: VectorTileSource.Part, _ found: TileListing.Found) -> TilesetData {
    guard let listing else { return self }
    return TilesetData(base, part, listing, found: found, isFirst: isFirst)
  }

  /// Returns the data of a part that an earlier run has read.
  ///
  /// - Parameter files: the files that it fetched for the part.
  func read(fetching files: [FetchedFile]) -> TilesetData {
    var data = self
    (data.fetchedTiles, data.isFirst) = (files, false)
    return data
  }

  /// Returns the data without the part's box.
  func unbounded() -> TilesetData {
    var data = self
    data.isUnbounded = true
    return data
  }

  var name: String { base.name }
  var files: [InputFile] { tileFiles ?? base.files }

  var digestParts: [DigestPart]? {
    if isUnbounded { return nil }
    let own = [
      DigestPart.text(
        "tiles \(part.zoom) \(part.use) \(part.area.map { "\($0)" } ?? "")\(part.countsTiles ? " counted" : "") \(part.layer)"
      )
    ]
    guard let tileFiles else { return base.digestParts.map { own + $0 } }
    return own
      + tileFiles.flatMap { file -> [DigestPart] in
        [.text(file.name)]
          + (file.path.map { [.file($0)] } ?? file.sha256.map { [.text($0)] } ?? [])
      }
  }

  /// The size of a part is unknown until its files are hashed.
  var storedBytes: Int? { tileFiles == nil ? base.storedBytes : nil }
  var readBytes: Int? { nil }
  var fetched: [FetchedFile] { (isFirst ? base.fetched : []) + fetchedTiles }
  var storedFile: FilePath? { base.storedFile }

  // A folder is not a regular file, but can be read again.
  var canBeReadAgain: Bool { tileFiles != nil || base.canBeReadAgain }

  func path() throws -> FilePath? { try base.path() }

  func content() throws -> DataContent {
    // The part itself names the files of its tiles.
    listing == nil ? try base.content() : .whole(.file(FilePath(name), name: name))
  }
}
