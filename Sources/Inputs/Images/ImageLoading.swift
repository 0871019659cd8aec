package import Definition
import Files
import Foundation
import Ingest
package import Overlays
package import Runs
package import Scenes
import SystemPackage
import Unpacking

/// An image source whose file is decoded and positioned.
package struct LoadedImage {
  package let source: RasterSource

  /// The name of the format in a report.
  package let format: String

  /// The size of the file in bytes.
  package let bytes: Int

  /// A sentence on the place of the pixels, where it is not obvious; `nil` for nothing.
  var placeNote: String?

  /// A sentence on the pixels, where something is not obvious; `nil` for nothing. Which tiles are damaged is
  /// known when they have been drawn.
  package var note: String? {
    placeNote ?? source.tiles?.faultNote.map { "source '\(source.id)': \($0)" }
  }
}

extension ResolvedSource {
  /// Decodes the image and determines its position.
  ///
  /// - Throws: ``PipelineError`` that names the image, its world file, or the key that is wrong.
  /// - Complexity: O(pixels).
  package func loadImage() throws(PipelineError) -> LoadedImage {
    if let warped { return try loadWarped(warped) }
    if let image, let tileset = image.tileset { return try loadTiles(of: tileset, image) }
    let path = try PipelineError.wrapping { try origin.path()?.string }
    guard let definition = image, let path else {
      throw place.fault("the image of source '\(name)' is not a file.")
    }
    if Self.isDatabase(path) {
      return try PipelineError.wrapping { try loadTiles(of: path, definition) }
    }
    try refuseTableKeys()
    var decoder = ImageDecoder(nodata: definition.nodata, colorRamp: definition.colorRamp)
    decoder.limits = ImageLimits()
    if definition.isFrame { decoder.noDataCheck = .frame }
    let bytes = try DocumentFile.bytes(
      of: origin.held.first?.address.string ?? path, limit: decoder.limits.maxFileBytes)
    let orientation = bytes.withUnsafeBytes { ImageOrientation(of: $0) }
    do {
      let given = try definition.placement()
      // `coordinates` place the picture as people see it, a world file places the stored rows.
      if given != nil { decoder.orientation = orientation }
      let decoded = try decoder.decode(bytes)
      let loaded = RasterSource(
        id: name, image: decoded,
        placement: try given
          ?? placement(
            of: ImageSize(width: decoded.width, height: decoded.height), definition),
        kernel: definition.resampling)
      let size = ImageSize(width: decoded.width, height: decoded.height)
      return LoadedImage(
        source: loaded, format: (bytes.withUnsafeBytes { ImageFormat($0) } ?? .png).rawValue,
        bytes: bytes.count,
        placeNote: given == nil ? note(on: orientation) ?? noteOnSystem(of: size) : nil)
    } catch let error as OverlayError {
      throw fault(
        Self.advised(error, bytes, shownPath(of: path)), path: shownPath(of: path))
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Returns the failure of an image of an unsupported format, with the command that converts it.
  private static func advised(_ error: OverlayError, _ bytes: [UInt8], _ path: String)
    -> OverlayError
  {
    guard error.code == .unknownFormat,
      let line = FileSignature(bytes.prefix(4096))?.imageConversion(of: path)
    else { return error }
    return OverlayError(error.code, "\(error.message) Convert it: \(line)")
  }

  /// Returns the path for messages; packed images are read from temporary files.
  private func shownPath(of path: String) -> String { packed?.name ?? path }

  /// Returns the note on an image that a world file places, if its Exif data turn it.
  package func note(on orientation: ImageOrientation) -> String? {
    guard orientation != .upright else { return nil }
    return
      "source '\(name)': Exif data turn the image (orientation \(orientation.rawValue)), but its "
      + "world file places the rows as they are stored, so it is not turned. Give 'bounds' or "
      + "'coordinates' if the turned picture is what lies there."
  }

  /// Returns the note on a world file in metres that may be those of another reference system; `nil`
  /// where the pipeline names the projection, or the numbers tell.
  private func noteOnSystem(of size: ImageSize) -> String? {
    guard node.member("projection") == nil, let path = worldFile,
      let text = try? DocumentFile.read(path, limit: 4096),
      let file = try? WorldFile(String(decoding: text, as: UTF8.self)),
      file.system(width: size.width, height: size.height) == .unknown
    else { return nil }
    return
      "source '\(name)': its world file does not name a reference system, and its metres are taken for "
      + "those of Web Mercator. Name another one with 'crs', such as EPSG:25832; 'projection: mercator' "
      + "confirms it."
  }

  /// Returns the position of an image of a size: by its corners, its box, or a world file.
  func placement(
    of size: ImageSize, _ definition: ImageDefinition
  ) throws -> ImagePlacement {
    if let placement = try definition.placement() { return placement }
    guard let file = worldFile else {
      let path = origin.storedFile?.string ?? name
      throw place.fault(
        "source '\(name)' does not say where its image lies. Give 'coordinates', 'bounds', or a "
          + "world file such as \(WorldFiles.names(beside: path).first ?? name).")
    }
    let text = try DocumentFile.read(file, limit: 4096)
    do {
      return try ImagePlacement(
        worldFile: WorldFile(String(decoding: text, as: UTF8.self)), width: size.width,
        height: size.height, projection: definition.projection)
    } catch let error as OverlayError {
      throw PipelineError(.badData, error.message, at: DocumentPlace(file: file))
    }
  }

  /// Returns the failure of an image: at the key that is wrong, otherwise at the file.
  private func fault(_ error: OverlayError, path: String) -> PipelineError {
    func key(_ names: [String]) -> DocumentPlace? {
      names.lazy.compactMap { node.member($0)?.keyPlace }.first
    }
    guard error.failureCode == .definition else {
      return PipelineError(error, at: DocumentPlace(file: path))
    }
    let keys =
      switch error.code {
      case .badPlacement: ["coordinates", "bounds"]
      case .badOptions: ["colorRamp"]
      default: ["nodata"]
      }
    return PipelineError(
      error.failureCode, "source '\(name)': \(error.message)", at: key(keys) ?? place)
  }
}

extension ImageDefinition {
  /// Returns the position of the image, if the pipeline gives it; `nil` where a world file must.
  ///
  /// - Throws: `OverlayError` with code `badPlacement`.
  package func placement() throws -> ImagePlacement? {
    switch position {
    case .corners(let topLeft, let topRight, let bottomRight, let bottomLeft):
      try ImagePlacement(
        topLeft: topLeft, topRight: topRight, bottomRight: bottomRight, bottomLeft: bottomLeft,
        projection: projection)
    case .box(let bounds, let bearing):
      try ImagePlacement(bounds: bounds, bearing: bearing, projection: projection)
    case .worldFile, nil: nil
    }
  }
}
