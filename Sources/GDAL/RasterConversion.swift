import Features
package import Files
import Foundation
package import SystemPackage

/// An image that GDAL warps to the grid of Web Mercator's pixels when it is first needed, once only.
package final class RasterConversion: Sendable {
  /// A warped image.
  package struct Content: Sendable {
    /// The pixels, four bytes each, top row first: premultiplied colours, red first, or 32-bit
    /// floating-point numbers, NaN for missing pixels.
    package let pixels: MappedScratch

    package let hasValues: Bool
    package let grid: RasterGrid

    /// The name of the format in GDAL.
    package let format: String

    /// - Throws: `Errno`; `invalidArgument` unless the file holds the pixels of the grid.
    package init(
      _ pixels: FilePath, hasValues: Bool, _ grid: RasterGrid, format: String
    ) throws {
      self.pixels = try MappedScratch(pixels, bytes: grid.columns.count * grid.rows.count * 4)
      self.hasValues = hasValues
      self.grid = grid
      self.format = format
    }
  }

  /// The name of the image in messages.
  package let name: String

  /// The name of what `gdalwarp` writes.
  private static let warped = "warped.raw"

  /// The place of an image.
  package enum Origin: Sendable {
    case file(RasterFile)
    /// A file that has to be unpacked first, by a function that returns it and keeps it.
    case packed(@Sendable () throws -> RasterFile)
    /// The result that an earlier run has for the image.
    case warped(Content)
  }

  private let origin: Origin
  private let selection: RasterSelection
  private let surroundings: GDALSurroundings
  private let outcome = Once<Content>()

  package init(
    _ origin: Origin, name: String, _ selection: RasterSelection, _ surroundings: GDALSurroundings
  ) {
    self.origin = origin
    self.name = name
    self.selection = selection
    self.surroundings = surroundings
  }

  /// Returns the same image with another finest zoom, the one beyond which no detail can be seen.
  package func to(finest zoom: Int) -> RasterConversion {
    guard zoom != selection.finestZoom else { return self }
    var selection = selection
    selection.finestZoom = zoom
    return RasterConversion(origin, name: name, selection, surroundings)
  }

  /// Returns the warped image; the first call makes it.
  ///
  /// - Throws: ``SourceError`` that names the image, and what the checkpoint throws.
  package func content() throws -> Content { try outcome.value(convert) }

  /// The values of a band of numbers.
  package struct Values: Sendable {
    /// The least and the greatest.
    package let range: ClosedRange<Double>

    /// The unit as the file writes it, without brackets: `m`, `K`, `kg m-2`; empty without one.
    package let unit: String

    /// The words for what is measured, such as a variable's names; may be empty.
    package let name: String
  }

  /// The facts about an image by which a draft chooses its keys.
  package struct Facts: Sendable {
    /// The values of the band that is drawn, if it holds numbers; `nil` for colours.
    package var values: Values?

    /// The number of bands, if nothing marks them as colours and only the first is drawn; `nil`
    /// for one band, and for colours.
    package var bandCount: Int?

    /// The meaning of the first of these bands: its description, or its step along a dimension.
    package var firstBand = ""

    /// The range of most values of colour bands with more than a byte per value; `nil` for others.
    package var colorRange: ClosedRange<Double>?

    /// The layers, the largest first, if there are several and none is named; all other facts are
    /// then unknown.
    package var layers: [String] = []

    /// Whether the image has coordinates of its pixels, but no reference system for them.
    package var lacksSystem = false
  }

  /// Returns what a draft has to know.
  package func facts() throws -> Facts {
    var facts = Facts()
    let probe = try open(more: ["-mm"]) { facts.layers = $0.layersBySize }.probe
    guard facts.layers.isEmpty else { return facts }
    facts.lacksSystem = probe.isPlaced && !probe.hasSystem && selection.system == nil
    let bands = probe.visible
    guard let band = bands.first, bands.count == 1 || !probe.namesColors else {
      if bands.contains(where: { $0.type != "Byte" }) {
        facts.colorRange = try open(more: ["-mm", "-stats"]).probe.colorRange
      }
      return facts
    }
    if bands.count > 1 {
      facts.bandCount = bands.count
      facts.firstBand =
        band.dimension.map { "\($0) \(band.step ?? "")" } ?? band.description ?? ""
    }
    guard band.type != "Byte", let low = band.computedMin, let high = band.computedMax, low < high
    else { return facts }
    let unit = band.unit ?? band.text(["GRIB_UNIT", "units", "UNITTYPE"]) ?? ""
    let names = [
      band.text(["standard_name", "GRIB_ELEMENT"]), band.text(["long_name", "GRIB_COMMENT"]),
      band.text(["NETCDF_VARNAME"]), band.description,
    ]
    facts.values = Values(
      range: low...high, unit: unit.trimmingCharacters(in: CharacterSet(charactersIn: "[] ")),
      name: names.compactMap(\.self).joined(separator: " "))
    return facts
  }

  // MARK: Steps

  /// The image linked into a work folder, as the programs find it.
  private struct Opened {
    let input: String
    let probe: RasterProbe
    let run: GDALRun

    func output(
      _ program: GDALProgram, _ arguments: [String], writing written: String? = nil
    ) throws -> String {
      var run = run
      run.program = program
      return try run.output(arguments, writing: written)
    }
  }

  /// - Parameters:
  ///   - more: further arguments of `gdalinfo`.
  ///   - choose: receives a file with several layers if none is named; without it that is an
  ///     error.
  private func open(
    more: [String] = [], choose: ((RasterProbe) -> Void)? = nil
  ) throws -> Opened {
    let folder = try WorkFolder(in: surroundings.folder, for: name)
    var run = GDALRun(
      program: .gdalinfo, folder: folder, surroundings: surroundings, file: name,
      environment: [
        "GDAL_PAM_ENABLED": "YES", "GDAL_VRT_ENABLE_PYTHON": "NO",
        "GDAL_CACHEMAX": "\(surroundings.blockCache)",
      ],
      silence: selection.timeout)
    run.environment["GDAL_SKIP"] = RasterDrivers.skipped(of: try run.output(["--formats"]))
    let file =
      switch origin {
      case .file(let file): file
      case .packed(let unpack): try unpack()
      case .warped:
        throw fault(
          .configuration, "has been warped by an earlier run, whose pixels are all there is")
      }
    var input = "./" + (try file.link(into: folder))
    var probe = try probe(input, more, run)
    if let choose, selection.layer == nil, probe.bands.isEmpty, probe.subdatasets.count > 1 {
      choose(probe)
    } else if selection.layer != nil || probe.bands.isEmpty {
      input = try subdataset(of: probe)
      probe = try self.probe(input, more, run)
    }
    return Opened(input: input, probe: probe, run: run)
  }

  private func probe(_ input: String, _ more: [String], _ run: GDALRun) throws -> RasterProbe {
    try RasterProbe(run.output(["-json"] + more + [input]), file: name)
  }

  /// Returns the subdataset that is named, or the only one.
  private func subdataset(of probe: RasterProbe) throws(SourceError) -> String {
    let all = probe.subdatasets
    let names = all.map(RasterProbe.layerName)
    let shown = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? " …" : "")
    if let layer = selection.layer {
      guard let index = names.firstIndex(of: layer) else {
        throw fault(
          .configuration,
          "has no layer '\(layer)'; its layers are \(shown.isEmpty ? "none" : shown)")
      }
      return all[index]
    }
    guard let only = all.first else { throw fault(.badData, "has no band of pixels") }
    guard all.count == 1 else {
      throw fault(.configuration, "has several layers: \(shown). Name one with 'layer'")
    }
    return only
  }

  private func convert() throws -> Content {
    if case .warped(let content) = origin { return content }
    let opened = try open()
    guard opened.probe.isPlaced else {
      throw fault(
        .configuration,
        "says nothing about where it lies; put a world file beside it, with its 'crs' in the "
          + "pipeline")
    }
    guard opened.probe.hasSystem || selection.system != nil else {
      throw fault(
        .configuration,
        "says nothing about its coordinate reference system; name it, such as 'crs: EPSG:25832'")
    }
    let bands = try RasterBands(opened.probe, selection, file: name)
    let source = try colored(opened, bands)
    let grid = try grid(of: source, opened.run)
    _ = try opened.output(
      .gdalwarp,
      grid.arguments + bands.warping + [
        "-q", "-et", "0", "-r", selection.kernel, "-wm", "256", "-wo", "NUM_THREADS=ALL_CPUS",
        "-wo",
        "UNIFIED_SRC_NODATA=YES", "-of", "ENVI", "-co", "INTERLEAVE=BSQ", source, Self.warped,
      ], writing: Self.warped)
    return try content(opened, bands.form, grid)
  }

  /// Returns the grid that all of the image fits on.
  private func grid(of source: String, _ run: GDALRun) throws -> RasterGrid {
    let probe = try probe(source, [], run)
    guard probe.size.count == 2 else { throw fault(.badData, "says nothing about its size") }
    let survey = try RasterSurvey(
      PixelTransform(run, image: source), width: probe.size[0], height: probe.size[1])
    let box = try survey.box()
    // If no pixel could be measured, the pixels are assumed to fill the box evenly.
    let pixels = Double(probe.size[0]) * Double(probe.size[1])
    let metres = survey.metresPerPixel ?? (box.size.x * box.size.y / pixels).squareRoot()
    let degrees = probe.degreesPerPixel.map { $0 / 360 * RasterGrid.worldMetres } ?? .infinity
    return try RasterGrid(
      box, metresPerPixel: min(metres, degrees), finest: selection.finestZoom, file: name)
  }

  /// Makes the bands to draw from the bands of the file, and returns their name.
  private func colored(_ opened: Opened, _ bands: RasterBands) throws -> String {
    var arguments = ["-q", "-of", "VRT"] + bands.choice
    if let system = selection.system { arguments += ["-a_srs", system] }
    _ = try opened.output(.translate, arguments + [opened.input, "bands.vrt"])
    let text = try opened.run.output(["-json", "bands.vrt"])
    let coloring = bands.coloring(hasMissing: text.contains("\"noDataValue\""))
    let cut = try RasterProbe(text, file: name).oneTurn
    guard coloring != nil || cut != nil else { return "bands.vrt" }
    _ = try opened.output(
      .translate,
      ["-q", "-of", "VRT"] + (cut ?? []) + (coloring ?? []) + ["bands.vrt", "colors.vrt"])
    return "colors.vrt"
  }

  private func content(
    _ opened: Opened, _ form: RasterBands.Form, _ grid: RasterGrid
  ) throws -> Content {
    var file = opened.run.folder.path.appending(Self.warped)
    do {
      if form == .colors {
        let planes = WarpedPlanes(path: file, count: grid.columns.count * grid.rows.count)
        file = opened.run.folder.path.appending("pixels.raw")
        try planes.interleave(into: file, checkpoint: surroundings.checkpoint)
      }
      return try Content(
        file, hasValues: form == .values, grid, format: opened.probe.driverShortName)
    } catch Errno.noSpace, Errno.diskQuotaExceeded {
      throw fault(
        .io,
        "does not fit into \(surroundings.folder) when it is converted; free some space there or "
          + "choose another folder with --tmpdir")
    } catch let error as Errno {
      throw fault(
        error.isOfMachine ? .io : .badData,
        "was not read: gdalwarp ended without an error and left no pixels (\(error))")
    }
  }

  private func fault(_ code: SourceError.Code, _ message: String) -> SourceError {
    SourceError(code: code, file: name, message: message)
  }
}
