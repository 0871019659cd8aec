import Foundation
import Raster
import TestSupport

@testable import Reuse
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// A small pipeline in a folder of its own, for what happens inside a build.
struct BuildSample {
  let folder: TemporaryFolder
  let file: String

  init(
    rows: Int = 200, tiles: String = "{maxzoom: 5, snap: 1}",
    output: String = "{path: out.mbtiles}", more: String = ""
  ) throws {
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 8)
    let lines = (0..<rows).map { row in
      "\(random.below(360) - 180),\(random.below(120) - 60),Place \(row)"
    }
    try folder.write("lng,lat,name\n" + lines.joined(separator: "\n"), to: "places.csv")
    file = try folder.write(
      """
      version: 1
      name: sample
      sources:
        places: {type: csv, data: places.csv, cluster: true, clusterMaxZoom: 3}
      layers:
        - {id: disc, type: circle, source: places, paint: {circle-radius: 5}}
      tiles: \(tiles)
      output: \(output)
      \(more)
      """, to: "sample.yml")
  }

  func definition() throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// Bakes the pipeline in this process.
  @discardableResult
  func build(
    _ options: BuildOptions = BuildOptions(), cancellation: Cancellation = Cancellation(),
    progress: @escaping ProgressHandler = { _ in }
  ) throws -> [BuildReport] {
    try PipelineRunner.build(
      definition(), options: options, cancellation: cancellation, progress: progress)
  }

  /// The scenes of all zooms.
  func planned() throws -> PlannedTiles {
    let build = try definition().build()
    let clock = build.context.clock
    return try build.scenes(scale: 1, build.reading.clustered(clock), clock)
  }
}
