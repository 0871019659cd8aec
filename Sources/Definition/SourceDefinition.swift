package import Fetching
package import Ingest
package import Overlays
package import Runs

/// A source of a pipeline.
package struct SourceDefinition: Sendable {
  /// The name under `sources:`.
  package var name: String

  package var type: SourceType

  /// The place where the source begins in the pipeline file.
  package var place: DocumentPlace

  /// The location of its data. Image series have frames instead and `.none` here.
  package var data: DataLocation

  /// The reader's format; `nil` for images and series.
  package var format: (any FeatureSource)?

  /// The selection of records, for sources of records.
  package var records: RecordDefinition

  /// The clustering of points; `nil` without clustering.
  package var cluster: ClusterDefinition?

  /// The position of an image, for image sources.
  package var image: ImageDefinition?

  /// The options for fetching a URL.
  package var remote = RemoteDefinition()

  /// The function that fetches the frames of a series in this run; ``RemoteStage`` sets it.
  package var frameFetch: FrameFetch?

  /// Whether it is a GeoPackage of a SpatialConnect config: the content of the file determines
  /// whether it is drawn as records, as images or as both.
  package var isStore = false

  /// Whether it is drawn by the default layers that every source gets that no layer names.
  package var hasDefaultLook = false

  /// The reason why the source is left out of this run; `nil` for a source that takes part.
  /// ``RemoteStage`` sets it.
  package var absence: String?

  /// The addresses, without secrets, of the unavailable files of a source that is left out.
  package var absentAddresses: Set<String> = []

  /// Notes for the user on the files that this run found, a sentence each.
  package var notes: [String] = []

  /// The name of the data where it is read from a copy; `nil` for the data's own.
  package var shownName: String?

  /// The table or layer that the keys of its features name; `nil` where the data tells.
  package var layerName: String?

  /// The source's node in the file, for the places of values that are compiled later.
  package var node: DocumentNode
}

/// The location of a source's data.
package enum DataLocation: Sendable {
  /// A file: its path, resolved against the pipeline file's folder.
  case file(String)
  /// An http or https URL, or a template of one.
  case url(String)
  /// The files fetched from a URL: one, or one for each request of a template, in their order.
  case fetched([FetchedFile])
  /// An object in the pipeline file itself.
  case inline(DocumentNode)
  /// The frames of a series.
  case none
}

/// The selection of a source's records.
package struct RecordDefinition: Sendable {
  /// The column or property that is the feature's key, `nil` for the GeoJSON id or a content hash.
  package var id: String?

  /// The columns or properties to keep; `nil` for those that the pipeline uses.
  package var select: [String]?

  /// Conditions in CQL2, all of which a record must meet: that of the file, that of a query.
  package var conditions: [WhereClause] = []

  /// A MapLibre expression or filter with its place.
  package var filter: DocumentNode?

  /// The number of rejected records that are tolerated.
  package var maxErrors = 0

  package var onDuplicateID = DuplicatePolicy.error

  /// Whether ``onDuplicateID`` also applies to the ids that the file itself gives: if the pipeline
  /// sets it and the ids are not a table's primary key.
  package var comparesGivenIDs = false

  /// Whether any ids are compared.
  package var comparesIDs: Bool { uniqueID != nil || comparesGivenIDs }

  package var featureLimit: FeatureLimit?

  /// The rule by which points become lines.
  package var line: TrackLines?

  /// The changes that are applied to the records before anything else reads them.
  package var changes = ChangeDefinition()

  /// The property whose values differ from record to record: ``id``, unless the points of a line
  /// share it.
  package var uniqueID: String? { id == line?.by ? nil : id }

  package init() {}
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

/// The clustering of a source's points.
package struct ClusterDefinition: Sendable {
  package var method: ClusterMethodName

  /// The width of a cell in pixels by the zoom from which it applies, ascending from zoom 0; grid
  /// only.
  package var cellSizes: [ZoomValue]

  /// The distance within which points are joined, in pixels of a tile; radius only.
  package var radius: Double

  /// The last zoom with clusters.
  package var maxZoom: Int

  /// The number of points from which they are joined.
  package var minPoints: Int

  /// Aggregates by name, as the file has them: [operator or reduce expression, map expression].
  package var properties: [DocumentMember]
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

/// The position of an image or the frames of a series on the map.
package struct ImageDefinition: Sendable {
  /// The corners top left, top right, bottom right, bottom left as [longitude, latitude] in
  /// degrees.
  package var coordinates: [[Double]]?

  /// The box west, south, east, north in degrees; for the tiles of a GeoPackage the part that is
  /// read.
  package var bounds: [Double]?

  /// The rotation in degrees clockwise about the centre of ``bounds``.
  package var bearing: Double

  /// The path of the world file that is named, resolved against the pipeline file's folder; `nil`
  /// searches beside the image unless another key gives its position.
  package var worldFile: String?

  package var projection: ImageProjection

  /// The kernel of all layers; `nil` for each layer's `raster-resampling`.
  package var resampling: ResamplingKernel?

  /// The colours and samples that become transparent.
  package var nodata: [NoData]

  /// The colours of a one-band image.
  package var colorRamp: ColorRamp?

  /// The table of tiles of a GeoPackage; `nil` for the only one.
  package var table: String?

  /// The zoom of the GeoPackage's tiles; `nil` for the deepest that is small enough.
  package var zoom: Int?

  /// The series, if the source has one instead of one image.
  package var series: SeriesDefinition?

  /// Whether it is a frame of a series; other frames may have more colours or bits.
  package var isFrame = false

  package init(
    coordinates: [[Double]]? = nil,
    bounds: [Double]? = nil,
    bearing: Double,
    worldFile: String? = nil,
    projection: ImageProjection,
    resampling: ResamplingKernel? = nil,
    nodata: [NoData],
    colorRamp: ColorRamp? = nil,
    table: String? = nil,
    zoom: Int? = nil,
    series: SeriesDefinition? = nil,
    isFrame: Bool = false
  ) {
    self.coordinates = coordinates
    self.bounds = bounds
    self.bearing = bearing
    self.worldFile = worldFile
    self.projection = projection
    self.resampling = resampling
    self.nodata = nodata
    self.colorRamp = colorRamp
    self.table = table
    self.zoom = zoom
    self.series = series
    self.isFrame = isFrame
  }
}

extension SourceDefinition {
  /// The name of the data in messages.
  package var dataName: String {
    if let shownName { return shownName }
    return switch data {
    case .file(let path): path
    case .url(let url): url
    case .fetched(let files): files.first?.uri ?? name
    case .inline(let node): node.place.description
    case .none: name
    }
  }
}
