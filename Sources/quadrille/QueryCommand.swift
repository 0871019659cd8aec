import ArgumentParser
import Pipeline
import Tiling

/// `quadrille query FILE`
struct QueryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Print records or clusters as GeoJSON.")

  @Argument(help: ArgumentHelp("A pipeline file.", valueName: "file"))
  var file: String

  @Option(help: ArgumentHelp("Only these sources.", valueName: "id"))
  var source: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only features that touch this box in degrees.", valueName: "w,s,e,n"),
    transform: PipelineOptions.bounds)
  var bbox: GeoBounds?

  @Option(help: ArgumentHelp("Only records for which this is true.", valueName: "cql2"))
  var `where`: String?

  @Option(help: "At most so many features.")
  var limit: Int?

  @Option(help: ArgumentHelp("The clusters of this zoom instead of records.", valueName: "zoom"))
  var clusters: Int?

  @OptionGroup var inclusion: InclusionOptions
  @OptionGroup var machine: MachineOptions
  @OptionGroup var terminal: TerminalOptions

  func validate() throws {
    if let clusters, !(0...TileCoord.maxZoom).contains(clusters) {
      throw ValidationError("zoom \(clusters) is not between 0 and \(TileCoord.maxZoom).")
    }
    if let limit, limit < 0 { throw ValidationError("--limit cannot be negative.") }
  }

  func run() throws {
    try Session.run(terminal) { session throws(PipelineError) in
      var query = QueryOptions()
      query.sources = source
      query.bounds = bbox
      query.whereText = `where`
      query.limit = limit
      query.clusterZoom = clusters
      try PipelineRunner.query(
        try session.definition(file, including: inclusion), query: query,
        options: BuildOptions(nil, machine), cancellation: session.cancellation,
        progress: session.progress
      ) { bytes throws(PipelineError) in
        try session.terminal.write(bytes)
      }
    }
  }
}
