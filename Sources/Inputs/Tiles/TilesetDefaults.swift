import Definition
import Tilesets
import Tiling

extension ResolvedPipeline {
  /// Takes the area and the zooms of the tiles from tilesets of vector tiles, since a MapLibre
  /// style has no keys for them.
  ///
  /// - Parameter tilesets: the opened tilesets of the sources; one gets a note.
  mutating func takeDefaults(of tilesets: inout [TilesetOfSource]) {
    guard definition.isStyle, !tilesets.isEmpty else { return }
    takeBounds(of: tilesets)
    takeLastZoom(of: &tilesets)
  }

  /// Limits the tiles to the boxes of the tilesets: at their first zooms, tiles hold features far
  /// beyond, around which a background would fill all zooms.
  ///
  /// Data of other files, whose extent is not known yet, is not cut off.
  private mutating func takeBounds(of tilesets: [TilesetOfSource]) {
    let names = Set(tilesets.map(\.source.name))
    let areKnown = sources.allSatisfy { source in
      if case .inline = source.definition.data { return true }
      return names.contains(source.name) || source.records == nil
    }
    let boxes = tilesets.compactMap(\.outline.bounds)
    guard definition.tiles.bounds == nil, areKnown, boxes.count == tilesets.count,
      let first = boxes.first
    else { return }
    let box = boxes.dropFirst().reduce(first) { all, box in
      GeoBounds(
        west: min(all.west, box.west), south: min(all.south, box.south),
        east: max(all.east, box.east), north: max(all.north, box.north))
    }
    guard box.west < box.east, box.south < box.north else { return }
    definition.tiles.bounds = box
  }

  /// Ends the tiles at the last zoom of the tilesets, unless a zoom is asked for.
  private mutating func takeLastZoom(of tilesets: inout [TilesetOfSource]) {
    guard definition.endsAtTilesets,
      let deepest = tilesets.indices.max(by: { left, right in
        tilesets[left].zooms.upperBound < tilesets[right].zooms.upperBound
      })
    else { return }
    // Source zooms are zooms of 512-px tiles; 256-px tiles have one more.
    let last = tilesets[deepest].zooms.upperBound + (definition.tiles.tileSize == 512 ? 0 : 1)
    guard last < definition.tiles.maxZoom, last >= definition.tiles.minZoom else { return }
    definition.tiles.maxZoom = last
    definition.view.zoom = definition.view.zoom.map { min($0, last) }
    tilesets[deepest].source.notes.append(
      "the tiles end at zoom \(last), the last of source '\(tilesets[deepest].source.name)'. -z sets a "
        + "deeper one.")
  }
}
