import Definition
import Features
import Files
package import GDAL
import Ingest
import Overlays
import SystemPackage
import Unpacking

/// An image that GDAL warps when it is first read: one that names its bands, layer, scale or
/// reference system, and one without a place in the pipeline that is neither PNG, JPEG, WebP nor a
/// GeoPackage.
package struct WarpedImage: Sendable {
  package let conversion: RasterConversion

  /// The files of the image, and the program.
  package let files: [InputFile]

  /// The size of the files of the image in bytes.
  package let bytes: Int

  /// The endings of the names of images that GDAL warps, by which packed ones are known before they
  /// are unpacked.
  static let endings = [
    ".tif", ".tiff", ".jp2", ".asc", ".nc", ".nc4", ".grb", ".grb2", ".grib", ".grib2", ".h5",
    ".hdf",
    ".img", ".hgt", ".dt0", ".dt1", ".dt2",
  ]

  /// Creates the image of a source whose data is found; `nil` for another one.
  ///
  /// - Parameters:
  ///   - called: the name of the file where the path has none, as for a cached copy.
  ///   - finest: the zoom of 256-pixel tiles whose pixels are the finest of the pipeline.
  init?(
    _ source: ResolvedSource, called: String?, _ surroundings: GDALSurroundings, finest: Int
  ) {
    guard let image = source.image, !image.isFrame, image.tileset == nil,
      source.packed != nil || source.definition.member == nil,
      let path = source.origin.storedFile?.string, Self.isMeant(image, source.packed, path)
    else { return nil }
    var selection = image.selection
    selection.finestZoom = finest
    selection.missing = image.nodata.first?.numbers ?? []
    let origin: RasterConversion.Origin
    var paths: [String] = []
    if let packed = source.packed {
      origin = .packed {
        let unpacked = try packed.unpacked()
        guard let path = unpacked.path?.string else {
          throw SourceError(
            code: .badData, file: packed.name, message: "is unpacked to no file of its own")
        }
        return RasterFile(path, called: Self.unpackedName(packed.name))
      }
      paths = [path]
    } else {
      let file = RasterFile(path, called: source.origin.fetched.isEmpty ? nil : called ?? "image")
      origin = .file(file)
      paths = source.origin.fetched.isEmpty ? file.files : [path]
    }
    conversion = RasterConversion(origin, name: source.dataName, selection, surroundings)
    let data =
      source.origin.fetched.isEmpty
      ? paths.map { InputFile(.data, path: $0) } : source.origin.files
    files = data + InputFile.program(.gdalwarp)
    bytes = paths.reduce(0) { $0 + (LocalFile($1).storedBytes ?? 0) }
  }

  package init(_ conversion: RasterConversion, files: [InputFile], bytes: Int) {
    (self.conversion, self.files, self.bytes) = (conversion, files, bytes)
  }

  /// Returns the image for a map whose finest pixels are those of another zoom.
  func to(finest zoom: Int) -> WarpedImage {
    WarpedImage(conversion.to(finest: zoom), files: files, bytes: bytes)
  }

  private static func isMeant(
    _ image: ImageDefinition, _ packed: PackedInput?, _ path: String
  ) -> Bool {
    let selection = image.selection
    if !selection.bands.isEmpty || selection.layer != nil || selection.scale != nil
      || selection.system != nil
    {
      return true
    }
    guard image.position == nil else { return false }
    if let packed { return isRaster(named: packed.name) }
    let head = SourceInput.file(FilePath(path), name: path).head()
    guard !head.isEmpty else { return false }
    switch FileSignature(head) {
    case .sqlite, .png, .jpeg, .webp, .gzip, .zip: return false
    default: return true
    }
  }

  /// - Parameter name: a name with or without the ending of its packing.
  private static func isRaster(named name: String) -> Bool {
    let name = name.lowercased()
    return endings.contains { ending in
      name.hasSuffix(ending)
        || [".gz", ".zst", ".bz2"].contains { name.hasSuffix(ending + $0) }
    }
  }

  /// Returns the name of a packed file without the ending of its packing.
  private static func unpackedName(_ name: String) -> String {
    let name = name.lastAddressPart ?? "image"
    let packing = [".gz", ".zst", ".bz2"].first { name.lowercased().hasSuffix($0) } ?? ""
    return String(name.dropLast(packing.count))
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
