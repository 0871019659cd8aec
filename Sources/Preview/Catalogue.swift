import Definition
import Ingest
import JSON
import MBTiles
import Overlays
import Pictures
import Runs
import SystemPackage
import Tiling

/// The description of the tilesets for the page: `catalogue.json`.
struct Catalogue {
  let tilesets: [PreviewTileset]
  let pool: ArchivePool

  /// The boxes of the archives' data; `nil` for those that need none.
  let focuses: FileStampCache<GeoBounds?>

  /// The zooms that are listed.
  let zooms: ClosedRange<Int>

  /// Maximum bytes of a manifest or legend; a larger one is refused.
  private static let maxBytes = 64 << 20

  /// Whether a running server answers, which can search; an exported folder cannot.
  var isLive = true

  /// The tilesets that are painted, by their identifiers.
  var painted: [String: any PaintedTiles] = [:]

  /// Those of them whose look can be changed.
  var looked: Set<String> = []

  /// Returns the current catalogue; archives may have been replaced since the last call.
  ///
  /// - Throws: if an archive or manifest cannot be read.
  func json() throws -> ReportJSON {
    .members(["version": .integer(1), "tilesets": .array(try tilesets.map { try entry(of: $0) })])
  }

  /// The properties of a tileset that are known without reading each tile.
  struct Extent: Hashable {
    var bounds: GeoBounds
    var longitude: Double
    var latitude: Double
    var zoom: Int
    var minZoom: Int
    var maxZoom: Int

    /// The zooms that the archive has.
    var storedZooms: ClosedRange<Int>
  }

  private func entry(of tileset: PreviewTileset) throws -> ReportJSON {
    if let painted = painted[tileset.id] {
      let entry = painted.description.entry(of: tileset)
      return looked.contains(tileset.id)
        ? entry.adding("look", .string("tilesets/\(tileset.id)/look.json")) : entry
    }
    guard let first = tileset.files.first else { return .null }
    let manifest = tileset.isSeries ? try Self.manifest(first.path) : nil
    let sample = try tileset.sample(first.scale, manifest)
    let focus = tileset.isSeries ? nil : try focus(of: sample)
    return try pool.read(sample) { reader in
      let taps = try TapForm(reader)
      var extent = Self.extent(of: reader)
      if let manifest {
        extent.bounds = manifest.bounds
        extent.minZoom = manifest.frames.map(\.archive.minZoom).min() ?? extent.minZoom
        extent.maxZoom = manifest.frames.map(\.archive.maxZoom).max() ?? extent.maxZoom
      }
      extent.minZoom = min(max(extent.minZoom, zooms.lowerBound), extent.maxZoom)
      extent.maxZoom = max(min(extent.maxZoom, zooms.upperBound), extent.minZoom)
      extent.zoom = min(max(extent.zoom, extent.minZoom), extent.maxZoom)
      let box = extent.bounds
      let suffix = Self.suffix(of: reader)
      var members: [ReportJSON.Member] = [
        .init("id", .string(tileset.id)),
        .init("title", .string(Self.title(of: tileset, reader.metadata["name"]))),
        .init("description", .string(reader.metadata["description"] ?? "")),
        .init("attribution", .string(reader.metadata["attribution"] ?? "")),
        .init("bounds", Self.json(box)), .init("focus", Self.json(focus?.part(of: box) ?? box)),
        .init(
          "center",
          .array([.number(extent.longitude), .number(extent.latitude), .integer(extent.zoom)])),
        .init("minzoom", .integer(extent.minZoom)), .init("maxzoom", .integer(extent.maxZoom)),
        .init("tileSize", .integer(try Self.tileSize(of: reader))),
        .init("taps", .bool(taps != nil)),
        .init(
          "densities",
          .array(tileset.files.map { densities(of: tileset, $0, taps, suffix: suffix) })),
      ]
      if taps != nil, isLive {
        members.append(.init("search", .string("tilesets/\(tileset.id)/search.json")))
      }
      if let manifest { members.append(.init("series", Self.series(manifest))) }
      let report = tileset.companion(".report.json", of: first)
      if FileStamp(report) != nil {
        members.append(.init("report", .string("tilesets/\(tileset.id)/report.json")))
      }
      if isLive, PipelineLook(report: report) != nil {
        members.append(.init("look", .string("tilesets/\(tileset.id)/look.json")))
      }
      if let legend = Self.legend(of: tileset) { members.append(.init("legend", legend)) }
      return .object(members)
    }
  }

  static func json(_ box: GeoBounds) -> ReportJSON {
    .array([box.west, box.south, box.east, box.north].map { .number($0) })
  }

  /// Returns the box of an archive's data; `nil` if that is not known.
  private func focus(of path: String) throws -> GeoBounds? {
    try focuses.value(of: path) {
      try pool.read(path) { reader in
        reader.taps.flatMap { DataFocus($0, Self.extent(of: $0).storedZooms)?.bounds }
      }
    }
  }

  /// Returns the map's name; for a series, and for a map without a name, the name of its file.
  private static func title(of tileset: PreviewTileset, _ name: String?) -> String {
    guard !tileset.isSeries, let name, name.contains(where: { !$0.isWhitespace }) else {
      return tileset.title
    }
    return name
  }

  private func densities(
    of tileset: PreviewTileset, _ file: PreviewTileset.File, _ taps: TapForm?, suffix: String
  ) -> ReportJSON {
    let folder = "tiles/\(tileset.id)/\(file.scale)x\(tileset.isSeries ? "/{frame}" : "")"
    let stem = "\(folder)/{z}/{x}/{y}"
    let name =
      tileset.isSeries
      ? "{frame}\(PreviewTileset.archiveSuffix)" : FilePath(file.path).lastComponent?.string ?? ""
    var members: [ReportJSON.Member] = [
      .init("scale", .integer(file.scale)), .init("tiles", .string("\(stem).\(suffix)")),
      .init("file", .string(name)),
    ]
    switch taps {
    case .grids: members.append(.init("grids", .string("\(stem).grid.json")))
    case .blocks:
      members.append(.init("blocks", .string("\(stem).taps")))
      members.append(.init("entries", .string("\(folder)/entries/{first}.taps")))
    case nil: break
    }
    return .object(members)
  }

  private static func series(_ manifest: FramesManifest) -> ReportJSON {
    let frames = manifest.frames.map { frame -> ReportJSON in
      .members([
        "time": .string("\(frame.time)"), "frame": .string(frame.time.fileName),
        "duration": .integer(frame.duration),
      ])
    }
    let gaps = manifest.gaps.map { gap -> ReportJSON in
      .members([
        "from": .string("\(gap.from)"), "to": .string("\(gap.to)"),
        "missing": .integer(gap.missing),
        "policy": .string(gap.policy.rawValue),
      ])
    }
    return .members([
      "frameDuration": .integer(manifest.presentation.frameDuration),
      "loop": .bool(manifest.presentation.loops), "default": .string("\(manifest.defaultFrame)"),
      "frames": .array(frames), "gaps": .array(gaps),
    ])
  }

  /// Returns the member about a legend: the addresses of its picture and its data, and its text.
  ///
  /// - Parameter document: the legend as JSON, `nil` for one without.
  static func legend(
    of tileset: PreviewTileset, _ document: ReportJSON?, scale: Int
  ) -> ReportJSON {
    let data: [ReportJSON.Member] =
      document == nil ? [] : [.init("data", .string("tilesets/\(tileset.id)/legend.json"))]
    return .object(
      data + [
        .init("image", .string("tilesets/\(tileset.id)/legend.png")),
        .init("scale", .integer(scale)),
        .init("text", .string(document?["text"]?.text ?? "Legend of \(tileset.title)")),
      ])
  }

  /// Returns the legend of the highest density that has one.
  private static func legend(of tileset: PreviewTileset) -> ReportJSON? {
    for file in tileset.files.reversed()
    where FileStamp(tileset.companion(".legend.png", of: file)) != nil {
      let document =
        (try? DocumentFile.read(
          tileset.companion(".legend.json", of: file), limit: 1 << 20, waits: false))
        .flatMap { ReportJSON($0) }
      // Images do not have entries.
      if document?["entries"] == .array([]) { continue }
      return legend(of: tileset, document, scale: file.scale)
    }
    return nil
  }

  static func manifest(_ path: String) throws(PipelineError) -> FramesManifest {
    guard let bytes = try? DocumentFile.read(path, limit: maxBytes, waits: false) else {
      throw PipelineError(
        .missingInput, "the manifest cannot be read.", at: DocumentPlace(file: path))
    }
    do {
      return try FramesManifest(try JSONValueParser.parse(bytes, name: path), name: path)
    } catch {
      throw PipelineError(.badData, "\(error)", at: DocumentPlace(file: path))
    }
  }

  /// Returns the extent in an archive's metadata, clamped to valid values.
  static func extent(of reader: any StoredTiles) -> Extent {
    let metadata = reader.metadata
    func zoom(_ key: String, _ other: Int) -> Int {
      min(max(metadata[key].flatMap { Int($0) } ?? other, 0), TileCoord.maxZoom)
    }
    let first = zoom("minzoom", 0)
    let last = max(first, zoom("maxzoom", first))
    var bounds = metadata["bounds"].flatMap { GeoBounds($0) } ?? .world
    if bounds.west >= bounds.east { (bounds.west, bounds.east) = (-180, 180) }
    let limit = WorldPoint.maxLatitude
    bounds = GeoBounds(
      west: max(bounds.west, -180), south: max(bounds.south, -limit), east: min(bounds.east, 180),
      north: min(bounds.north, limit))
    let center = (metadata["center"] ?? "").split(separator: ",").compactMap { Double($0) }
    let isWhole = center.count == 3 && center.allSatisfy(\.isFinite)
    return Extent(
      bounds: bounds,
      longitude: isWhole ? min(max(center[0], -180), 180) : (bounds.west + bounds.east) / 2,
      latitude: isWhole ? min(max(center[1], -limit), limit) : (bounds.south + bounds.north) / 2,
      zoom: isWhole ? Int(min(max(center[2], Double(first)), Double(last))) : first,
      minZoom: first, maxZoom: last, storedZooms: first...last)
  }

  /// Returns the extension of the addresses of an archive's tiles.
  static func suffix(of reader: any StoredTiles) -> String {
    let format = reader.metadata["format"].flatMap { TileFormat(metadata: $0) } ?? .png
    return TileFormat.pictures.contains(format)
      ? format.fileExtension : TileFormat.png.fileExtension
  }

  /// Returns the width of a tile at density 1 in pixels: 256 or 512.
  private static func tileSize(of reader: any StoredTiles) throws -> Int {
    let scale = reader.metadata["scale"].flatMap { Int($0) } ?? 1
    guard let tile = try reader.anyTile(),
      let info = tile.withUnsafeBytes({ try? PictureStructure($0) })
    else { return 256 }
    return info.width == 512 * max(1, min(scale, 4)) ? 512 : 256
  }
}

extension GeoBounds {
  /// Returns the part of a box of data within an archive's bounds; the whole if they do not meet, or
  /// if it goes on beyond the antimeridian.
  fileprivate func part(of bounds: GeoBounds) -> GeoBounds {
    guard east <= 180, west < bounds.east, east > bounds.west, south < bounds.north,
      north > bounds.south
    else { return self }
    return GeoBounds(
      west: max(west, bounds.west), south: max(south, bounds.south), east: min(east, bounds.east),
      north: min(north, bounds.north))
  }
}

/// The form in which an archive answers taps.
enum TapForm {
  case grids, blocks

  /// - Returns: `nil` if it answers none.
  init?(_ archive: any StoredTiles) throws {
    guard let taps = archive.taps else { return nil }
    if try taps.hasTapBlocks() {
      self = .blocks
    } else if try taps.hasGrids() {
      self = .grids
    } else {
      return nil
    }
  }
}

extension PreviewTileset {
  /// Returns the archive that represents the tileset: itself, or the first frame.
  fileprivate func sample(_ scale: Int, _ manifest: FramesManifest?) throws -> String {
    let frame = manifest?.frames.first?.time.fileName
    guard let path = archive(scale: scale, frame: frame) else {
      throw PipelineError(.badData, "the manifest of \(title) names no frame.")
    }
    return path
  }
}
