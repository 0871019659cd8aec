import Features

/// The bands of an image that are drawn, and the steps that make bytes of them.
struct RasterBands {
  /// The form of the warped pixels.
  enum Form {
    /// Red, green, blue and alpha, a byte each.
    case colors
    /// One 32-bit number for each pixel; NaN where there is none.
    case values
  }

  let form: Form

  /// The numbers of the bands, from 1.
  private let numbers: [Int]

  /// The alpha band; `nil` without one.
  private let alpha: RasterProbe.Band?

  private let isPalette: Bool
  private let scale: ClosedRange<Double>?
  private let missing: [Double]

  /// - Throws: ``SourceError`` that says which key chooses.
  init(_ probe: RasterProbe, _ selection: RasterSelection, file: String) throws(SourceError) {
    func fault(_ message: String) -> SourceError {
      SourceError(code: .configuration, file: file, message: message)
    }
    let isAlpha = { (band: RasterProbe.Band) in band.colorInterpretation == "Alpha" }
    let chosen = try Self.chosen(of: probe, selection, file: file)
    guard let first = chosen.first else { throw fault("has no band of pixels") }
    if let complex = chosen.first(where: { $0.type.hasPrefix("C") }) {
      throw fault("has complex numbers in band \(complex.band); export a real band")
    }
    isPalette =
      chosen.count == 1 && first.colorTable != nil && !selection.hasRamp && selection.scale == nil
    let areBytes = chosen.allSatisfy { $0.type == "Byte" }
    if selection.hasRamp, chosen.count != 1 {
      throw fault(
        "has \(chosen.count) bands, and 'colorRamp' gives colours to one; name it, such as "
          + "'bands: [1]'")
    }
    if !areBytes, !selection.hasRamp, selection.scale == nil {
      throw fault(
        "has values of type \(first.type), which are no colours; set "
          + (chosen.count == 1 ? "'colorRamp: [[0, white], [100, black]]' or " : "")
          + "'scale: [0, 100]' with the range of its values (gdalinfo -mm shows it)")
    }
    let hasValues = chosen.count == 1 && !isPalette && (selection.hasRamp || selection.scale != nil)
    form = hasValues ? .values : .colors
    // Gray becomes three equal bands, so that its edges have an alpha.
    numbers =
      chosen.count == 1 && !hasValues && !isPalette
      ? [first.band, first.band, first.band] : chosen.map(\.band)
    alpha = hasValues || isPalette ? nil : probe.bands.first(where: isAlpha)
    scale = hasValues ? nil : selection.scale
    missing = selection.missing
  }

  /// Returns the bands that the pipeline names, otherwise the bands that the file marks.
  private static func chosen(
    of probe: RasterProbe, _ selection: RasterSelection, file: String
  ) throws(SourceError) -> [RasterProbe.Band] {
    guard selection.bands.isEmpty else {
      return try selection.bands.map { number throws(SourceError) in
        guard let band = probe.bands.first(where: { $0.band == number }) else {
          throw SourceError(
            code: .configuration, file: file,
            message: "has no band \(number); its bands are 1 to \(probe.bands.count)")
        }
        return band
      }
    }
    let visible = probe.visible
    if visible.count == 1 { return visible }
    let named = ["Red", "Green", "Blue"].compactMap { color in
      visible.first { $0.colorInterpretation == color }
    }
    guard named.count == 3 else {
      let ramp = selection.hasRamp ? "" : " with 'colorRamp' or 'scale'"
      throw SourceError(
        code: .configuration, file: file,
        message:
          "has \(visible.count) bands\(probe.steps) and does not say which are red, green and "
          + "blue; name the one that is drawn, 'bands: [1]'\(ramp), or three that are colours, such "
          + "as 'bands: [3, 2, 1]'")
    }
    return named
  }

  /// The arguments of `gdal_translate` for the bands and the missing value alone.
  var choice: [String] {
    var arguments = (numbers + (alpha.map { [$0.band] } ?? [])).flatMap { ["-b", "\($0)"] }
    if missing.count == 1 { arguments += ["-a_nodata", "\(missing[0])"] }
    return arguments
  }

  /// The arguments of a second run of `gdal_translate` that makes colours; `nil` for none.
  ///
  /// - Parameter hasMissing: whether the band has a value for missing pixels.
  func coloring(hasMissing: Bool) -> [String]? {
    let mask = hasMissing ? ["-mask", "mask,1", "-a_nodata", "none"] : []
    if isPalette { return ["-expand", hasMissing ? "rgb" : "rgba"] + mask }
    guard let scale else { return nil }
    var arguments = ["-ot", "Byte"]
    for band in 1...numbers.count {
      arguments += ["-scale_\(band)", "\(scale.lowerBound)", "\(scale.upperBound)", "0", "255"]
    }
    guard let alpha else { return arguments + mask }
    if alpha.type == "UInt16" {
      arguments += ["-scale_\(numbers.count + 1)", "0", "65535", "0", "255"]
    }
    return arguments
  }

  /// The arguments of `gdalwarp` for the pixels.
  var warping: [String] {
    switch form {
    case .values: ["-ot", "Float32", "-dstnodata", "nan"]
    case .colors:
      ["-ot", "Byte", "-dstalpha"]
        + (missing.count == 3
          ? ["-srcnodata", missing.map { "\($0)" }.joined(separator: " ")] : [])
    }
  }
}
