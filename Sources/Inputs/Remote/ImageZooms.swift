import Definition
import Ingest
import Overlays
import Scenes
import SystemPackage

extension ResolvedPipeline {
  /// Ends the tiles of a SpatialConnect config that gives no zooms at the resolution of its finest
  /// image: deeper ones would show the same pixels, of the whole world in more tiles than an archive
  /// may have.
  mutating func endAtImages() {
    guard definition.endsAtImages else { return }
    let tiles = definition.tiles
    let side = tiles.tileSize * (tiles.scales.first ?? 1)
    var finest: (zoom: Int, source: Int)?
    for (index, source) in sources.enumerated() {
      guard let zoom = source.imageZoom(tilePixels: side), zoom > finest?.zoom ?? -1 else {
        continue
      }
      finest = (zoom, index)
    }
    guard let finest, finest.zoom < tiles.maxZoom, tiles.minZoom < tiles.maxZoom else { return }
    let last = max(finest.zoom, tiles.minZoom)
    definition.tiles.maxZoom = last
    definition.view.zoom = definition.view.zoom.map { min($0, last) }
    sources[finest.source].notes.append(
      "the tiles end at zoom \(last), where they have the pixels of the image "
        + "'\(sources[finest.source].name)'. Set 'maxzoom' in 'tiles:' for another last zoom.")
  }
}

extension ResolvedSource {
  /// Returns the first zoom whose tiles have all pixels of the image; `nil` for a source without an
  /// image, or one that cannot be read, which the stage that reads it reports.
  ///
  /// - Parameter tilePixels: the side of a tile in device pixels.
  fileprivate func imageZoom(tilePixels: Int) -> Int? {
    guard let image, absence == nil else { return nil }
    if let (size, placement) = try? headerOfImage(image) {
      return placement.finestZoom(of: size, tilePixels: tilePixels)
    }
    return try? loadImage().source.finestZoom(tilePixels: tilePixels)
  }

  /// Reads the size of an image from its header; `nil` for one that GDAL warps, or that consists of
  /// tiles.
  private func headerOfImage(
    _ definition: ImageDefinition
  ) throws -> (ImageSize, ImagePlacement)? {
    guard warped == nil, definition.tileset == nil, let path = try origin.path()?.string,
      !Self.isDatabase(path)
    else { return nil }
    // The header of a photograph may stand after a preview of some kilobytes.
    let head = SourceInput.file(FilePath(path), name: path).head(1 << 20)
    let size = try head.withUnsafeBytes { try ImageSize(header: $0) }
    return (size, try placement(of: size, definition))
  }
}
