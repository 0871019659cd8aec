import Definition
import Fetching
import MBTiles
import Platform
import Runs
import SystemPackage
import Tilesets
import Tiling

extension ResolvedSource {
  /// Opens the tiles of a raster source whose tiles are files, and finds what a map may show of them:
  /// one digest, or the files that a server has.
  ///
  /// - Parameters:
  ///   - tiles: the tiles of the map.
  ///   - local: the folder of what a TileJSON has at `local://`.
  ///   - lists: whether the tiles are found now, and not by the view that is drawn.
  mutating func resolveRasterTiles(
    of tiles: TilesDefinition, local: FilePath?, lists: Bool
  ) throws(PipelineError) {
    guard case .image(var image) = definition.kind, var raster = image.tileset, absence == nil,
      !isPacked, !(origin is PictureTilesData)
    else { return }
    raster.localFolder = local
    let path = try container(of: raster)
    let tileset = try definition.reading { () throws(ArchiveError) -> any Tileset in
      try self.tileset(of: raster, in: path)
    }
    raster.attribution = tileset.head.attribution
    notes += [tileset.head.rowsNote(of: self)].compactMap(\.self)
    if lists, let files = tileset as? any FileTileset {
      let zooms = try definition.reading { () throws(ArchiveError) in
        try tileset.zooms(from: raster.minZoom, to: raster.maxZoom)
      }
      let drawn = raster.drawnZooms(of: tiles, among: zooms)
      let template = files as? TemplateTileset
      if let template, template.needsFetching {
        let fetched = try fetchTiles(of: template, zooms, drawn, in: tiles.bounds, &raster)
        origin = PictureTilesData(origin, fetched: fetched)
      } else {
        // More tiles than are looked for are refused before anything is drawn.
        _ = try definition.reading { () throws(ArchiveError) in
          try template?.tiles(zoom: drawn.upperBound, around: tiles.bounds)
        }
        let (opened, address) = (raster, origin.fetched.first.map(\.uri))
        origin = PictureTilesData(
          origin, area: tiles.bounds, zooms: zooms.lowerBound...drawn.upperBound
        ) { () throws(ArchiveError) in try opened.tileset(path, address: address) }
      }
    }
    image.tileset = raster
    definition.kind = .image(image)
  }

  /// Fetches the tiles that a map shows, and where some are not there, those above them.
  private func fetchTiles(
    of template: TemplateTileset, _ zooms: ClosedRange<Int>, _ drawn: ClosedRange<Int>,
    in area: GeoBounds?, _ raster: inout RasterTileset
  ) throws(PipelineError) -> [FetchedFile] {
    var found = FoundTiles()
    var fetched: [FetchedFile] = []
    var asked: Set<TileKey> = []
    for zoom in zooms.reversed() where zoom <= drawn.upperBound {
      if drawn.contains(zoom) {
        let own = try definition.reading { () throws(ArchiveError) in
          try template.tiles(zoom: zoom, around: area)
        }
        asked.formUnion(own.map { TileKey($0) })
      }
      let wanted = asked.sorted().map { TileCoord($0, z: zoom) }
      asked = []
      guard !wanted.isEmpty else { continue }
      let answer = try definition.fetch(
        wanted, of: template, by: tileFetch, maxErrors: raster.maxErrors)
      found.failures.merge(answer.failures) { $1 }
      for (tile, file) in answer.files {
        found.files[tile] = FilePath(file.path)
        fetched.append(file)
      }
      for tile in wanted where found.files[tile] == nil {
        if let parent = tile.parent { asked.insert(TileKey(parent)) }
      }
    }
    // Templates do not give the zooms and the box; from here on they are known.
    (raster.minZoom, raster.maxZoom) = (zooms.lowerBound, zooms.upperBound)
    raster.bounds = raster.bounds ?? template.head.bounds
    raster.found = found
    return fetched
  }
}

extension Tileset {
  /// Returns the tiles of a zoom in a box and one ring around it, whose pixels take part in
  /// resampling at the edge, in the order of their keys.
  ///
  /// - Parameter area: the box; `nil` for the world.
  func tiles(zoom: Int, around area: GeoBounds?) throws(ArchiveError) -> [TileCoord] {
    let range = area.map { TileRange(WorldBox($0), zoom: zoom).sourceTiles(zoom: zoom, margin: 1) }
    return try presence(zoom: zoom, in: range).keys.map { TileCoord($0, z: zoom) }
  }
}

extension RasterTileset {
  /// Returns the zooms of the tiles that a map shows at its own zooms, among those that there are.
  fileprivate func drawnZooms(
    of tiles: TilesDefinition, among zooms: ClosedRange<Int>
  ) -> ClosedRange<Int> {
    func zoom(_ zoom: Int) -> Int {
      let side = Double(tileSize ?? 256)
      let exact = log2(Double(tiles.tileSize << zoom) / side) + 0.5
      return min(max(Int(exact.rounded(.down)), zooms.lowerBound), zooms.upperBound)
    }
    return zoom(tiles.minZoom)...zoom(tiles.maxZoom)
  }
}
