import Definition
import Features
import Files
import GDAL
import Ingest
import Inputs
import OrderedCollections
import Overlays
import Platform
import Runs
import Scenes
import SystemPackage
import Tiling

/// The drafting of images and of folders with the frames of a series.
struct ImageDrafter {
  let records: SourceDrafter

  /// The box of images that do not say where they lie.
  let bounds: GeoBounds?

  /// The paths as the pipeline file spells them.
  let paths: DraftPaths

  /// The most files of a folder that are looked at.
  private static let fileLimit = 100_000

  // MARK: Images

  /// Returns the draft of an image: placed by a world file, by its table of tiles, by the given box, or
  /// by what GDAL finds in it.
  ///
  /// - Throws: ``PipelineError`` that says what is missing where it has no place.
  func image(
    _ path: String, name: String, table: String? = nil
  ) throws(PipelineError) -> SourceDraft {
    var keys: OrderedDictionary<String, PropertyValue> = [
      "type": .string("image"), "url": .string(paths.spelled(path)),
    ]
    if let table {
      keys["table"] = .string(table)
    } else if let warped = try warped(path, name, keys) {
      return warped
    } else if let world = try worldFile(of: path) {
      if let projection = try projection(of: world, path) {
        keys["projection"] = .string(projection.rawValue)
      } else if let crs = records.choices.crs {
        keys["crs"] = .string(crs)
      }
    } else if let bounds {
      keys["bounds"] = Self.value(bounds)
    } else {
      throw unplaced(path)
    }
    let loaded = try load(name, keys)
    return SourceDraft(
      name: name, keys: keys, content: .image(loaded.source.extent, loaded.source.size))
  }

  /// Returns the projection of an image with a world file; `nil` where GDAL has to warp it from the
  /// reference system that the user named.
  ///
  /// - Throws: ``PipelineError`` where only the user knows the system.
  private func projection(
    of image: PlacedImage, _ path: String
  ) throws(PipelineError) -> ImageProjection? {
    guard let crs = records.choices.crs else {
      switch image.system {
      case .degrees: return .equirectangular
      case .webMercator: return .mercator
      case .unknown: throw unnamedSystem(image, path)
      }
    }
    switch crs.uppercased() {
    case "EPSG:3857", "EPSG:900913", "EPSG:102100": return .mercator
    case "EPSG:4326", "OGC:CRS84", "CRS84": return .equirectangular
    default: return nil
    }
  }

  private func unnamedSystem(_ image: PlacedImage, _ path: String) -> PipelineError {
    let place = image.file.firstCentre
    func metres(_ number: Double) -> String { ReportNumber.decimal(number, 1) }
    let mercator =
      image.mayBeWebMercator
      ? " If it is that of web maps, say so: --crs EPSG:3857." : ""
    return PipelineError(
      .missingInput,
      "its world file has metres (\(metres(place.x)), \(metres(place.y)) at the first pixel) and does "
        + "not name their reference system. Name it: quadrille new FILE --crs EPSG:…, such as EPSG:25832."
        + mercator, at: DocumentPlace(file: path))
  }

  private func load(
    _ name: String, _ keys: OrderedDictionary<String, PropertyValue>
  ) throws(PipelineError) -> LoadedImage {
    guard let source = try records.pipeline(name, keys).sources.first else {
      throw PipelineError(.bug, "a drafted image is missing.")
    }
    return try source.loadImage()
  }

  /// Returns the draft of an image that GDAL warps, whose numbers get the colours of what they
  /// measure; `nil` for another.
  private func warped(
    _ path: String, _ name: String, _ keys: OrderedDictionary<String, PropertyValue>
  ) throws(PipelineError) -> SourceDraft? {
    guard bounds == nil,
      try records.pipeline(name, keys).sources.first?.warped != nil
    else { return nil }
    var keys = keys
    var comments: [String: String] = [:]
    if let crs = records.choices.crs { keys["crs"] = .string(crs) }
    if let layer = records.choices.layer { keys["layer"] = .string(layer) }
    guard let conversion = try records.pipeline(name, keys).sources.first?.warped?.conversion else {
      return nil
    }
    var facts = try PipelineError.wrapping { try conversion.facts() }
    if let layer = facts.layers.first {
      keys["layer"] = .string(layer)
      if facts.layers.count > 1 { comments["layer"] = Self.words(for: facts.layers) }
      let chosen = try records.pipeline(name, keys).sources.first?.warped?.conversion
      facts = try PipelineError.wrapping { try chosen?.facts() } ?? facts
    }
    guard !facts.lacksSystem else {
      throw PipelineError(
        .missingInput,
        "it does not name its coordinate reference system. Name it: quadrille new FILE --crs EPSG:…, "
          + "such as EPSG:25832.", at: DocumentPlace(file: path))
    }
    if let range = facts.colorRange {
      let reach = (range.upperBound - range.lowerBound) / 50
      keys["scale"] = .array(
        [range.lowerBound, range.upperBound].map {
          .number(ClassBreaks.round($0, low: $0 - reach, high: $0 + reach))
        })
      comments["scale"] = "The values that become black and white: most lie between them."
    }
    if let count = facts.bandCount {
      keys["bands"] = .array([.number(1)])
      comments["bands"] =
        "The first of \(count), which are no colours"
        + (facts.firstBand.isEmpty ? "." : ": \(facts.firstBand).")
    }
    let ramp = facts.values.map { ValueRamp($0, source: name) }
    if let ramp { keys["colorRamp"] = ramp.value }
    comments["colorRamp"] = ramp.map { "C\($0.words.dropFirst())." }
    let loaded = try load(name, keys)
    var draft = SourceDraft(
      name: name, keys: keys,
      content: .image(loaded.source.extent, loaded.source.size))
    draft.coloring = ramp?.words
    draft.comments = comments
    return draft
  }

  private static func words(for layers: [String]) -> String {
    let others = layers.dropFirst().prefix(12).joined(separator: ", ")
    return
      "The largest, or the first of equals. Others: \(others) (quadrille new FILE --layer NAME)."
  }

  private func unplaced(_ path: String) -> PipelineError {
    PipelineError(
      .missingInput,
      "nothing says where the image lies. Put its world file beside it (\(Self.worldName(path))), or "
        + "give its box in degrees: --bounds west,south,east,north.",
      at: DocumentPlace(file: path))
  }

  private static func worldName(_ path: String) -> String {
    let path = DataFile.unpackedName(of: path)
    return FilePath(path).stem.map { "\($0).\(path.lowercased().hasSuffix("png") ? "pgw" : "jgw")" }
      ?? ""
  }

  private static func value(_ bounds: GeoBounds) -> PropertyValue {
    .array(
      [bounds.west, bounds.south, bounds.east, bounds.north].map { .number(rounded($0)) })
  }

  /// Rounds degrees to 10⁻⁷, a centimetre.
  private static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

  // MARK: World files

  /// A world file with the size of its image.
  private struct PlacedImage {
    let file: WorldFile
    let size: ImageSize

    var system: WorldFile.System { file.system(width: size.width, height: size.height) }

    var mayBeWebMercator: Bool {
      file.mayBeWebMercator(width: size.width, height: size.height)
    }
  }

  private func worldFile(of path: String) throws(PipelineError) -> PlacedImage? {
    guard
      let file = WorldFiles.first(
        beside: DataFile.unpackedName(of: path))
    else { return nil }
    let text = String(decoding: try DocumentFile.read(file, limit: 4096), as: UTF8.self)
    // The header of a photograph may stand behind a preview of some kilobytes.
    let image = try records.localPath([
      "type": .string("image"), "url": .string(paths.spelled(path)),
    ])
    let head = SourceInput.file(image, name: path).head(1 << 20)
    return try PipelineError.wrapping {
      return unsafe PlacedImage(
        file: try WorldFile(text),
        size: try head.withUnsafeBytes { try unsafe ImageSize(header: $0) })
    }
  }

  // MARK: Folders

  /// Returns the draft of a folder whose images are the frames of a series; `nil` if their names hold
  /// no times.
  func series(_ folder: String, name: String) throws(PipelineError) -> SourceDraft? {
    let names = try imageNames(folder)
    guard let first = names.first, let ending = FilePath(first).extension,
      let pattern = TimeNames.pattern(of: names)
    else { return nil }
    let glob = paths.spelled(folder).droppingSlash + "/*." + ending
    let path = FilePath(folder).appending(first).string
    var keys: OrderedDictionary<String, PropertyValue> = [
      "type": .string("image-series"), "frames": .string(glob), "time": .string(pattern),
    ]
    var box = bounds
    var projection: ImageProjection?
    if box == nil, let world = try worldFile(of: path) {
      projection = try self.projection(of: world, path)
      guard let projection else {
        throw PipelineError(
          .usage,
          "the frames of a series are not warped. Convert them to EPSG:3857 by gdalwarp, or name a box "
            + "in degrees: --bounds west,south,east,north.", at: DocumentPlace(file: path))
      }
      let degrees = try PipelineError.wrapping {
        try ImagePlacement(
          worldFile: world.file, width: world.size.width, height: world.size.height,
          projection: projection
        ).extent.degrees
      }
      box = GeoBounds(
        west: degrees.west, south: degrees.south, east: degrees.east, north: degrees.north)
    }
    guard let box else { throw unplaced(path) }
    keys["bounds"] = Self.value(box)
    if projection == .equirectangular {
      keys["projection"] = .string(ImageProjection.equirectangular.rawValue)
    }
    // One frame stands for all: the sizes are compared when the series is built.
    var still: OrderedDictionary<String, PropertyValue> = [
      "type": .string("image"), "url": .string(paths.spelled(path)), "bounds": Self.value(box),
    ]
    still["projection"] = keys["projection"]
    let loaded = try load(name, still)
    return SourceDraft(
      name: name, keys: keys,
      content: .series(loaded.source.extent, loaded.source.size))
  }

  /// Returns the names of the images in a folder that share the most frequent ending.
  func imageNames(_ folder: String) throws(PipelineError) -> [String] {
    let all: [String]
    do {
      all = try FolderListing.sortedNames(in: FilePath(folder), limit: Self.fileLimit)
    } catch {
      throw PipelineError(
        .inputOutput, "the folder cannot be listed.", at: DocumentPlace(file: folder))
    }
    let images = all.filter { name in
      ["png", "jpg", "jpeg", "webp"].contains(FilePath(name).extension?.lowercased() ?? "")
        && !name.hasPrefix(".")
    }
    let endings = Dictionary(grouping: images) { FilePath($0).extension ?? "" }
    return endings.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
  }
}

extension String {
  /// The path without slashes at its end.
  fileprivate var droppingSlash: String {
    var path = self
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
