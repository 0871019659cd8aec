import Raster
import Rendering
import Tiling

/// The scenes of all zooms at one pixel density: what a build will draw, exactly counted.
struct PlannedTiles {
  let builder: SceneBuilder
  let zooms: [ZoomScenes]
  let fill: TileFill

  /// Tiles of the first zoom that are transparent though nothing else is drawn, in archive order.
  var blankTiles: ContiguousArray<UInt64> = []

  /// The tiles of a zoom that the pipeline's bounds let through.
  func range(_ zoom: Int) -> TileRange { TileRange(builder.bounds, zoom: zoom) }

  /// The rows of the archive in order.
  var rows: TileRows {
    TileRows(zooms, blank: blankTiles, fillsChildren: fill == .children, bounds: range)
  }

  /// Rows of each zoom: drawn tiles, and transparent ones that fill gaps.
  var counts: [(zoom: Int, drawn: Int, transparent: Int)] {
    zooms.indices.map { index in
      var transparent = index == 0 ? blankTiles.count : 0
      if fill == .children, index > 0 {
        transparent =
          zooms[index - 1].transparentChildren(
            without: zooms[index].tileKeys, inside: range(zooms[index].grid.zoom)
          ).count
      }
      return (zooms[index].grid.zoom, zooms[index].count, transparent)
    }
  }

  /// Rows of all zooms.
  var rowCount: Int { counts.reduce(0) { $0 + $1.drawn + $1.transparent } }

  /// Distinct scenes of all zooms, the transparent tile not counted.
  var distinctScenes: Int {
    var seen = Set<StableHash>()
    for zoom in zooms { seen.formUnion(zoom.hashes) }
    return seen.count
  }
}

extension Array where Element == ClusteredSource {
  /// Makes the scenes of all zooms.
  func scenes(
    of style: Style, tiles: TilesDefinition, scale: Int, fonts: FontLibrary, threads: Int,
    advance: (Int, Int?) throws -> Void
  ) throws -> PlannedTiles {
    let zooms = tiles.minZoom...tiles.maxZoom
    var builder = try SceneBuilder(
      style: style, tileSize: tiles.tileSize, scale: scale, snap: tiles.snap,
      bounds: WorldBox(tiles.bounds ?? .world), fonts: fonts,
      clusteredSources: Set(
        filter { $0.pyramid != nil }.map(\.source.definition.name)),
      zooms: zooms, threads: threads)
    var scenes: [ZoomScenes] = []
    var done = 0
    for zoom in zooms {
      scenes.append(
        try builder.scenes(
          of: map { $0.symbols(at: zoom) }, shapes: compactMap { $0.shapes(at: zoom) },
          images: compactMap(\.source.image?.source), zoom: zoom))
      done += reduce(0) { $0 + $1.itemCount(at: zoom) }
      try advance(done, zoom)
    }
    return PlannedTiles(builder: builder, zooms: scenes, fill: tiles.fill)
  }
}
