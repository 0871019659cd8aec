import Definition
import Fetching
import MBTiles
import Runs
import SystemPackage
import Tilesets
import Tiling

/// The search for tiles that templates name, on this machine or on a server.
struct TileListing: Sendable {
  /// The tiles of a part.
  struct Found: Sendable {
    var tiles = FoundTiles()

    /// The files on this machine, or their fetched copies, and the metadata.
    var files: [InputFile] = []

    var fetched: [FetchedFile] = []
  }

  private let source: SourceDefinition
  private var tiles: VectorTileSource
  private let templates: [TileTemplate]
  private let head: TilesetHead
  private let headFile: FilePath?
  private let tileFetch: TileFetch?

  /// The box that the metadata name; `nil` without one.
  var bounds: GeoBounds? { head.bounds }

  /// - Parameter fetch: the function that fetches tiles; `nil` where the run has none.
  init(
    of source: SourceDefinition, _ tiles: VectorTileSource, _ tileset: TemplateTileset,
    fetch: TileFetch?
  ) {
    self.source = source
    self.tiles = tiles
    self.tiles.bounds = tiles.bounds ?? tileset.head.bounds
    templates = tileset.templates
    head = tileset.head
    headFile = tileset.headFile
    tileFetch = fetch
  }

  /// Finds the tiles of a part.
  ///
  /// - Throws: ``PipelineError``, also for more tiles than a run looks for, or where more cannot be
  ///   fetched than the source's `onError` allows.
  func tiles(of part: VectorTileSource.Part) throws(PipelineError) -> Found {
    let tileset = TemplateTileset(templates, head: head, headFile: headFile)
    let wanted = try source.reading { () throws(ArchiveError) in
      try tiles.tiles(of: part, in: tileset)
    }
    var found = Found()
    if let headFile { found.files.append(InputFile(.data, path: headFile.string)) }
    guard !tileset.needsFetching else {
      try fetch(wanted, of: tileset, into: &found)
      return found
    }
    for tile in wanted {
      guard let file = tileset.file(of: tile) else { continue }
      found.tiles.files[tile] = file
      found.files.append(InputFile(.data, path: file.string, name: "\(tile)"))
    }
    return found
  }

  private func fetch(
    _ wanted: [TileCoord], of tileset: TemplateTileset, into found: inout Found
  ) throws(PipelineError) {
    let answer = try source.fetch(
      wanted, of: tileset, by: tileFetch, maxErrors: source.records?.maxErrors ?? 0)
    found.tiles.failures = answer.failures
    for (tile, file) in answer.files {
      found.tiles.files[tile] = FilePath(file.path)
      found.files.append(InputFile(file))
      found.fetched.append(file)
    }
  }
}
