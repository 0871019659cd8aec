import Archives
import ArgumentParser
import Definition
import JSON
import Pipeline
import Queries
import Runs
import Tiling

/// The command `quadrille query FILE`.
struct QueryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "query",
    abstract: "Print records or clusters as GeoJSON, CSV or a GeoPackage.",
    discussion: """
      All conditions must hold. Sources come in the order of the file and records in the order of \
      their source; records without geometry are among them. The first query for a box leaves the \
      places of the records in the cache beside the archive, so that the next ones read only what \
      is near their box.

        quadrille query city.yml --where "name LIKE 'Hotel%'" --limit 10
        quadrille query city.mbtiles --tap=-73.985,40.755 --zoom 16
        quadrille query roads.pmtiles --source-layer roads --bbox=-74,40.7,-73.9,40.8 -z 12
      """)

  @Argument(
    help: ArgumentHelp(
      "A pipeline file; an archive or folder of vector tiles; or with --tap an archive.",
      valueName: "file"), completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp(
      "Only this source; NAME=FILE gives a source other data instead, as in 'build'. May be repeated.",
      valueName: "id|NAME=FILE"), completion: .file())
  var source: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only this layer of vector tiles; may be repeated. By default those that the pipeline draws, or "
        + "all.", valueName: "name"))
  var sourceLayer: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only features that touch this box in degrees or its edges; w > e crosses the antimeridian.",
      valueName: "w,s,e,n"),
    transform: TileRangeOptions.bounds)
  var bbox: GeoBounds?

  // A condition may begin with a minus: -1 < floors.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only records for which this is true.", valueName: "cql2"))
  var `where`: String?

  @Option(
    help: ArgumentHelp(
      "Only records that this MapLibre expression or filter passes.", valueName: "json"))
  var filter: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only features with this key, as GeoJSON output has it, or this id; may be repeated.",
      valueName: "key"))
  var id: [String] = []

  @Option(help: "The maximum number of features.")
  var limit: Int?

  @Option(
    help: ArgumentHelp("Only these properties, in this order.", valueName: "a,b"))
  var select: String?

  @Option(
    help: ArgumentHelp(
      "Order by a property, ascending or descending, nulls last; may be repeated.",
      valueName: "property[:asc|desc]"),
    transform: Self.sortRule)
  var orderBy: [SortRule] = []

  @Flag(help: "Print only the number of features.")
  var count = false

  @Option(help: ArgumentHelp("The clusters of this zoom instead of records.", valueName: "zoom"))
  var clusters: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "What an archive with taps shows at this place in degrees.", valueName: "lng,lat"),
    transform: Self.place)
  var tap: LngLat?

  @Option(
    name: [.customShort("z"), .long],
    help: ArgumentHelp(
      "The zoom of the tap, or of vector tiles; the last by default.", valueName: "zoom"))
  var zoom: Int?

  @Option(help: "The form: geojson, geojsonseq, csv or gpkg.")
  var format = QueryFormat.geojson

  @Option(
    name: .shortAndLong, help: "The file to write; standard output by default.", completion: .file()
  )
  var output: String?

  @OptionGroup var frame: FrameOptions
  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  static func sortRule(_ text: String) throws -> SortRule {
    guard let rule = SortRule(text) else {
      throw ValidationError("'\(text)' names no property to order by.")
    }
    return rule
  }

  /// Parses `lng,lat`.
  static func place(_ text: String) throws -> LngLat {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 2, numbers.count == 2, numbers.allSatisfy(\.isFinite),
      abs(numbers[1]) <= 90
    else {
      throw ValidationError("'\(text)' is not lng,lat: two numbers in degrees.")
    }
    return LngLat(longitude: numbers[0], latitude: numbers[1])
  }

  func validate() throws {
    for zoom in [clusters, zoom].compactMap(\.self) where !(0...TileCoord.maxZoom).contains(zoom) {
      throw ValidationError("zoom \(zoom) is not between 0 and \(TileCoord.maxZoom).")
    }
    if tap != nil, !sourceLayer.isEmpty {
      throw ValidationError("--source-layer does not go with --tap.")
    }
    if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
    if let select, select.split(separator: ",", omittingEmptySubsequences: false).contains("") {
      throw ValidationError("--select '\(select)' is not a list of names with commas between.")
    }
  }

  func run(in session: Session) throws(PipelineError) {
    if let tap {
      let bytes = try PipelineRunner.tap(archive: file, at: tap, zoom: zoom)
      return try session.terminal.write(bytes)
    }
    let summary = try PipelineRunner.query(
      try definition(session), query: try query(),
      options: BuildOptions(nil, machine).showing(frame), cancellation: session.cancellation,
      progress: session.progress
    ) { bytes throws(PipelineError) in
      try session.terminal.write(bytes)
    }
    for note in summary.notes { session.terminal.note(note) }
    guard terminal.verbose else { return }
    for line in summary.sources { session.terminal.say(line) }
    session.terminal.say("\(summary.features) features")
  }

  /// The pipeline, or one of nothing but the vector tiles.
  private func definition(_ session: Session) throws(PipelineError) -> PipelineDefinition {
    if TilesetInspection.isVector(file) { return try PipelineDefinition(tileset: file) }
    if ArchiveTap.isArchive(file) {
      try TilesetInspection(file).requireReadable()
      throw PipelineError(
        .usage,
        "\(file) is an archive of pictures, which knows features by what is shown at a place only. Add "
          + "--tap lng,lat, or ask the pipeline file.")
    }
    return try session.definition(
      file, including: inclusion, replacing: source.compactMap { SourceReplacement($0) },
      options: BuildOptions(nil, machine))
  }

  private func query() throws(PipelineError) -> QueryOptions {
    var query = QueryOptions()
    query.sources = source.filter { SourceReplacement($0) == nil }
    query.tileLayers = sourceLayer
    query.tileZoom = tap == nil ? zoom : nil
    query.bounds = bbox
    query.whereText = `where`
    query.filterText = filter
    query.ids = id
    query.limit = limit
    query.select = select.map { $0.split(separator: ",").map(String.init) }
    query.order = orderBy
    query.countsOnly = count
    query.clusterZoom = clusters
    query.format = format
    query.output = output == "-" ? nil : output
    query.changeTime = try SourceDate.seconds()
    return query
  }
}

extension QueryFormat: ExpressibleByArgument {}
