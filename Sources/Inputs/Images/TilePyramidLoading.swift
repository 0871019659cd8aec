import Definition
import Features
import Fetching
import Files
import GeoPackages
import Ingest
import MBTiles
import Overlays
import Runs
import Scenes
import Synchronization
import SystemPackage
import Tilesets
import Tiling

extension ResolvedSource {
  /// Opens the tiles of a raster source; they are read when they are drawn.
  ///
  /// - Throws: ``PipelineError`` where the container cannot be opened or has no pictures.
  func loadTiles(
    of definition: RasterTileset, _ image: ImageDefinition
  ) throws(PipelineError) -> LoadedImage {
    let path = try container(of: definition)
    return try self.definition.reading { () throws(ArchiveError) in
      let tileset = try tileset(of: definition, in: path)
      guard tileset.head.format != "pbf", tileset.head.vectorLayers.isEmpty else {
        throw ArchiveError(
          damagedFolder: tileset.path, "has vector tiles, which are a source of 'type: vector'")
      }
      let zooms = try tileset.zooms(from: definition.minZoom, to: definition.maxZoom)
      var (side, extent) = (
        definition.tileSize, (definition.bounds ?? tileset.head.bounds).map { ImageExtent($0) }
      )
      let isListed = !(tileset is TemplateTileset)
      let sample = isListed ? try tileset.samplePicture(in: zooms) : nil
      if side == nil { side = sample?.side }
      if extent == nil, isListed { extent = try tileset.extent(in: zooms) }
      let form = TilePyramid.Form(
        zooms: zooms, tileSize: side ?? 256, extent: extent ?? .world,
        limit: definition.bounds.map { WorldBox($0) }, nodata: image.nodata)
      let pictures = TilePictures(
        tileset, failures: definition.found?.failures ?? [:], fetch: tileFetch)
      let pyramid = TilePyramid(form, named: dataName, tolerance: definition.maxErrors) {
        try pictures.bytes(of: $0)
      }
      return LoadedImage(
        source: RasterSource(id: name, tiles: pyramid, kernel: image.resampling),
        format: sample?.format?.rawValue ?? "tiles", bytes: origin.storedBytes ?? 0)
    }
  }

  /// Opens raster tiles.
  func tileset(
    of definition: RasterTileset, in path: FilePath?
  ) throws(ArchiveError) -> any Tileset {
    if let path {
      let head = SourceInput.file(path, name: path.string).head(SQLiteHeader.byteCount)
      if SQLiteHeader(head)?.isGeoPackage == true {
        return try GeoPackageTileset(path, table: definition.table)
      }
    }
    return try definition.tileset(path, address: origin.fetched.first.map(\.uri))
  }
}

/// The pictures of a tileset, for all threads.
private final class TilePictures: Sendable {
  /// Maximum size of a tile in bytes, unpacked.
  private static let byteLimit = 64 << 20

  /// Tilesets are not thread-safe.
  private let tileset: Mutex<any Tileset>

  /// The reasons why tiles could not be fetched.
  private let failures: [TileCoord: String]

  /// The function that fetches the tiles that a view draws, with the results so far; `nil` for
  /// tiles that the server lacks.
  private let fetch: TileFetch?
  private let fetched = Mutex<[TileCoord: FilePath?]>([:])

  init(_ tileset: sending any Tileset, failures: [TileCoord: String], fetch: TileFetch?) {
    self.tileset = Mutex(tileset)
    self.failures = failures
    self.fetch = fetch
  }

  /// Returns the bytes of a tile's picture, unpacked, or `nil` where there is none.
  func bytes(of tile: TileCoord) throws -> [UInt8]? {
    if let failure = failures[tile] { throw OverlayError(.corrupt, failure) }
    let address = tileset.withLock { tileset in
      (tileset as? TemplateTileset).flatMap { $0.needsFetching ? $0.address(of: tile) : nil }
    }
    if let address { return try bytes(of: tile, at: address) }
    return try tileset.withLock { tileset throws(ArchiveError) -> [UInt8]? in
      try tileset.tile(tile, limit: Self.byteLimit)
    }
  }

  /// Fetches a tile, once.
  private func bytes(of tile: TileCoord, at address: String) throws -> [UInt8]? {
    let file = try fetched.withLock { fetched throws -> FilePath? in
      if let known = fetched[tile] { return known }
      guard let fetch, fetched.count < fetch.limit else {
        throw OverlayError(.unsupported, "more tiles would be fetched than 'requests' allows.")
      }
      let file = try fetch.answer(to: [(tile, address)], maxErrors: 0).files.first
      fetched[tile] = .some(file.map { FilePath($0.file.path) })
      return file.map { FilePath($0.file.path) }
    }
    guard let file else { return nil }
    return try TemplateTileset([], head: TilesetHead(), found: [tile: file])
      .tile(tile, limit: Self.byteLimit)
  }
}

extension Tileset {
  /// Returns the format of a picture of the last zoom that has any, and its side in pixels; `nil`
  /// where there is none.
  fileprivate func samplePicture(
    in zooms: ClosedRange<Int>
  ) throws(ArchiveError) -> (format: ImageFormat?, side: Int?)? {
    for zoom in zooms.reversed() {
      var first: TileCoord?
      try forEachAddress(zoom: zoom, in: nil) { tile in
        first = tile.isValid ? tile.first(ofZoom: zoom) : nil
        return first == nil
      }
      // The stage that draws a damaged tile reports it.
      guard let first, let bytes = try? tile(first, limit: 64 << 20) else { continue }
      return bytes.withUnsafeBytes { bytes in
        let size = try? ImageSize(header: bytes)
        let side = size.map { max($0.width, $0.height) }
        // A picture of a few pixels is a placeholder and not the size of the tiles.
        let sides = 64...TilePyramid.maxSide
        return (ImageFormat(bytes), side.flatMap { sides.contains($0) ? $0 : nil })
      }
    }
    return nil
  }

  /// Returns the box of all tiles; `nil` without any.
  fileprivate func extent(in zooms: ClosedRange<Int>) throws(ArchiveError) -> ImageExtent? {
    var box: WorldBox?
    for zoom in zooms {
      try forEachAddress(zoom: zoom, in: nil) { tile in
        guard tile.isValid else { return true }
        let own = WorldBox(tile)
        box =
          box.map { box in
            var box = box
            box.formUnion(own)
            return box
          } ?? own
        return true
      }
    }
    return box.map { ImageExtent($0) }
  }
}
