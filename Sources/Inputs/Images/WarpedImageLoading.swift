import Definition
import GDAL
import Overlays
import Raster
import Runs
import Scenes
import SystemPackage

extension ResolvedSource {
  /// Returns an image that GDAL warps, on the grid of the map's pixels.
  ///
  /// - Throws: ``PipelineError`` that names the image, or the key that is wrong.
  func loadWarped(_ warped: WarpedImage) throws(PipelineError) -> LoadedImage {
    try refuseOtherKeys()
    return try PipelineError.wrapping {
      let content = try warped.conversion.content()
      let edges = content.grid.metres
      let placement = try ImagePlacement(
        westMetres: edges.west, southMetres: edges.south, eastMetres: edges.east,
        northMetres: edges.north)
      let texels: OverlayImage.Texels =
        content.hasValues
        ? .mappedValues(content.pixels, OverlayImage.ValueMeaning(ramp: try valueRamp()))
        : .mappedColors(content.pixels)
      let image = OverlayImage(
        width: content.grid.columns.count, height: content.grid.rows.count, texels: texels)
      return LoadedImage(
        source: RasterSource(
          id: name, image: image, placement: placement, kernel: self.image?.resampling),
        format: content.format, bytes: warped.bytes,
        placeNote: warpedOrientation(content.format).flatMap { note(on: $0) })
    }
  }

  /// Returns the orientation of a PNG, JPEG or WebP, which GDAL does not apply; `nil` for others.
  ///
  /// - Parameter format: the name of the format in GDAL.
  private func warpedOrientation(_ format: String) -> ImageOrientation? {
    guard ["PNG", "JPEG", "WEBP"].contains(format), packed == nil,
      let file = origin.storedFile?.string,
      let bytes = try? DocumentFile.bytes(of: file, limit: ImageLimits().maxFileBytes)
    else { return nil }
    return bytes.withUnsafeBytes { ImageOrientation(of: $0) }
  }

  /// Refuses keys for values that the file of a warped image holds itself.
  private func refuseOtherKeys() throws(PipelineError) {
    for key in WarpedImageKeys.others {
      guard let member = node.member(key) else { continue }
      throw PipelineError(
        .definition,
        "the image of source '\(name)' is read by GDAL, which finds its place in the file or in a world "
          + "file beside it. Remove '\(key)'.", at: member.keyPlace)
    }
    guard let image, image.nodata.count > 1, let member = node.member("nodata") else { return }
    throw member.keyPlace.fault("'nodata' is one value or colour for an image that GDAL reads.")
  }

  /// The colours of an image's values: the pipeline's, otherwise black to white.
  private func valueRamp() throws -> ColorRamp {
    if let ramp = image?.colorRamp { return ramp }
    let scale = image?.selection.scale ?? 0...255
    func gray(_ value: Double) -> Color { Color(red: value, green: value, blue: value, alpha: 1) }
    return try ColorRamp(stops: [
      ColorRamp.Stop(value: scale.lowerBound, color: gray(0)),
      ColorRamp.Stop(value: scale.upperBound, color: gray(1)),
    ])
  }
}
