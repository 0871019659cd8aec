package import Fetching
package import Ingest
package import Overlays
package import Runs

/// One source of a pipeline.
package struct SourceDefinition: Sendable {
  /// The name under `sources:`.
  package var name: String

  package var type: SourceType

  /// Where the source begins in the pipeline file.
  package var place: DocumentPlace

  /// Where its data is. Image series have frames instead and `.none` here.
  package var data: DataLocation

  /// How records are read; `nil` for images and series.
  package var format: (any FeatureSource)?

  /// Which records are used, for sources of records.
  package var records: RecordDefinition

  /// How points are joined, `nil` where they are not.
  package var cluster: ClusterDefinition?

  /// Where an image lies, for image sources.
  package var image: ImageDefinition?

  /// How a url is fetched.
  package var remote = RemoteDefinition()

  /// How the frames of a series are fetched in this run; ``RemoteStage`` sets it.
  package var frameFetch: FrameFetch?

  /// Whether it is a GeoPackage of a SpatialConnect config: what the file holds says whether it is
  /// drawn as records, as images or as both.
  package var isStore = false

  /// Whether it is drawn by the layers that every source has that no layer names.
  package var hasDefaultLook = false

  /// Why the source is left out of this run; `nil` for a source that takes part. ``RemoteStage`` sets
  /// it.
  package var absence: String?

  /// The addresses, without secrets, of the files that a source that is left out does without.
  package var absentAddresses: Set<String> = []

  /// What the user should know of the files that this run found, a sentence each.
  package var notes: [String] = []

  /// The source as the file has it, for the places of what is compiled later.
  package var node: DocumentNode
}

/// Where the data of a source is.
package enum DataLocation: Sendable {
  /// A file: its path, resolved against the pipeline file's folder.
  case file(String)
  /// An http or https url, or a template of one.
  case url(String)
  /// What was fetched from a url: one file, or one for each request of a template, in their order.
  case fetched([FetchedFile])
  /// In the pipeline file itself.
  case inline(DocumentNode)
  /// In the frames of a series.
  case none
}

/// Which records of a source are used.
package struct RecordDefinition: Sendable {
  /// The column or property that is the feature's key, `nil` for the GeoJSON id or a content hash.
  package var id: String?

  /// The columns or properties to keep, `nil` for those that something names.
  package var select: [String]?

  /// Conditions in CQL2 that a record must meet, all of them: that of the file, that of a query.
  package var conditions: [WhereClause] = []

  /// A MapLibre expression or filter with its place.
  package var filter: DocumentNode?

  /// The number of rejected records that are tolerated.
  package var maxErrors = 0

  package var onDuplicateID = DuplicatePolicy.error

  /// Whether ``onDuplicateID`` is also about the ids that the file itself gives: where the pipeline
  /// says it, and the ids are not a table's primary key.
  package var comparesGivenIDs = false

  /// Whether any ids are compared.
  package var comparesIDs: Bool { uniqueID != nil || comparesGivenIDs }

  package var featureLimit: FeatureLimit?

  /// How points become lines.
  package var line: TrackLines?

  /// What changes the records before anything else looks at them.
  package var changes = ChangeDefinition()

  /// The property whose values differ from record to record: ``id``, unless it is what the points of
  /// a line share.
  package var uniqueID: String? { id == line?.by ? nil : id }

  package init() {}
}

/// How many features a cell of a zoom shows at most, and which come first.
package struct FeatureLimit: Hashable, Sendable {
  package var perCell: Int

  /// The side of a cell in px; `nil` where tiles are the cells.
  package var cellSize: Double?

  package var property: String
  package var isDescending: Bool
}

/// How the points of a source are joined.
package struct ClusterDefinition: Sendable {
  package var method: ClusterMethodName

  /// The width of a cell in px by the zoom from which it holds, ascending from zoom 0 on; grid
  /// only.
  package var cellSizes: [ZoomValue]

  /// How near points are that are joined, in px of a tile; radius only.
  package var radius: Double

  /// The last zoom with clusters.
  package var maxZoom: Int

  /// The number of points from which on they are joined.
  package var minPoints: Int

  /// Aggregates by name, as the file has them: [operator or reduce expression, map expression].
  package var properties: [DocumentMember]
}

/// A value that holds from a zoom on.
package struct ZoomValue: Hashable, Sendable {
  package var zoom: Int
  package var value: Double

  package init(zoom: Int, value: Double) {
    self.zoom = zoom
    self.value = value
  }
}

/// Where an image or the frames of a series lie on the map.
package struct ImageDefinition: Sendable {
  /// Top left, top right, bottom right, bottom left as [longitude, latitude] in degrees.
  package var coordinates: [[Double]]?

  /// West, south, east, north in degrees; for the tiles of a GeoPackage the part that is read.
  package var bounds: [Double]?

  /// Degrees clockwise about the centre of ``bounds``.
  package var bearing: Double

  /// The world file that was named, resolved against the pipeline file's folder; `nil` looks beside
  /// the image where nothing else says where it lies.
  package var worldFile: String?

  package var projection: ImageProjection

  /// The kernel of all layers; `nil` leaves it to their `raster-resampling`.
  package var resampling: ResamplingKernel?

  /// What becomes transparent.
  package var nodata: [NoData]

  /// The colours of a one-band image.
  package var colorRamp: ColorRamp?

  /// The table of tiles of a GeoPackage; `nil` for the only one.
  package var table: String?

  /// The zoom of the GeoPackage's tiles; `nil` for the deepest that is small enough.
  package var zoom: Int?

  /// What an image series has instead of one image.
  package var series: SeriesDefinition?

  /// Whether it is a frame of a series, others of which may have more colours or bits.
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
  /// The data as messages name it.
  package var dataName: String {
    switch data {
    case .file(let path): path
    case .url(let url): url
    case .fetched(let files): files.first?.uri ?? name
    case .inline(let node): node.place.description
    case .none: name
    }
  }
}
