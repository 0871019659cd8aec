import Features
import Ingest
import OrderedCollections
import Overlays
import Tiling

/// The keys of the sources by type.
enum SourceKeys {
  static let imageType = "image"
  static let seriesType = "image-series"

  /// The sources of a file with `version: 1`.
  static let pipeline = TypedSpecification(
    "source",
    types: SourceRegistry.names.map { (name: $0, object: recordObject($0)) } + [
      (
        name: VectorTileSource.type,
        object: object(
          VectorTileSource.type, VectorTileSource.spellings,
          [VectorTileSource.data, VectorTileSource.tiles] + VectorTileSource.sourceKeys
            + RemoteKeys.keys)
      ),
      (
        name: RasterTileset.type,
        object: object(
          RasterTileset.type, RasterTileset.spellings,
          [RasterTileset.data, RasterTileset.tiles] + RasterTileset.sourceKeys
            + pixels.filter { $0.name != "colorRamp" } + RemoteKeys.keys)
      ),
      (name: imageType, object: image),
      (
        name: seriesType,
        object: object(
          seriesType, [seriesType, "\(seriesType).1"],
          SeriesKeys.keys + placement + pixels + RemoteKeys.keys)
      ),
    ],
    example: "{type: csv, data: stores.csv}", refused: ["raster-dem", "video"], isVersioned: true,
    synonyms: places)

  /// The types of sources of a MapLibre style that can be baked.
  static let style = TypedSpecification(
    "source",
    types: [
      (name: "geojson", object: styleGeoJSON),
      (name: VectorTileSource.type, object: VectorTileSource.styleKeys),
      (name: RasterTileset.type, object: RasterTileset.styleKeys),
      (name: imageType, object: image),
    ], example: "{type: geojson, data: stores.geojson}", refused: ["raster-dem", "video"],
    synonyms: places)

  /// Names of keys for the location of the data.
  private static let places: Set = ["data", "url", "file", "uri", "path", "frames"]

  private static let image = object(
    imageType, [imageType, "\(imageType).1"],
    [url] + placement + [worldFile] + tileTable + WarpedImageKeys.keys + pixels
      + RemoteKeys.keys)

  /// Returns the keys of a format of records: those of all its versions.
  private static func recordObject(_ name: String) -> ObjectSpecification {
    let versions = SourceRegistry.types.filter { $0.type == name }
    var own: [KeySpecification] = []
    for key in versions.flatMap({ $0.keys }) where !own.contains(where: { $0.name == key.name }) {
      own.append(key)
    }
    let data =
      name == OGRSource.type
      ? convertedData
      : versions.contains { $0.takesInlineData }
        ? inlineData : versions.contains { $0.takesStandardInput } ? pipedData : data
    return object(
      name, SourceRegistry.spellings(of: name),
      [data] + own + records + ChangeKeys.all + cluster
        + RemoteKeys.keys)
  }

  private static func object(
    _ name: String, _ spellings: [String], _ keys: [KeySpecification]
  ) -> ObjectSpecification {
    let typeKey = KeySpecification(
      "type", .choice(spellings), isRequired: true,
      "The format; a suffix such as .1 names the version of its reader.")
    return ObjectSpecification("a \(name) source", [typeKey] + keys)
  }

  // MARK: Where the data is

  /// The places of records: a file, or several.
  private static let fileOrFiles: [ValueSpecification] = [
    .string, .list(of: .string, count: 1...DataLocation.fileLimit),
  ]

  private static let data = KeySpecification(
    "data", .oneOf(fileOrFiles), isRequired: true,
    "A file, relative to this one, or an http(s) url; also packed (gzip, zip, zstd, bzip2). A list "
      + "or a pattern such as parts/*.gpkg has several files.")

  private static let convertedData = KeySpecification(
    "data", .oneOf(fileOrFiles), isRequired: true,
    "A file, relative to this one, also zipped; an http(s) url; or a connection to PostgreSQL, "
      + "PG:host=… dbname=… or postgresql://user@host/database, best in a variable. A list or a "
      + "pattern such as parts/*.shp has several files.")

  private static let inlineData = KeySpecification(
    "data", .oneOf(fileOrFiles + [.map(of: .anything)]), isRequired: true,
    "A file, relative to this one, an http(s) url, or a GeoJSON object; also packed (gzip, zip, "
      + "zstd, bzip2), and a member of a zip file as a.zip/points.geojson. A list or a pattern such "
      + "as parts/*.geojson has several files.")

  private static let pipedData = KeySpecification(
    "data", .oneOf(fileOrFiles), isRequired: true,
    "A file, relative to this one, an http(s) url, or - for standard input; also packed (gzip, "
      + "zip, zstd, bzip2), and a member of a zip file as a.zip/points.csv. A list or a pattern such "
      + "as parts/*.csv has several files.")

  private static let url = KeySpecification(
    "url", .string, isRequired: true,
    "An image file or a GeoPackage with tiles, relative to this one, or an http(s) url. GDAL reads "
      + "other files of this machine than PNG, JPEG and WebP, in any reference system.")

  // MARK: Records

  private static let records = [
    KeySpecification(
      "id", .string,
      "The column or property that is the feature's key; otherwise the GeoJSON id, otherwise "
        + "a hash of the content."),
    KeySpecification(
      "select", .list(of: .string, count: 0...4096), "The columns or properties that are kept."),
    KeySpecification(
      "where", .string, "CQL2 text: which records are used; with filter, those that pass both."),
    KeySpecification(
      "filter", .anything, "A MapLibre expression or filter: which records are used."),
    KeySpecification(
      "onError", .object(onError), "What happens when records are rejected."),
    KeySpecification(
      "onDuplicateId", .choice(DuplicatePolicy.allCases.map(\.rawValue)),
      default: .string("error"), "What happens when two records have one key."),
    KeySpecification(
      "line", .object(line),
      "Joins points to lines: one for each value of a property, or one; or each to a second place."),
    KeySpecification(
      "featureLimit", .object(featureLimit), "How many features a tile shows at most."),
    KeySpecification(
      FrameWindowKeys.name, .object(FrameWindowKeys.object),
      "Makes a series of frames: each shows the records of a window of time."),
    KeySpecification(
      "stacks", .object(stacks), "Spreads points that lie on one another, from a zoom on."),
  ]

  static let onError = ObjectSpecification(
    "onError",
    [
      KeySpecification(
        "max", .integer(0...(.max)), default: .number(0), "Rejected records that are tolerated.")
    ])

  static let line = ObjectSpecification(
    "line",
    [
      KeySpecification(
        "by", .string,
        "The column or property whose values are the lines; without it all points are one line."),
      KeySpecification(
        "order", .string,
        "The column or property that orders a line's points; by default the file's order."),
      KeySpecification(
        "dates", .choice(DateOrder.allCases.map(\.rawValue)),
        "Which comes first in days such as 03/04/2014 of 'order'; by default what the values allow."
      ),
      KeySpecification(
        "x", .string,
        "The column or property of a second longitude: each point is a great circle to it and 'y'."),
      KeySpecification("y", .string, "The column or property of the second latitude."),
    ])

  static let featureLimit = ObjectSpecification(
    "featureLimit",
    [
      KeySpecification(
        "perTile", .integer(1...(.max)),
        "The maximum number of features whose middle is in one tile; others are not drawn."),
      KeySpecification(
        "perCell", .integer(1...(.max)), "The same for square cells of cellSize instead of tiles."),
      KeySpecification(
        "cellSize", .number(1...8192), default: .number(64),
        "The side of a cell in px, at every zoom; perCell only."),
      KeySpecification(
        "orderBy", .list(of: .string, count: 2...2), isRequired: true,
        "A property and asc or desc: which come first."),
    ])

  static let stacks = ObjectSpecification(
    "stacks",
    [
      KeySpecification(
        "from", .integer(0...24), isRequired: true, "The first zoom at which points are spread."),
      KeySpecification(
        "distance", .number(0...1024), default: .number(12),
        "The distance within which points that stand alone form a stack, in px."),
      KeySpecification(
        "spacing", .number(1...1024), default: .number(24),
        "The least distance between the points of a spread stack, in px."),
      KeySpecification(
        "form", .choice(StackForm.Name.allCases.map(\.rawValue)), default: .string("spiral"),
        "The form in which a stack is spread around its middle."),
    ])

  // MARK: Clusters

  static let classes = ObjectSpecification(
    "classes",
    [
      KeySpecification(
        "property", .string, default: .string(ClassDefinition.countName),
        "The number by which clusters are classed: point_count or one of clusterProperties."),
      KeySpecification(
        "method", .choice(ClassDefinition.Method.allCases.map(\.rawValue)),
        default: .string("jenks"), "The method of finding the bounds of the classes of each zoom."),
      KeySpecification("n", .integer(2...12), default: .number(5), "The number of classes."),
    ])

  private static let cluster = [
    KeySpecification(
      "cluster", .boolean, default: .bool(false), "Whether points are joined into clusters."),
    KeySpecification(
      "clusterMethod", .choice(ClusterMethod.Name.allCases.map(\.rawValue)),
      "grid, radius or bubble for clusters, hexagon or square for areas; grid unless clusterRadius or "
        + "clusterGap is given."),
    KeySpecification(
      "clusterGap", .number(0...1024), default: .number(2),
      "The least distance between drawn symbols, in px; bubble only."),
    KeySpecification(
      "clusterCellSize",
      .oneOf([.number(1...8192), .zoomMap(of: .number(1...8192))]),
      default: .object(["0": .number(88), "13": .number(64), "16": .number(32), "19": .number(16)]),
      "The width of a cell in px, or widths by the zoom from which they apply; not for radius."),
    KeySpecification(
      "clusterCellMeters", .number(10...20_000_000),
      "The width of a cell at every zoom in metres of Web Mercator; hexagon and square only."),
    KeySpecification(
      "clusterRadius", .number(0...8192), default: .number(40),
      "The distance within which points are joined, in px; radius only."),
    KeySpecification(
      "clusterMaxZoom", .integer(0...24), default: .number(16),
      "The last zoom with clusters; beyond it every point stands alone."),
    KeySpecification(
      "clusterMinPoints", .integer(2...(.max)), default: .number(2),
      "The minimum number of points in a cluster."),
    KeySpecification(
      "clusterProperties", .map(of: .list(of: .anything, count: 2...3)),
      "Aggregates by name: [operator or reduce expression, map expression, options of the operator]."
    ),
    KeySpecification(
      "classes", .object(classes),
      "Classes of the clusters of each zoom: a property class from 0 to n − 1."),
  ]

  // MARK: Images

  private static let placement = [
    KeySpecification(
      "coordinates", .list(of: .list(of: .number(-360...360), count: 2...2), count: 4...4),
      "The corners top left, top right, bottom right, bottom left as [lng, lat]."),
    KeySpecification(
      "bounds", PipelineKeys.bounds, "West, south, east, north in degrees instead of corners."),
    KeySpecification(
      "bearing", .number(-360...360), default: .number(0),
      "Degrees clockwise by which the image is turned about its centre; with bounds."),
    KeySpecification(
      "projection", .choice(ImageProjection.allCases.map(\.rawValue)),
      default: .string("mercator"),
      "Whether rows are even on the screen (mercator) or in latitude (equirectangular)."),
  ]

  private static let worldFile = KeySpecification(
    "worldFile", .string,
    "A world file instead of corners or bounds; one beside the image is found by its name.")

  private static let tileTable = [
    KeySpecification(
      "table", .string, "The table of tiles of a GeoPackage; needed where there are several."),
    KeySpecification(
      "zoom", .integer(0...40),
      "The zoom of a GeoPackage's tiles; the deepest that is small enough by default."),
  ]

  private static let pixels = [
    KeySpecification(
      "resampling", .choice(ResamplingKernel.allCases.map(\.rawValue)),
      "How pixels of tiles come from those of the image, whatever raster-resampling says."),
    KeySpecification(
      "nodata",
      .oneOf([
        .number(-1e38...1e38), .string,
        .list(of: .oneOf([.number(-1e38...1e38), .string]), count: 1...256),
      ]),
      "What becomes transparent: a colour, a gray sample or palette index, or a list of them."),
    KeySpecification(
      "colorRamp",
      .oneOf([.list(of: stop, count: 1...1024), .object(colorRamp)]),
      "The colours of a one-band image: [value, colour] in ascending order."),
  ]

  private static let stop = ValueSpecification.list(of: .anything, count: 2...2)

  private static let colorRamp = ObjectSpecification(
    "colorRamp",
    [
      KeySpecification(
        "stops", .list(of: stop, count: 1...1024), isRequired: true,
        "[value, colour] in ascending order."),
      KeySpecification(
        "blending", .choice(["linear", "step"]), default: .string("linear"),
        "Whether colours between two stops are mixed or taken from the lower one."),
    ])

  // MARK: MapLibre styles

  /// The geojson source of the style specification: clusters by radius, its own defaults.
  private static let styleGeoJSON = ObjectSpecification(
    "a geojson source",
    [
      KeySpecification("type", .choice(["geojson"]), isRequired: true, "The format."),
      inlineData,
    ]
      + records.filter { $0.name != "id" } + cluster.map(styleCluster)
      + [
        KeySpecification("promoteId", .anything, "The property that is the feature's id."),
        KeySpecification("generateId", .anything, "For map viewers; ignored here, with a note."),
        KeySpecification(
          "attribution", .anything, "Who must be named beside the map, besides the style's own."),
      ]
      + ["maxzoom", "buffer", "tolerance", "lineMetrics"]
      .map { KeySpecification($0, .anything, "For map viewers; ignored here.") })

  /// Returns the cluster key with the default of the style specification.
  private static func styleCluster(_ key: KeySpecification) -> KeySpecification {
    var key = key
    switch key.name {
    case "clusterRadius": key.defaultValue = .number(50)
    case "clusterMaxZoom": key.defaultValue = .number(17)
    default: break
    }
    return key
  }
}
