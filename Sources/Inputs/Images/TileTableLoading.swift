import Definition
import Features
import Files
import GeoPackages
import Ingest
import Overlays
import Raster
import Runs
import Scenes
import SystemPackage
import Tiling

extension ResolvedSource {
  /// The maximum total number of pixels of a GeoPackage's tiles: 5793 × 5793, of 4 bytes each, held
  /// twice while they are combined.
  static let mosaicPixels = 1 << 25

  /// The keys for the position of an image, which tiles contain themselves.
  private static let placingKeys = ["coordinates", "bearing", "worldFile"]

  /// Whether a file is a database, judging by its first bytes.
  package static func isDatabase(_ path: String) -> Bool {
    SQLiteHeader(
      SourceInput.file(FilePath(path), name: path).head(SQLiteHeader.byteCount)) != nil
  }

  /// Refuses the keys of GeoPackages for an image of another format.
  func refuseTableKeys() throws(PipelineError) {
    for key in ["table", "zoom"] {
      guard let member = node.member(key) else { continue }
      throw member.keyPlace.fault(
        "source '\(name)': '\(key)' is for a GeoPackage, but \(dataName) is not one.")
    }
  }

  /// Combines the tiles of a GeoPackage's table into one image, at its position.
  ///
  /// - Throws: ``SourceError`` and ``PipelineError`` that name the table, its tile or the key.
  /// - Complexity: O(pixels).
  func loadTiles(of path: String, _ definition: ImageDefinition) throws -> LoadedImage {
    try refusePlacingKeys(definition)
    var bounds: GeoBounds?
    if case .box(let box, _) = definition.position { bounds = box }
    let file = try GeoPackageFile(path: FilePath(path), name: dataName)
    let tiles = try GeoPackageTiles(file, table: definition.table)
    let choice = try tiles.choice(
      zoom: definition.zoom, in: bounds, pixelLimit: Self.mosaicPixels,
      sideLimit: ImageLimits().maxSide)
    let matrix = try tiles.matrix(zoom: choice.zoom)
    let decoder = TablePictureDecoder(definition, file: dataName, matrix: matrix)
    guard
      let mosaic = try tiles.mosaic(
        zoom: choice.zoom, in: choice.block, pixelLimit: Self.mosaicPixels, decode: decoder.picture)
    else { throw PipelineError(.bug, "the tiles of '\(tiles.table)' vanished.", at: place) }
    do {
      return LoadedImage(
        source: RasterSource(
          id: name, image: OverlayImage(mosaic.picture),
          placement: try ImagePlacement(
            westMetres: mosaic.box.west, southMetres: mosaic.box.south,
            eastMetres: mosaic.box.east, northMetres: mosaic.box.north),
          kernel: definition.resampling),
        format: "GeoPackage", bytes: file.byteCount)
    } catch let error as OverlayError {
      throw SourceError(
        code: .badData, file: dataName, message: "zoom \(choice.zoom): \(error.message)")
    }
  }

  private func refusePlacingKeys(_ definition: ImageDefinition) throws(PipelineError) {
    let key =
      Self.placingKeys.first { node.member($0) != nil }
      ?? (definition.projection == .mercator ? nil : "projection")
    guard let key else { return }
    throw PipelineError(
      .definition,
      "source '\(name)': the tiles of a GeoPackage contain their own position. Remove '\(key)'.",
      at: node.member(key)?.keyPlace ?? place)
  }
}

/// A decoder of the pictures in a table of tiles.
private struct TablePictureDecoder {
  private var decoder: ImageDecoder
  private let file: String

  init(_ definition: ImageDefinition, file: String, matrix: GeoPackageTileMatrix) {
    decoder = ImageDecoder(nodata: definition.nodata, colorRamp: definition.colorRamp)
    decoder.noDataCheck = .none
    // A tile of another size is refused either way; a huge one before it is decoded.
    decoder.limits.maxPixels = 4 * matrix.tileWidth * matrix.tileHeight
    self.file = file
  }

  /// Decodes one tile; the pixels are premultiplied.
  func picture(_ bytes: [UInt8]) throws(SourceError) -> GeoPackageMosaic.Picture {
    do {
      let pixmap = try decoder.decode(bytes).pixmap()
      return GeoPackageMosaic.Picture(
        width: pixmap.width, height: pixmap.height,
        pixels: Array(UnsafeRawBufferPointer(pixmap.pixels)))
    } catch {
      throw SourceError(
        code: .badData, file: file, message: (error as? OverlayError)?.message ?? "\(error)")
    }
  }
}

extension OverlayImage {
  /// Creates the picture from the parts that ``TablePictureDecoder`` decoded.
  fileprivate init(_ picture: GeoPackageMosaic.Picture) {
    let count = picture.width * picture.height
    let texels = ContiguousArray<UInt32>(unsafeUninitializedCapacity: count) { buffer, filled in
      picture.pixels.withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
      filled = count
    }
    self.init(width: picture.width, height: picture.height, texels: .rgba(texels))
  }
}
