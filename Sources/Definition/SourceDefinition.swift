package import Files
package import GDAL
package import Ingest
package import Overlays
package import RecordChanges
package import Runs
package import Tiling

/// A source of a pipeline.
package struct SourceDefinition: Sendable {
  /// The name under `sources:`.
  package var name: String

  package var kind: SourceKind

  /// The place where the source begins in the pipeline file.
  package var place: DocumentPlace

  /// The location of its data. Image series have frames instead and `.none` here.
  package var data: DataLocation

  /// The member of a zip file that the pipeline names; `nil` for the only one that can be read.
  package var member: String?

  /// The options for fetching a URL.
  package var remote: RemoteDefinition

  /// Whether it is drawn by the default layers, which every source gets that no layer names.
  package var hasDefaultLook = false

  /// The source's node in the file, for the places of values that are compiled later.
  package var node: DocumentNode
}

/// The kind of a source, with what only a source of this kind has.
package enum SourceKind: Sendable {
  /// Records in a format of ``SourceRegistry``.
  case records(RecordDefinition)
  case image(ImageDefinition)
  /// The frames of an image series.
  case series(SeriesDefinition)
}

/// The location of a source's data.
package enum DataLocation: Sendable {
  /// A file: its path, resolved against the pipeline file's folder.
  case file(String)
  /// An http or https URL, or a template of one.
  case url(String)
  /// Several files of records: their paths, resolved, with wildcards.
  case patterns([String])
  /// An object in the pipeline file itself.
  case inline(DocumentNode)
  /// Standard input.
  case standardInput
  /// Records that the program was given, not the pipeline file.
  case memory(SpooledFile)
  /// A database, which is asked anew in each run.
  case connection(DatabaseConnection)
  /// The frames of a series.
  case none

  /// The value of `data:` that means standard input.
  package static let standardInputKey = "-"

  /// The name of standard input in messages and reports.
  package static let standardInputName = "standard input"

  /// The maximum number of files of a source.
  package static let fileLimit = 10_000

  /// Whether a path has wildcards, and so may mean several files.
  package static func isPattern(_ path: String) -> Bool {
    path.contains { $0 == "*" || $0 == "?" || $0 == "[" } && !isAddress(path)
  }

  /// Whether a text is an http or https URL rather than a path.
  package static func isAddress(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("http://") || text.hasPrefix("https://")
  }
}

/// The records of a source: their format, their selection and how they are joined.
package struct RecordDefinition: Sendable {
  package var format: any FeatureSource

  /// Whether it is a GeoPackage of a SpatialConnect config: the content of the file determines
  /// whether it is drawn as records, as images or as both.
  package var isStore = false

  /// The clustering of points; `nil` without clustering.
  package var cluster: ClusterDefinition?

  /// The column or property that is the feature's key, `nil` for the GeoJSON id or a content hash.
  package var id: String?

  /// The columns or properties to keep; `nil` for those that the pipeline uses.
  package var select: [String]?

  /// Conditions in CQL2, all of which a record must meet: the file's and a query's.
  package var conditions: [WhereClause] = []

  /// A MapLibre expression or filter with its place.
  package var filter: DocumentNode?

  /// The number of rejected records that are tolerated.
  package var maxErrors: Int

  /// Whether features of vector tiles that cannot be read are tolerated, up to a share of the tileset.
  package var sparesGeometries = false

  package var tolerance: RejectTolerance {
    RejectTolerance(maxErrors, sparesGeometries: sparesGeometries)
  }

  package var onDuplicateID: DuplicatePolicy

  /// Whether ``onDuplicateID`` also applies to the ids that the file itself gives: if the pipeline
  /// sets it and the ids are not a table's primary key.
  package var comparesGivenIDs = false

  /// Whether any ids are compared.
  package var comparesIDs: Bool { uniqueID != nil || comparesGivenIDs }

  /// Whether ids that the file gives are numbered where they repeat: a primary key is unique in its
  /// table, and an id of vector tiles names one feature in several tiles and zooms.
  package var numbersGivenIDs: Bool { !comparesGivenIDs && !type(of: format).ownsIDs }

  package var featureLimit: FeatureLimit?

  /// The spreading of points that lie on one another.
  package var stacks: StackDefinition?

  /// The windows of time whose records are frames; `nil` for one picture of all records.
  package var windows: FrameWindows?

  /// The rule by which points become lines.
  package var line: TrackLines?

  /// Whether several points become one line.
  package var joinsPoints: Bool { line != nil && line?.end == nil }

  /// The changes that are applied to the records before anything else reads them.
  package var changes = ChangeDefinition()

  /// The property whose values differ from record to record: ``id``, unless the points of a line
  /// share it.
  package var uniqueID: String? { joinsPoints && id == line?.by ? nil : id }
}

/// The maximum number of features that a cell of a zoom shows, and the order in which they are
/// chosen.
package struct FeatureLimit: Hashable, Sendable {
  package var perCell: Int

  /// The side of a cell in pixels; `nil` where tiles are the cells.
  package var cellSize: Double?

  package var property: String
  package var isDescending: Bool
}

/// The stacks of a source: points that stand alone within a distance of each other.
package struct StackDefinition: Hashable, Sendable {
  /// The first zoom at which they are spread.
  package var from: Int

  /// The distance within which points form a stack, in pixels.
  package var distance: Double

  package var form: StackForm
}

/// The clustering of a source's points.
package struct ClusterDefinition: Sendable {
  package var method: ClusterMethod

  /// The last zoom with clusters.
  package var maxZoom: Int

  /// The number of points from which they are joined.
  package var minPoints: Int

  /// Aggregates by name, as the file has them: [operator or reduce expression, map expression].
  package var properties: [DocumentMember]

  /// The classes of clusters by a value; `nil` for none.
  package var classes: ClassDefinition?

  /// Whether the `cluster_id` of a cluster does not depend on other points.
  package var hasStableIDs: Bool {
    if case .radius = method { false } else { true }
  }

  /// The names of the values that clusters have beside their counts.
  package var aggregateNames: [String] {
    properties.map(\.key) + (classes == nil ? [] : [ClassDefinition.name])
  }
}

/// The classes of the clusters of each zoom by one of their values.
package struct ClassDefinition: Hashable, Sendable {
  /// The method of finding the bounds of classes.
  package enum Method: String, CaseIterable, Sendable { case jenks, quantile, log, equal }

  /// The name of the property that has the class of a cluster, from 0.
  package static let name = "class"

  /// The name of the property that has the number of points.
  package static let countName = "point_count"

  /// The number by which clusters are classed: ``countName`` or an aggregate.
  package var property: String

  package var method: Method
  package var count: Int
}

/// A value that applies from a zoom on.
package struct ZoomValue: Hashable, Sendable {
  package var zoom: Int
  package var value: Double

  package init(zoom: Int, value: Double) {
    self.zoom = zoom
    self.value = value
  }
}

/// An image or the frames of a series: the position on the map and the meaning of pixels.
package struct ImageDefinition: Sendable {
  /// The position; `nil` where a world file beside the image, the GeoPackage or the list of the
  /// frames gives it.
  package var position: ImagePosition?

  package var projection = ImageProjection.mercator

  /// The kernel of all layers; `nil` for each layer's `raster-resampling`.
  package var resampling: ResamplingKernel?

  /// The colours and samples that become transparent.
  package var nodata: [NoData] = []

  /// The colours of a one-band image.
  package var colorRamp: ColorRamp?

  /// The table of tiles of a GeoPackage; `nil` for the only one.
  package var table: String?

  /// The zoom of the GeoPackage's tiles; `nil` for the deepest that is small enough.
  package var zoom: Int?

  /// The part of an image that GDAL reads.
  package var selection = RasterSelection()

  /// The tiles that the image consists of; `nil` for one picture.
  package var tileset: RasterTileset?

  /// Whether it is a frame of a series; other frames may have more colours or bits.
  package var isFrame = false

  /// Creates the definition of the images in a GeoPackage's table.
  package init(table: String?) {
    self.table = table
  }

  /// The path of the world file that the pipeline file names.
  package var worldFile: String? {
    if case .worldFile(let path) = position { path } else { nil }
  }
}

/// The position of an image as the pipeline file gives it.
package enum ImagePosition: Hashable, Sendable {
  case corners(topLeft: LngLat, topRight: LngLat, bottomRight: LngLat, bottomLeft: LngLat)
  /// A box; for the tiles of a GeoPackage the part that is read.
  ///
  /// - Parameter bearing: the rotation in degrees clockwise about the centre of the box.
  case box(GeoBounds, bearing: Double)
  /// The path of a world file, resolved against the pipeline file's folder.
  case worldFile(String)
}

extension SourceDefinition {
  /// The definition of the records; `nil` for a source of another kind.
  package var records: RecordDefinition? {
    get { if case .records(let records) = kind { records } else { nil } }
    set { if let newValue { kind = .records(newValue) } }
  }

  /// The vector tiles, or the part of them that the source reads; `nil` for a source of another kind.
  package var vectorTiles: VectorTileSource? {
    get { records?.format as? VectorTileSource }
    set { if let newValue { records?.format = newValue } }
  }

  /// The definition of the image; `nil` for a source of another kind.
  package var image: ImageDefinition? {
    if case .image(let image) = kind { image } else { nil }
  }

  /// The definition of the frames through time, of images or of records; `nil` for a source that is
  /// one picture, and of which one is drawn.
  package var series: SeriesDefinition? {
    switch kind {
    case .series(let series): series
    case .records(let records): records.windows.flatMap { $0.view == nil ? $0.series : nil }
    case .image: nil
    }
  }

  /// The type in files, without the version of its reader.
  package var type: String {
    switch kind {
    case .records(let records): Swift.type(of: records.format).type
    case .image(let image): image.tileset == nil ? SourceKeys.imageType : RasterTileset.type
    case .series: SourceKeys.seriesType
    }
  }

  /// The place of the data's location.
  package var dataPlace: DocumentPlace {
    (node["data"] ?? node["url"] ?? node["tiles"])?.place ?? place
  }

  /// The name of the data as the pipeline gives it; a run may know a better one.
  package var declaredName: String {
    let name =
      switch data {
      case .file(let path): path
      case .patterns(let patterns): patterns.joined(separator: ", ")
      case .url(let url): url
      case .inline(let node): node.place.description
      case .standardInput: DataLocation.standardInputName
      case .memory: "features of '\(self.name)'"
      case .connection: records?.format.conversion?.databaseName ?? self.name
      case .none: self.name
      }
    return member.map { "\(name)/\($0)" } ?? name
  }

  /// The password of a connection; `nil` without one.
  package var connectionPassword: String? {
    if case .connection(let connection) = data { connection.password } else { nil }
  }
}
