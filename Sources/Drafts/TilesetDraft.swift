import Definition
import Features
import Files
import MBTiles
import OrderedCollections
import Overlays
import Runs
import SystemPackage
import Tilesets
import Tiling

/// A style drafted from the layers of vector tiles: areas below lines below labels, with the colours
/// that maps give to layers of these names; of raster tiles, the one layer that shows them.
struct TilesetDraft {
  let survey: TilesetSurvey
  let name: String
  private let data: String
  private let path: String
  private let palette: TilesetPalette
  private let layers: [LayerDraft]

  /// Whether the tiles have the land itself, so that what they leave free is the sea.
  private let hasLand: Bool

  private static let backgroundID = "background"

  /// The most tiles of a draft, by its box and last zoom.
  private static let tileLimit = 1_000_000.0

  /// - Parameters:
  ///   - path: the tileset as the user named it.
  ///   - data: the same as the pipeline file spells it.
  ///   - names: the names that other sources have.
  /// - Returns: `nil` for a path that does not lead to tiles.
  /// - Throws: ``PipelineError`` where a tileset cannot be read.
  init?(
    _ path: String, data: String, _ palette: TilesetPalette = .full, besides names: [String] = []
  ) throws(PipelineError) {
    // What is named as ground is meant to be tiles.
    guard palette.isQuiet || Self.mayBeTileset(path) else { return nil }
    do throws(ArchiveError) {
      guard let survey = try TilesetSurvey(try TilesetOpening.open(FilePath(path))) else {
        return nil
      }
      self.survey = survey
    } catch {
      // A database of another program, or a folder of images; but what says that it is tiles is meant.
      let isDescribed = ["tilemapresource.xml", "conf.xml"].contains {
        FileStatus(FilePath(path).appending($0))?.kind == .file
      }
      guard !isDescribed, !palette.isQuiet, error.code == .badArchive || error.code == .missing
      else {
        throw PipelineError(error.failureCode, error.message, at: DocumentPlace(file: path))
      }
      return nil
    }
    self.path = path
    self.data = data
    self.palette = palette
    name = DraftName.unique(DataFile.stem(of: path), besides: names)
    var drafted: [TilesetLayerDrafter.Placed] = []
    let isBasemap = survey.layers.keys.count { TilesetRole.isKnown($0) } > 1
    for (number, layer) in survey.layers.values.enumerated() {
      drafted += try TilesetLayerDrafter(
        layer, of: name, number: number, isBasemap: isBasemap, palette
      ).layers()
    }
    let ordered = drafted.enumerated().sorted {
      ($0.element.role, $0.element.draft.isCasing ? 0 : 1, $0.offset)
        < ($1.element.role, $1.element.draft.isCasing ? 0 : 1, $1.offset)
    }
    // Layers of tiles may have any names, such as those that a draft makes of others.
    var ids = [Self.backgroundID]
    layers = ordered.map { place in
      var draft = place.element.draft
      var number = 1
      while ids.contains(draft.id) {
        number += 1
        draft.id = "\(place.element.draft.id)-\(number)"
      }
      ids.append(draft.id)
      return draft
    }
    hasLand = ordered.contains { $0.element.role == .land }
  }

  /// Whether the file's first bytes, or the folder's content, are those of a tileset.
  private static func mayBeTileset(_ path: String) -> Bool {
    guard let status = FileStatus(FilePath(path)) else { return false }
    if status.kind == .folder {
      // Folders of tiles have a folder for each zoom.
      return FolderListing.names(in: FilePath(path)).contains {
        UInt8($0).map { $0 <= 30 } ?? false
      }
    }
    let ending = FilePath(path).extension?.lowercased() ?? ""
    if ["mbtiles", "pmtiles", "tilejson"].contains(ending) { return true }
    switch FileSignature(FileHead.bytes(of: FilePath(path), FileSignature.byteCount)) {
    case .pmtiles: return true
    case .sqlite: return !["gpkg", "sqlite"].contains(ending)
    default: return false
    }
  }

  // MARK: Text

  var text: String {
    DraftText.text(entries, head: head)
  }

  var summary: String {
    let count = survey.picture == nil ? "\(layers.count + 1) layers" : "1 layer"
    return "1 source, \(count), zoom \(zooms.lowerBound) to \(zooms.upperBound)"
  }

  private var head: [String] {
    guard survey.picture == nil else {
      return ["A map of the tiles of \(path), drafted by 'quadrille new'."] + guesses
    }
    var lines = ["A style for the layers of \(path), drafted by 'quadrille new'."] + guesses
    let empty = survey.layers.values.filter { layer in
      !layers.contains { $0.sourceLayer == layer.name }
    }
    if !empty.isEmpty {
      lines.append("Not drawn: \(empty.map(\.name).joined(separator: ", ")).")
    }
    return lines
  }

  private var guesses: [String] {
    survey.head.assumesRows
      ? ["Nothing says whether rows count from the north; 'scheme: tms' if it is upside down."]
      : []
  }

  /// The source of the tiles.
  var source: PropertyValue {
    var source: OrderedDictionary<String, PropertyValue> = [
      "type": .string(survey.picture == nil ? VectorTileSource.type : "raster"),
      "data": .string(data),
    ]
    if survey.head.assumesRows { source["scheme"] = .string("xyz") }
    if let shown { source["tileSize"] = .number(Double(shown)) }
    return .object(source)
  }

  private var entries: [DraftEntry] {
    [
      DraftEntry("version", .number(1)), DraftEntry("name", .string(name)),
      DraftEntry("sources", .object([name: source])),
      DraftEntry("layers", .list(layerEntries), comment: "The first is drawn first."),
      DraftEntry("tiles", .keys(tiles)),
      DraftEntry("output", .object(["path": .string("\(name)-map.mbtiles")])),
    ]
  }

  var layerEntries: [[DraftEntry]] {
    guard survey.picture == nil else {
      return [LayerDraft(.image, name, "raster", of: name, comment: "The tiles.").entries]
    }
    let background = [
      DraftEntry("id", .string(Self.backgroundID)), DraftEntry("type", .string("background")),
      DraftEntry(
        "paint",
        .object([
          "background-color": .string(
            hasLand ? palette.water : palette.land)
        ])),
    ]
    return [background] + layers.map(\.entries)
  }

  /// The side at which tiles of several pixels for each of the map are shown; `nil` for others.
  private var shown: Int? {
    guard let scale = survey.head.scale, scale > 1, let side = survey.picture?.side else {
      return nil
    }
    let shown = Int((Double(side) / scale).rounded())
    return (32...4096).contains(shown) ? shown : nil
  }

  /// The zooms, of which the last is one whose tiles an archive can hold.
  private var zooms: ClosedRange<Int> {
    var last = survey.zooms.upperBound
    while last > survey.zooms.lowerBound, tileCount(last) > Self.tileLimit { last -= 1 }
    return survey.zooms.lowerBound...last
  }

  private func tileCount(_ zoom: Int) -> Double {
    let range = TileRange(WorldBox(survey.bounds ?? .world), zoom: zoom)
    return Double(range.count)
  }

  private var tiles: [DraftEntry] {
    var entries = [
      DraftEntry("minzoom", .number(Double(zooms.lowerBound))),
      DraftEntry(
        "maxzoom", .number(Double(zooms.upperBound)),
        comment: "Each further zoom has up to four times the tiles; 'quadrille plan' counts them."),
    ]
    if (shown ?? survey.picture?.side ?? 512) >= 512 {
      entries.append(
        DraftEntry(
          "tileSize", .number(512), comment: "The size for which the tiles were made."))
    }
    if survey.picture?.format == .jpeg {
      entries.append(DraftEntry("format", .string("jpeg")))
      entries.append(
        DraftEntry(
          "background", .string("#ffffff"), comment: "The colour where there is no picture."))
    }
    if let box = survey.bounds, box != .world {
      entries.append(
        DraftEntry(
          "bounds",
          .array([box.west, box.south, box.east, box.north].map { .number(Self.rounded($0)) })))
    }
    return entries
  }

  /// Rounds degrees to 10⁻⁷, a centimetre.
  static func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}

extension LayerDraft {
  /// Whether the layer draws the edges of roads.
  fileprivate var isCasing: Bool { id.hasSuffix("-casing") }
}
