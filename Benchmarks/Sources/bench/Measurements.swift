/// The measurements of the program alone.
struct Measurements {
  let workshop: Workshop
  let settings: Settings

  private var results = MarkdownTable(["Measured", "Median", "CPU", "Peak memory", "Rate"])
  private var stages = MarkdownTable(["Stage"])

  init(workshop: Workshop, settings: Settings) {
    self.workshop = workshop
    self.settings = settings
  }

  /// Measures all parts that were asked for.
  ///
  /// - Returns: tables as Markdown.
  mutating func run() throws -> [String] {
    var baked: [(title: String, outcomes: [Bake.Outcome])] = []
    if settings.parts.contains(.bake) {
      for rows in [87_000, 1_000_000] { baked.append(try bake(rows, maxZoom: 16)) }
    }
    if settings.parts.contains(.memory) {
      // One run: the peak hardly varies, and it takes as long as all others.
      baked.append(try bake(10_000_000, maxZoom: 12, runs: 1))
    }
    if settings.parts.contains(.paint) { try paint() }
    if settings.parts.contains(.cluster) { try cluster() }
    if settings.parts.contains(.ingest) { try ingest() }
    fillStages(baked)
    return [results, stages].filter { !$0.rows.isEmpty }.map(\.text)
  }

  private mutating func bake(_ rows: Int, maxZoom: Int, runs: Int? = nil) throws
    -> (title: String, outcomes: [Bake.Outcome])
  {
    let bake = Bake(pipeline: "hotels", rows: rows, maxZoom: maxZoom)
    let outcomes = try bake.runs(runs ?? settings.runs, in: workshop)
    let tiles = outcomes.first?.report.tiles.planned ?? 0
    let title = "\(Wording.count(Double(rows))) hotels, z0–\(maxZoom)"
    let rate = Wording.count(outcomes.series(\.tilesPerSecond).median)
    results.rows.append([
      "\(title), to \(Wording.count(Double(tiles))) tiles, end to end"
        + (outcomes.count == 1 ? ", one run" : ""),
      Wording.seconds(outcomes.series(\.cost.wall)),
      Wording.seconds(outcomes.series(\.cost.cpu).median),
      Wording.bytes(outcomes.series { Double($0.cost.peakBytes) }.largest),
      "\(rate) tiles/s",
    ])
    return (title, outcomes)
  }

  /// Different tiles only: those that are drawn once and shown in many places are no work. The
  /// stage also hashes the tiles and inserts the rows, so that painting alone is faster than this.
  private mutating func paint() throws {
    var bake = Bake(pipeline: "hotels", rows: 87_000)
    bake.threads = 1
    let outcomes = try bake.runs(settings.runs, in: workshop)
    let rates = outcomes.series {
      Double($0.report.tiles.rendered) / ($0.report.seconds("tiles") ?? .infinity)
    }
    try addStage(
      "paint, encode and insert different tiles, 1 worker", outcomes.seconds("tiles"),
      rate: "\(Wording.count(rates.median)) tiles/s")
  }

  private mutating func cluster() throws {
    for (pipeline, method) in [("hotels", "grid"), ("hotels-radius", "radius")] {
      for threads in [1, nil] {
        var bake = Bake(pipeline: pipeline, rows: 1_000_000)
        (bake.threads, bake.drawsLittle) = (threads, true)
        let outcomes = try bake.runs(settings.runs, in: workshop)
        let workers = threads == nil ? "all cores" : "1 worker"
        let seconds = outcomes.seconds("cluster")
        try addStage(
          "cluster 1,000,000 points by \(method), z0–16, \(workers)", seconds,
          rate: "\(Wording.count(1_000_000 / (seconds?.median ?? .infinity))) points/s")
      }
    }
  }

  private mutating func ingest() throws {
    var bake = Bake(pipeline: "ingest", rows: 1_000_000)
    (bake.threads, bake.drawsLittle, bake.maxZoom) = (1, true, 0)
    let outcomes = try bake.runs(settings.runs, in: workshop)
    let seconds = outcomes.seconds("ingest")
    let size = Double(try workshop.size(of: try workshop.hotels(1_000_000)))
    try addStage(
      "ingest \(Wording.bytes(size)) of CSV, all 5 columns kept, 1 worker", seconds,
      rate: "\(Wording.bytes(size / (seconds?.median ?? .infinity)))/s")
  }

  private mutating func addStage(_ title: String, _ seconds: Series?, rate: String) throws {
    guard let seconds else { throw BenchError("the report lacks the stage to \(title).") }
    results.rows.append([title, Wording.seconds(seconds), "", "", rate])
  }

  private mutating func fillStages(_ baked: [(title: String, outcomes: [Bake.Outcome])]) {
    stages = MarkdownTable(["Stage"] + baked.map(\.title))
    var names: [String] = []
    for stage in baked.flatMap({ $0.outcomes.first?.report.stages ?? [] })
    where !names.contains(stage.name) {
      names.append(stage.name)
    }
    for name in names {
      stages.rows.append(
        [name] + baked.map { Wording.optionalSeconds($0.outcomes.seconds(name)?.median) })
    }
  }
}
