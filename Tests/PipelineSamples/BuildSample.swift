package import Baking
package import Definition
import Foundation
import Pipeline
package import Reports
import Reuse
package import Runs
import SourceStages
package import TestSupport

/// A small pipeline in a folder of its own, for what happens inside a build.
package struct BuildSample {
  package let folder: TemporaryFolder
  package let file: String

  package init(
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

  package func definition() throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// Bakes the pipeline in this process.
  @discardableResult
  package func build(
    _ options: BuildOptions = BuildOptions(), cancellation: Cancellation = Cancellation(),
    progress: @escaping ProgressHandler = { _ in }
  ) throws -> [BuildReport] {
    try PipelineRunner.build(
      definition(), options: options, cancellation: cancellation, progress: progress)
  }

  /// The scenes of all zooms.
  package func planned() throws -> PlannedTiles {
    let build = try definition().build()
    let clock = build.context.clock
    return try build.scenes(scale: 1, build.reading.clustered(clock), clock)
  }

  package var archive: String { folder.path("out.mbtiles") }

  /// Moves the last of the points; by 0 it is where it was at first.
  package func move(by degrees: Int = 1) throws {
    let mark = folder.path("first.csv")
    if !FileManager.default.fileExists(atPath: mark) {
      try FileManager.default.copyItem(atPath: folder.path("places.csv"), toPath: mark)
    }
    var lines = try String(contentsOfFile: mark, encoding: .utf8).split(separator: "\n")
    if degrees > 0 { lines[lines.count - 1] = "\(10 + degrees),\(20 + degrees),moved" }
    try folder.write(lines.joined(separator: "\n"), to: "places.csv")
  }
}
