import Definition
import GDAL
import Overlays
import Raster
import Runs
import Scenes

extension SourceDefinition {
  /// Returns an image that GDAL warps, on the grid of the map's pixels.
  ///
  /// - Throws: ``PipelineError`` that names the image, or the key that is wrong.
  func loadWarped(_ warped: RasterConversion) throws(PipelineError) -> LoadedImage {
    try refuseOtherKeys()
    do {
      let content = try warped.content()
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
        format: content.format, bytes: warpedFiles.reduce(0) { $0 + (Build.size(of: $1) ?? 0) },
        note: warpedOrientation(content.format).flatMap { note(on: $0) })
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Returns the orientation of a PNG, JPEG or WebP, which GDAL does not apply; `nil` for others.
  ///
  /// - Parameter format: the name of the format in GDAL.
  private func warpedOrientation(_ format: String) -> ImageOrientation? {
    guard ["PNG", "JPEG", "WEBP"].contains(format), packed == nil, let file = warpedFiles.first,
      let bytes = try? DocumentFile.bytes(of: file, limit: ImageLimits().maxFileBytes)
    else { return nil }
    return bytes.withUnsafeBytes { ImageOrientation(of: $0) }
  }

  /// The colours of an image's values: those of the pipeline, otherwise black to white.
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
