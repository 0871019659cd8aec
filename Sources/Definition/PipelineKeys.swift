import Features
import Ingest
import MBTiles

/// The keys of a pipeline file and of a MapLibre style that serves as one.
enum PipelineKeys {
  /// The name of the whole file in messages.
  static let title = "the pipeline"

  /// The keys at the top level of a file with `version: 1`.
  static let pipeline = ObjectSpecification(
    title,
    head(version: 1, "The version of this file format; 8 marks a MapLibre style.")
      + [arguments] + merging + [sources(SourceKeys.pipeline)] + drawing(LayerKeys.layers)
      + outputs)

  /// The keys at the top level of a file with `version: 1` that takes all its sources from other
  /// files.
  static let collection = ObjectSpecification(
    title, pipeline.keys.filter { $0.name != "sources" }.map(requiredInclude))

  /// The keys at the top level of a file with `stores`, normalised by ``StoresForm``.
  static let stores = storesFile(StoresKeys.stores, isRequired: false)

  /// The keys of such a file as people and programs write it, for the JSON Schema.
  static let writtenStores = storesFile(StoresKeys.writtenStores, isRequired: true)

  /// The keys at the top level of a MapLibre style, including those of Quadrille that it may have.
  static let style = ObjectSpecification(
    title,
    head(version: 8, "The version of the style format.")
      + [arguments, sources(SourceKeys.style)] + drawing(LayerKeys.styleLayers) + outputs
      + ignoredStyleKeys.map {
        KeySpecification($0, .anything, summary(ofStyleKey: $0))
      })

  private static func summary(ofStyleKey key: String) -> String {
    switch key {
    case "center": "Where maps first look, unless there is a 'view'."
    case "zoom": "The first zoom of maps, for tiles of 512 px, unless there is a 'view'."
    default: "Read by map viewers; ignored here."
    }
  }

  private static func head(version: Int, _ summary: String) -> [KeySpecification] {
    [
      KeySpecification("version", .numberChoice([version]), isRequired: true, summary),
      KeySpecification(
        "name", .string,
        "The tileset's name in archive and report; the file's name without its ending by default."),
      KeySpecification(
        "description", .string, "What the tileset shows, for the archive's metadata."),
      KeySpecification(
        "attribution", .string, "Who must be named beside the map; HTML as map viewers take it."),
    ]
  }

  private static let arguments = KeySpecification(
    "args", .map(of: .anything),
    "Defaults of the variables that strings use as ${NAME}; the environment wins.")

  /// The keys that include other files.
  private static let merging = [
    KeySpecification(
      "include", .oneOf([.string, .list(of: .string, count: 0...MergeLimits.files)]),
      "Files, relative to this one, whose sources and layers are used too; theirs lie below."),
    KeySpecification(
      "onDuplicateId", .choice(DuplicatePolicy.allCases.map(\.rawValue)),
      default: .string("error"), "What happens when two sources have one name; always reported."),
  ]

  private static func requiredInclude(_ key: KeySpecification) -> KeySpecification {
    var key = key
    if key.name == "include" { key.isRequired = true }
    return key
  }

  private static func sources(_ types: TypedSpecification) -> KeySpecification {
    KeySpecification("sources", .map(of: .typed(types)), isRequired: true, "The data by name.")
  }

  /// - Parameter isRequired: whether there are stores; SpatialConnect's apps split their configs.
  private static func storesFile(
    _ stores: TypedSpecification, isRequired: Bool
  ) -> ObjectSpecification {
    var head = head(version: 1, "The version of this file format, 1.")
    head[0].isRequired = false
    let list = KeySpecification(
      "stores", .list(of: .typed(stores), count: 0...1000), isRequired: isRequired,
      "The data as SpatialConnect's configs list it: type, version, uri, id, name and style.")
    return ObjectSpecification(
      title,
      head + [arguments] + merging + [list] + drawing(LayerKeys.layers) + outputs
        + ignoredStoresKeys.map {
          KeySpecification(
            $0, .anything, "Read by SpatialConnect's apps; ignored here, with a note.")
        })
  }

  private static func drawing(_ layers: TypedSpecification) -> [KeySpecification] {
    [
      KeySpecification(
        "layers", .list(of: .typed(layers), count: 0...1000),
        "What is drawn, the first at the bottom; without any, features are drawn as their "
          + "simplestyle properties say."),
      KeySpecification(
        "state", .map(of: .object(state)),
        "The values that the expression global-state reads, by name."),
    ] + SpriteKeys.keys
  }

  private static let state = ObjectSpecification(
    "a state", [KeySpecification("default", .anything, "The value; null without one.")])

  /// The keys of a style for the view and for things that are not baked.
  static let ignoredStyleKeys = [
    "center", "centerAltitude", "zoom", "bearing", "pitch", "roll", "light", "sky", "projection",
    "terrain", "fog", "lights", "glyphs", "font-faces", "transition", "metadata", "id", "created",
    "modified", "owner", "visibility", "draft", "protected",
  ]

  /// The keys of SpatialConnect's configs other than their stores.
  static let ignoredStoresKeys = ["remote", "forms"]

  /// The keys for the output of the drawing.
  private static let outputs = [
    KeySpecification("tiles", .object(tiles), "Which tiles are made, and how large."),
    KeySpecification(
      "view", .object(view), "The initial view of a map, for the archive's metadata and sidecars."),
    KeySpecification("output", .object(output), "The archive that is published."),
    KeySpecification(
      "expect", .object(expect),
      "What the result must be; a build that is not is refused and the last archive stays."),
    KeySpecification(
      "memory", .string,
      "The most memory that a run holds for itself, such as 512M or 1.5G, as --memory; what does not "
        + "fit lies in temporary files. It does not change the result."),
  ]

  static let tiles = ObjectSpecification(
    "tiles",
    [
      KeySpecification(
        "minzoom", .integer(0...22), default: .number(0), "The first zoom, as in a tile's z."),
      KeySpecification(
        "maxzoom", .integer(0...22), default: .number(14), "The last zoom, as in a tile's z."),
      KeySpecification(
        "tileSize", .numberChoice([256, 512]), default: .number(256),
        "The width of a tile in px; 512 is MapLibre's own world (and the default of a style)."),
      KeySpecification(
        "scale",
        .oneOf([.numberChoice([1, 2, 3]), .list(of: .numberChoice([1, 2, 3]), count: 1...3)]),
        default: .array([.number(1)]),
        "The pixel densities; 2 also writes NAME@2x.mbtiles with twice the pixels, 3 NAME@3x.mbtiles."
      ),
      KeySpecification(
        "snap", .number(0...64), default: .number(0),
        "The step in px to which circle and label centres are rounded; 0 is exact."),
      KeySpecification(
        "bounds", bounds,
        "West, south, east, north in degrees: only tiles that touch this box are made; "
          + "west > east crosses the antimeridian. The whole world by default."),
      KeySpecification(
        "fill", .choice(TileFill.allCases.map(\.rawValue)), default: .string("children"),
        "children writes a shared transparent tile for each empty child of a drawn tile; none does "
          + "not."),
      KeySpecification(
        "format", .choice(TileFormatName.allCases.map(\.rawValue)), default: .string("png"),
        "The format of the tiles. webp is lossless without 'quality'; jpeg has no transparency and "
          + "needs 'background'."),
      KeySpecification(
        "quality", .integer(0...100),
        "The quality of lossy tiles, 0 (smallest) to 100: for jpeg 80 by default, for webp instead "
          + "of lossless."),
      KeySpecification(
        "background", .string,
        "The opaque colour that JPEG tiles show where nothing opaque is drawn."),
      KeySpecification(
        "budget", .string,
        "The most bytes of an archive, such as 40MB: 'maxzoom' is lowered, and without 'format' WebP "
          + "taken, of less quality where it must be, until the plan's estimate fits."),
      KeySpecification(
        "interactivity", .object(interactivity), "The answer to a tap on a tile."),
    ])

  static let view = ObjectSpecification(
    "view",
    [
      KeySpecification(
        "center", .list(of: .number(-360...360), count: 2...2),
        "Longitude and latitude in degrees; the middle of the data by default."),
      KeySpecification(
        "zoom", .integer(0...22),
        "The zoom, as in a tile's z; by default the deepest at which the data fits into 1,024 px."),
    ])

  static let interactivity = ObjectSpecification(
    "interactivity",
    [
      KeySpecification(
        "layers", .list(of: .string, count: 1...1000),
        "The ids of the layers that answer; by default all circle, chart, symbol, fill and line layers."
      ),
      KeySpecification(
        "fields", .list(of: .string, count: 1...1000),
        "The properties that the answer holds; by default all that the sources select."),
      KeySpecification(
        "text", .oneOf([.string, .list(of: .anything, count: 1...1000)]),
        "What the answer says: a MapLibre expression, or a text with {property} in it."),
      KeySpecification(
        "format", .choice(TapFormat.allCases.map(\.rawValue)), default: .string("utfgrid"),
        "utfgrid is what other programs read; compact holds exact shapes in a fraction of the bytes."
      ),
    ])

  static let output = ObjectSpecification(
    "output",
    [
      KeySpecification(
        "path", .string,
        "The archive, ending in .mbtiles or .pmtiles, relative to this file; NAME.mbtiles by default."
      ),
      KeySpecification(
        "layout",
        .choice([OutputDefinition.automaticLayout] + ArchiveLayout.allCases.map(\.rawValue)),
        default: .string(OutputDefinition.automaticLayout),
        "dedup stores equal tiles once, flat is one table; auto takes the smaller by the plan."),
      KeySpecification(
        "aggTilesHash", .boolean, default: .bool(false),
        "Whether the metadata hold agg_tiles_hash, which other programs verify: an MD5 over all tiles, "
          + "computed anew in every build."),
      KeySpecification(
        "keepArchives", .integer(0...1000), default: .number(0),
        "How many earlier archives stay beside it as NAME.mbtiles.1 (the newest), .2 and so on, for "
          + "'rollback'."),
      KeySpecification(
        "keepDeltas", .oneOf([.integer(0...KeptDeltas.maxCount), .string]),
        "How many deltas of earlier runs stay in the list of 'build --delta', or of how many bytes "
          + "together (50MB); by default of no more bytes than the archive has."),
      KeySpecification(
        "updates", .object(updates),
        "What every build writes for apps that follow the archive: deltas and their list, as --delta and "
          + "--sign do."),
      KeySpecification(
        "packs", .object(packs),
        "The division of the archive by regions: one more archive for each, and one that they share."
      ),
      KeySpecification(
        "sidecars", .boolean, default: .bool(true),
        "Whether NAME.tilejson, NAME.style.json and the legend (NAME.legend.png, NAME.legend.json) are "
          + "written beside the archive."),
      KeySpecification(
        "clusterChanges", .boolean, default: .bool(false),
        "Whether NAME.changes.ndjson lists the clusters that a build added, changed or removed."),
    ])

  static let expect = ObjectSpecification(
    "expect",
    [
      KeySpecification(
        "features", .object(range("features")), "How many records must be used, all sources."),
      KeySpecification("tiles", .object(range("tiles")), "How many tiles the archive must hold."),
      KeySpecification(
        "changedTiles", .object(changedTiles),
        "How many tiles may be added, changed or removed since the last archive; "
          + "--accept-changes publishes anyway."),
    ])

  static let changedTiles = ObjectSpecification(
    "changedTiles",
    [
      KeySpecification(
        "min", amount, "The minimum number of tiles, or share of the last archive's."),
      KeySpecification(
        "max", amount, "The maximum number of tiles, or share of the last archive's."),
    ])

  /// The specification of a number of tiles or a share of them.
  private static let amount = ValueSpecification.oneOf([.integer(0...(.max)), .percentage])

  private static func range(_ title: String) -> ObjectSpecification {
    ObjectSpecification(
      title,
      [
        KeySpecification("min", .integer(0...(.max)), "The minimum."),
        KeySpecification("max", .integer(0...(.max)), "The maximum."),
      ])
  }

  /// The specification of a box: west, south, east, north in degrees.
  static let bounds = ValueSpecification.list(of: .number(-360...360), count: 4...4)
}
