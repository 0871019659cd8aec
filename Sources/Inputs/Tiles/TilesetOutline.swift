package import Fetching
import Tiling

/// The facts by which a source of vector tiles is divided into its parts: a run whose parts have been
/// read already needs no more of the tileset.
package struct TilesetOutline: Codable, Hashable, Sendable {
  /// The zooms that tiles are read from.
  let zooms: ClosedRange<Int>

  /// The layers that the metadata list, in their order.
  let layers: [String]

  /// The box that the metadata name; `nil` without one.
  let bounds: GeoBounds?

  /// The attribution that the metadata demand; `nil` without one.
  let attribution: String?

  /// The box of the tiles of the closest zoom that is drawn; `nil` where there are none.
  var box: GeoBounds?

  /// Whether the zooms are those of tiles.
  package var isSound: Bool { zooms.lowerBound >= 0 && zooms.upperBound <= TileCoord.maxZoom }
}

extension ResolvedSource {
  /// Takes the files that an earlier run fetched for a part of a tileset.
  package mutating func take(fetched files: [FetchedFile]) {
    if let data = origin as? TilesetData { origin = data.read(fetching: files) }
  }
}
