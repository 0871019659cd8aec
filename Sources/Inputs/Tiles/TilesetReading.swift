import Definition
import Failures
import Fetching
import MBTiles
import Runs
import SystemPackage
import Tilesets
import Tiling

// The steps that sources of vector tiles and of raster tiles share.
extension ResolvedSource {
  /// Returns the container of a source's tiles; `nil` where templates name them.
  func container<Tiles: TiledSource>(of tiles: Tiles) throws(PipelineError) -> FilePath? {
    guard tiles.templates.isEmpty else { return nil }
    guard let path = try PipelineError.wrapping({ try origin.path() }) else {
      throw definition.dataPlace.fault(
        "source '\(name)' has its tiles in \(dataName), which is not one file. Name "
          + "\(Tiles.containers).")
    }
    return path
  }
}

extension SourceDefinition {
  /// Returns the result of reading the source's tileset, whose errors name the source.
  func reading<Result>(
    _ read: () throws(ArchiveError) -> Result
  ) throws(PipelineError) -> Result {
    do throws(ArchiveError) {
      return try read()
    } catch {
      throw PipelineError(error.failureCode, "source '\(name)': \(error.message)", at: dataPlace)
    }
  }

  /// Fetches the tiles of a template one by one.
  ///
  /// - Parameters:
  ///   - wanted: tiles of one zoom.
  ///   - fetch: the function that fetches them; `nil` where the run has none.
  ///   - maxErrors: the number of tiles that may fail.
  /// - Throws: ``PipelineError``, also for more tiles than a run may ask for.
  func fetch(
    _ wanted: [TileCoord], of template: TemplateTileset, by fetch: TileFetch?, maxErrors: Int
  ) throws(PipelineError) -> TileFetch.Answer {
    guard let fetch else {
      throw PipelineError(.bug, "nothing fetches the tiles of source '\(name)'.", at: dataPlace)
    }
    guard wanted.count <= fetch.limit else {
      throw dataPlace.fault(
        "source '\(name)' would need \(wanted.count) tiles of zoom \(wanted[0].z), more than "
          + "\(fetch.limit) requests. Set 'bounds' under tiles or of the source, set the source's "
          + "'maxzoom', or raise 'requests: {max: …}' where the server allows it.")
    }
    let requests = wanted.compactMap { tile in
      template.address(of: tile).map { (tile: tile, address: $0) }
    }
    return try PipelineError.wrapping { try fetch.answer(to: requests, maxErrors: maxErrors) }
  }
}
