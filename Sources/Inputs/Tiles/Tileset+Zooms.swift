import MBTiles
import Tilesets
import Tiling

extension Tileset {
  /// Returns the zooms with tiles: those of a source, otherwise those of the metadata, otherwise those
  /// that have any.
  func zooms(from first: Int?, to last: Int?) throws(ArchiveError) -> ClosedRange<Int> {
    let first = first ?? head.minZoom ?? 0
    if let last = last ?? head.maxZoom { return first...max(first, last) }
    // Templates do not give their zooms; viewers request all.
    if self is TemplateTileset { return first...max(first, TileCoord.maxZoom) }
    for zoom in stride(from: TileCoord.maxZoom, to: first, by: -1) {
      var hasTiles = false
      try forEachAddress(zoom: zoom, in: nil) { _ in
        hasTiles = true
        return false
      }
      if hasTiles { return first...zoom }
    }
    return first...first
  }
}
