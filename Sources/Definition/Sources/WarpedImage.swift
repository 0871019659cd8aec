import GDAL
import Ingest
import Overlays
package import Runs
import SystemPackage

extension SourceDefinition {
  /// Whether GDAL warps an image: one that names its bands, layer, scale or reference system, and one
  /// without a place in the pipeline that is neither PNG, JPEG, WebP nor a GeoPackage.
  package var isWarped: Bool {
    guard let image, !image.isFrame, member == nil, case .file(let path) = data else {
      return false
    }
    let selection = image.selection
    if !selection.bands.isEmpty || selection.layer != nil || selection.scale != nil
      || selection.system != nil
    {
      return true
    }
    guard image.position == nil else { return false }
    let head = SourceInput.file(FilePath(path), name: path).head()
    guard !head.isEmpty, !head.starts(with: "SQLite format 3\0".utf8) else { return false }
    switch FileSignature(head) {
    case .png, .jpeg, .webp, .gzip, .zip: return false
    default: return true
    }
  }

  /// The files from which GDAL warps the image; empty for another image.
  package var warpedFiles: [String] {
    guard case .file(let path) = data, isWarped else { return [] }
    return RasterFile(path).files
  }

  /// Returns the conversion of an image that GDAL warps; `nil` for another.
  ///
  /// - Parameter finest: the zoom of 256-pixel tiles whose pixels are the finest of the pipeline.
  func rasterConversion(_ surroundings: GDALSurroundings, finest: Int) -> RasterConversion? {
    guard absence == nil, isWarped, let image, case .file(let path) = data else { return nil }
    var selection = image.selection
    selection.finestZoom = finest
    selection.missing = image.nodata.first?.numbers ?? []
    return RasterConversion(path, name: shownName ?? path, selection, surroundings)
  }

  /// Refuses keys that say what the file of a warped image says itself.
  package func refuseOtherKeys() throws(PipelineError) {
    for key in WarpedImageKeys.others {
      guard let member = node.member(key) else { continue }
      throw PipelineError(
        .definition,
        "the image of source '\(name)' is read by GDAL, which finds its place in the file or in a world "
          + "file beside it. Remove '\(key)'.", at: member.keyPlace)
    }
    guard let image, image.nodata.count > 1, let member = node.member("nodata") else { return }
    throw PipelineError(
      .definition, "'nodata' is one value or colour for an image that GDAL reads.",
      at: member.keyPlace)
  }
}

extension NoData {
  /// The value, or those of three bands.
  fileprivate var numbers: [Double] {
    switch self {
    case .value(let value): [Double(value)]
    case .number(let number): [number]
    case .color(let red, let green, let blue): [Double(red), Double(green), Double(blue)]
    }
  }
}
