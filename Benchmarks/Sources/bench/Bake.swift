import Foundation

/// One build of a pipeline by the program under measurement, as a user would run it.
struct Bake {
  /// The pipeline's name in `pipelines/`.
  var pipeline: String

  /// How many hotels.
  var rows: Int

  /// The last zoom; the first is 0.
  var maxZoom = 16

  /// Worker threads; `nil` leaves it to the program, which takes one a core.
  var threads: Int?

  /// Draw only what touches a few streets. All points are read and clustered all the same, so that
  /// these stages can be measured without waiting for the tiles.
  var drawsLittle = false

  /// Lower Manhattan.
  private static let littleBox = "-74.02,40.70,-73.99,40.73"

  /// What a build cost and what it reported.
  struct Outcome {
    var cost: ProcessCost
    var report: BuildReport

    /// Rows of the archive for each second of the whole run.
    var tilesPerSecond: Double { Double(report.tiles.planned) / cost.wall }
  }

  /// Builds once, from nothing: no archive to compare with, no cache.
  func run(in workshop: Workshop) throws -> Outcome {
    let stem = "\(workshop.scratch)/\(pipeline)-\(rows)"
    let archive = stem + ".mbtiles"
    let report = stem + ".json"
    for path in [archive, report] where FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    var arguments = [
      workshop.program, "build", workshop.pipeline(pipeline), "--quiet", "--no-cache",
      "--output", archive, "--report", report, "--maxzoom", "\(maxZoom)",
    ]
    if let threads { arguments += ["--threads", "\(threads)"] }
    if drawsLittle { arguments += ["--bbox", Self.littleBox] }
    let command = Command(
      arguments, environment: ["HOTELS": try workshop.hotels(rows)])
    let cost = try command.run(log: stem).cost
    return Outcome(cost: cost, report: try BuildReport(contentsOf: report))
  }

  /// Builds so many times.
  ///
  /// - Throws: ``BenchError`` if the tiles are not the same each time.
  func runs(_ count: Int, in workshop: Workshop) throws -> [Outcome] {
    workshop.tell("\(pipeline), \(Wording.count(Double(rows))) rows, runs: \(count)")
    let outcomes = try (0..<count).map { _ in try run(in: workshop) }
    guard Set(outcomes.map(\.report.archive.digest)).count == 1 else {
      throw BenchError("\(pipeline): the runs made different tiles.")
    }
    return outcomes
  }
}

extension [Bake.Outcome] {
  /// Wall-clock seconds of a stage; `nil` if it did not run.
  func seconds(_ stage: String) -> Series? {
    let values = compactMap { $0.report.seconds(stage) }
    return values.count == count ? Series(values: values) : nil
  }
}
