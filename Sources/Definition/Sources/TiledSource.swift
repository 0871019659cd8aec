package import MBTiles
import Runs
package import SystemPackage
package import Tilesets
package import Tiling

/// The definition of a source whose data is a tileset.
package protocol TiledSource: Sendable {
  /// The containers that a source may name, in a sentence.
  static var containers: String { get }

  /// The order of rows of a folder or TileJSON; `nil` to take it from the metadata.
  var rows: TileScheme? { get set }

  /// The first and the last zoom with tiles; `nil` to take them from the metadata.
  var minZoom: Int? { get set }
  var maxZoom: Int? { get set }

  /// The box outside of which tiles are not read; `nil` for none.
  var bounds: GeoBounds? { get set }

  /// The names of the tiles, paths or addresses; empty where a container has them.
  var templates: [TileTemplate] { get }

  /// The folder to which `local://` in a TileJSON leads; `nil` without one.
  var localFolder: FilePath? { get }

  /// The tiles of templates, once they have been looked for or fetched.
  var found: FoundTiles? { get }
}

extension TiledSource {
  /// Decodes the order of rows, the zooms and the box.
  mutating func decodeExtent(_ keyed: KeyedNode) throws(PipelineError) {
    rows = keyed.choice("scheme", as: TileScheme.self)
    minZoom = keyed.integer("minzoom")
    maxZoom = keyed.integer("maxzoom")
    if let minZoom, let maxZoom, minZoom > maxZoom {
      throw keyed.fault("maxzoom", "the source has a maxzoom below its minzoom.")
    }
    bounds = keyed.bounds("bounds")
  }

  /// Opens the tiles.
  ///
  /// - Parameters:
  ///   - path: the container; `nil` where templates name the tiles.
  ///   - address: the address that it was fetched from.
  package func tileset(
    _ path: FilePath?, address: String? = nil
  ) throws(ArchiveError) -> any Tileset {
    if let path, templates.isEmpty, found == nil {
      return try TilesetOpening.open(path, rows: rows, local: localFolder, address: address)
    }
    return TemplateTileset(
      templates, head: TilesetHead(rows: rows ?? .xyz), found: found?.listed)
  }
}
