import Features
import Styling

/// The keys of the stores of a SpatialConnect config, and of their styles.
///
/// Names and meanings are those that SpatialConnect's SDKs read:
/// https://github.com/planetfederal/spatialconnect-ios-sdk (`SCStoreConfig`, `SCStyle`).
enum StoresKeys {
  /// The form of a store that ``StoresForm`` makes: `type` includes the version, as in `geojson.1`.
  static let stores = TypedSpecification(
    "store",
    types: types { [$0] + own(style: style) } + [featureService { [$0] + own(style: style) }],
    example: example, refused: refused, isVersioned: true, isNamedByID: true)

  /// The form of a store in files: `type` or `store_type`, and `version` beside it.
  static let writtenStores = TypedSpecification(
    "store",
    types: ["type", "store_type"].flatMap { name in
      func keys(_ typeKey: KeySpecification) -> [KeySpecification] {
        var typeKey = typeKey
        typeKey.name = name
        return [typeKey, version] + own(style: writtenStyle)
      }
      return types(keys) + [featureService(keys), archive(keys)]
    }, example: example)

  private static let example = "{type: geojson, uri: stores.geojson}"

  /// The type of SpatialConnect for MBTiles.
  static let archiveType = "mbtiles"

  /// Types of SpatialConnect that are services.
  private static let refused = ["wms", "wmts", "tms", "form", "default"]

  /// The keys of SpatialConnect's apps and servers that do not concern tiles.
  static let ignored = [
    "isMainBundle", "team_id", "team_name", "options", "auth", "mime_type", "zoom_levels",
    "default_layer", "created_at", "updated_at", "deleted_at",
  ]

  /// The keys of a source that a store spells differently.
  private static let replaced: Set<String> = ["type", "data", "url", "id"]

  /// Returns the keys of a store by type: the keys of our source, without the ones that a store
  /// renames.
  private static func types(
    _ keys: (_ type: KeySpecification) -> [KeySpecification]
  ) -> [(name: String, object: ObjectSpecification)] {
    SourceKeys.pipeline.types.map { name, source in
      let type = source.keys.filter { $0.name == "type" }
      let rest = source.keys.filter { !replaced.contains($0.name) }
      return (name, ObjectSpecification("a \(name) store", type.flatMap(keys) + rest))
    }
  }

  /// Returns the keys of a Web Feature Service: those of GeoJSON, with another type.
  private static func featureService(
    _ keys: (_ type: KeySpecification) -> [KeySpecification]
  ) -> (name: String, object: ObjectSpecification) {
    let type = FeatureServiceStore.type
    let geojson = types { _ in [] }.first { $0.name == "geojson" }?.object.keys ?? []
    let typeKey = KeySpecification(
      "type", .choice([type] + FeatureServiceStore.versions.map { "\(type).\($0)" }),
      isRequired: true, "A Web Feature Service that answers with GeoJSON.")
    return (type, ObjectSpecification("a \(type) store", keys(typeKey) + geojson))
  }

  /// Returns the keys of MBTiles: those of raster tiles, with another type.
  private static func archive(
    _ keys: (_ type: KeySpecification) -> [KeySpecification]
  ) -> (name: String, object: ObjectSpecification) {
    let raster = types { _ in [] }.first { $0.name == RasterTileset.type }?.object.keys ?? []
    let typeKey = KeySpecification(
      "type", .choice([archiveType]), isRequired: true, "Raster tiles in MBTiles.")
    return (archiveType, ObjectSpecification("a \(archiveType) store", keys(typeKey) + raster))
  }

  private static func own(style: ValueSpecification) -> [KeySpecification] {
    [
      KeySpecification(
        "uri", .string, isRequired: true,
        "Where the data is: a file, relative to this one, or an http(s) url."),
      KeySpecification(
        "id", .string,
        "The source's name in layers, reports and keys; by default that of the store or its file."),
      KeySpecification("name", .string, "What people call the store; its id where it has none."),
      KeySpecification(
        "style", style,
        "The look of features without simplestyle properties of their own, or layers."),
      KeySpecification(
        "default_layers", .list(of: .string, count: 0...1000),
        "The tables of a GeoPackage that are used, all by default; the layers of a wfs."),
    ]
      + ignored.map {
        KeySpecification($0, .anything, "Read by SpatialConnect's apps; ignored here, with a note.")
      }
  }

  private static let version = KeySpecification(
    "version", .oneOf([.string, .integer(0...(.max))]), default: .string("1"),
    "The version of the type's reader.")

  // MARK: Styles

  /// The specification of an object of simplestyle names, or of a list whose items ``StoresSource``
  /// checks: SpatialConnect's paints, or layers.
  private static let style = ValueSpecification.oneOf([
    .object(look), .list(of: .map(of: .anything), count: 0...1000),
  ])

  private static let writtenStyle = ValueSpecification.oneOf([
    .object(look), .list(of: .object(paint), count: 0...1000),
    .list(of: .typed(layers), count: 0...1000),
  ])

  private static let look = ObjectSpecification("a style", lookKeys)

  /// An item of SpatialConnect's list.
  static let paint = ObjectSpecification(
    "a style",
    [
      KeySpecification("id", .string, "Its name; says nothing about the look."),
      KeySpecification("paint", .object(look), "The look."),
    ])

  /// The names of simplestyle 1.1 and the paint properties that mean the same.
  private static let lookKeys: [KeySpecification] = [
    color("stroke", "The colour of lines and outlines."),
    color("line-color", "The same."),
    opacity("stroke-opacity", "The opacity of lines and outlines."),
    opacity("line-opacity", "The same."),
    number("stroke-width", 0...1000, "The width of lines and outlines in px."),
    number("line-width", 0...1000, "The same."),
    color("fill", "The colour of areas."),
    color("fill-color", "The same."),
    opacity("fill-opacity", "The opacity of areas."),
    color("marker-color", "The colour of points."),
    color("icon-color", "The same."),
    color("circle-color", "The same."),
    KeySpecification(
      "marker-size", .choice(SimpleLook.markerSizes.map(\.name)), "The size of points."),
    number("circle-radius", 0...1000, "The radius of points in px."),
    KeySpecification("marker-symbol", .anything, "Ignored: points are disks here."),
  ]

  private static func color(_ name: String, _ summary: String) -> KeySpecification {
    KeySpecification(name, .oneOf([.string, expression]), summary)
  }

  private static func opacity(_ name: String, _ summary: String) -> KeySpecification {
    number(name, 0...1, summary)
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Double>, _ summary: String
  ) -> KeySpecification {
    KeySpecification(name, .oneOf([.number(range), expression]), summary)
  }

  private static let expression = ValueSpecification.list(of: .anything, count: 1...1000)

  /// The layers of one store; their source is implied, and an id is optional.
  static let layers = TypedSpecification(
    "layer",
    types: LayerKeys.layers.types.filter { $0.name != StyleLayer.Kind.background.rawValue }.map {
      let keys = $0.object.keys.filter { $0.name != "source" }.map { key in
        var key = key
        if key.name == "id" { key.isRequired = false }
        return key
      }
      return (name: $0.name, object: ObjectSpecification($0.object.title, keys))
    }, example: "{id: points, type: circle}", refused: LayerKeys.layers.refused, isNamedByID: true)
}
