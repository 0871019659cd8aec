import Features
import GDAL
import Overlays
import Runs

/// The keys of images that GDAL reads.
package enum WarpedImageKeys {
  static let keys = [
    KeySpecification(
      "bands", .list(of: .integer(1...65535), count: 1...3),
      "The bands of an image that GDAL reads, from 1: one, or red, green and blue."),
    KeySpecification(
      "layer", .string,
      "The subdataset, such as a variable of a NetCDF file; needed where there are several."),
    KeySpecification(
      "scale", .list(of: .number(-1e38...1e38), count: 2...2),
      "The values that become black and white, of bands that are no bytes."),
    KeySpecification(
      "crs", .string,
      "The coordinate reference system of the image or its world file, such as EPSG:25832, instead "
        + "of the one that the file names."),
    KeySpecification(
      "timeout", .number(0.1...86_400), default: .number(300),
      "The seconds without a sign of life after which the conversion by GDAL is ended."),
  ]

  /// The keys that place or choose what GDAL finds in the file itself.
  package static let others = [
    "coordinates", "bounds", "bearing", "projection", "worldFile", "table", "zoom",
  ]
}

extension SourceDecoder {
  /// Decodes the part of an image that GDAL reads.
  func selection(
    _ keyed: KeyedNode, _ image: ImageDefinition
  ) throws(PipelineError) -> RasterSelection {
    var selection = RasterSelection()
    selection.bands = (keyed.node["bands"]?.items ?? []).compactMap(\.integer)
    guard selection.bands.count != 2 else {
      throw keyed.fault("bands", "'bands' are one band, or three: red, green and blue.")
    }
    selection.layer = keyed.text("layer")
    selection.system = keyed.text("crs")
    if let system = selection.system, !VectorSelection.isSystem(system) {
      throw keyed.fault(
        "crs", SystemKey.refusal)
    }
    let scale = keyed.numbers("scale")
    if scale.count == 2 {
      guard scale[0] < scale[1] else {
        throw keyed.fault("scale", "'scale' is the value of black and a greater one for white.")
      }
      guard image.colorRamp == nil else {
        throw keyed.fault("scale", "'scale' and 'colorRamp' both colour the values. Keep one.")
      }
      selection.scale = scale[0]...scale[1]
    }
    selection.hasRamp = image.colorRamp != nil
    if let kernel = image.resampling { selection.kernel = Self.name(of: kernel) }
    selection.timeout = try keyed.value("timeout")
    return selection
  }

  /// Returns the name of a kernel in GDAL.
  private static func name(of kernel: ResamplingKernel) -> String {
    kernel == .nearest ? "near" : kernel.rawValue
  }
}
