import Features
import Fetching
import GDAL
import Ingest
import Overlays
package import Runs
import SystemPackage
import Unpacking

extension SourceDefinition {
  /// Whether GDAL warps an image: one that names its bands, layer, scale or reference system, and one
  /// without a place in the pipeline that is neither PNG, JPEG, WebP nor a GeoPackage.
  package var isWarped: Bool {
    guard let image, !image.isFrame, packed != nil || member == nil, let path = imageFile else {
      return false
    }
    let selection = image.selection
    if !selection.bands.isEmpty || selection.layer != nil || selection.scale != nil
      || selection.system != nil
    {
      return true
    }
    guard image.position == nil else { return false }
    if let packed { return Self.isRaster(named: packed.name) }
    let head = SourceInput.file(FilePath(path), name: path).head()
    guard !head.isEmpty, !head.starts(with: "SQLite format 3\0".utf8) else { return false }
    switch FileSignature(head) {
    case .png, .jpeg, .webp, .gzip, .zip: return false
    default: return true
    }
  }

  /// The endings of the names of images that GDAL warps, by which packed ones are known before they
  /// are unpacked.
  static let rasterEndings = [
    ".tif", ".tiff", ".jp2", ".asc", ".nc", ".nc4", ".grb", ".grb2", ".grib", ".grib2", ".h5",
    ".hdf",
    ".img", ".hgt", ".dt0", ".dt1", ".dt2",
  ]

  /// - Parameter name: a name with or without the ending of its packing.
  private static func isRaster(named name: String) -> Bool {
    let name = name.lowercased()
    return rasterEndings.contains { ending in
      name.hasSuffix(ending)
        || [".gz", ".zst", ".bz2"].contains { name.hasSuffix(ending + $0) }
    }
  }

  /// The only file of an image; `nil` for other data.
  private var imageFile: String? {
    switch data {
    case .file(let path): path
    case .fetched(let files) where files.count == 1: files[0].path.string
    case .fetched, .url, .patterns, .parts, .inline, .standardInput, .connection, .none: nil
    }
  }

  /// The files from which GDAL warps the image; empty for another image.
  package var warpedFiles: [String] {
    guard let imageFile, isWarped else { return [] }
    if case .file = data, packed == nil { return RasterFile(imageFile).files }
    return [imageFile]
  }

  /// Returns the conversion of an image that GDAL warps; `nil` for another.
  ///
  /// - Parameter finest: the zoom of 256-pixel tiles whose pixels are the finest of the pipeline.
  func rasterConversion(_ surroundings: GDALSurroundings, finest: Int) -> RasterConversion? {
    guard absence == nil, isWarped, let image, let imageFile else { return nil }
    var selection = image.selection
    selection.finestZoom = finest
    selection.missing = image.nodata.first?.numbers ?? []
    let origin: RasterConversion.Origin
    var name = dataName
    if let packed {
      origin = .packed {
        let unpacked = try packed.unpacked()
        guard let path = unpacked.path?.string else {
          throw SourceError(
            code: .badData, file: packed.name, message: "is unpacked to no file of its own")
        }
        return RasterFile(path, called: Self.unpackedName(packed.name))
      }
    } else if case .fetched(let files) = data {
      name = files[0].uri
      origin = .file(RasterFile(imageFile, called: Self.lastName(files[0].uri)))
    } else {
      origin = .file(RasterFile(imageFile))
    }
    return RasterConversion(origin, name: name, selection, surroundings)
  }

  /// Returns the name of a packed file without the ending of its packing.
  private static func unpackedName(_ name: String) -> String {
    let name = lastName(name)
    let packing = [".gz", ".zst", ".bz2"].first { name.lowercased().hasSuffix($0) } ?? ""
    return String(name.dropLast(packing.count))
  }

  /// Returns the last part of an address or path.
  private static func lastName(_ address: String) -> String {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").last.map(String.init) ?? "image"
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
