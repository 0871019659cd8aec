import Clustering
import Definition
import Foundation
import Painting
import PipelineSamples
import Raster
import Reports
import Reuse
import Runs
import Scenes
@testable import SourceStages
import TestSupport
import Testing

@testable import Baking
@testable import Pipeline

/// `stacks` and `clusterMethod: bubble` from the file to the tiles.
@Suite("Points that must not cover each other") struct StackTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private func definition(
    _ rows: [String], source: String, layers: String, tiles: String
  ) throws -> PipelineDefinition {
    try folder.write("lng,lat,name\n" + rows.joined(separator: "\n") + "\n", to: "points.csv")
    let file = try folder.write(
      """
      version: 1
      sources:
        s: {type: csv, data: points.csv, \(source)}
      layers:
      \(layers)
      tiles: \(tiles)
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private static let disc = """
      - {id: disc, type: circle, source: s, paint: {circle-radius: 7}}
    """

  private static let crowd =
    (0..<300).map { "5.5,6.5,Guest \($0)" } + ["5.6,6.4,Neighbour", "5.7,6.4,Other"]

  @Test(
    "of 300 records on one spot each answers a tap at the last zoom",
    arguments: ["cluster: true, clusterMaxZoom: 14, ", ""], ["spiral", "ring", "grid"])
  func taps(cluster: String, form: String) throws {
    let build = try definition(
      Self.crowd, source: "\(cluster)stacks: {from: 15, spacing: 18, form: \(form)}",
      layers: Self.disc, tiles: "{minzoom: 14, maxzoom: 15, interactivity: {}}"
    ).build()
    let clock = build.context.clock
    let sources = try build.reading.clustered(clock)
    let planned = try build.scenes(scale: 1, sources, clock)
    let taps = TapPainter(layers: [0], side: 256, scale: 1, fonts: try FontLibrary())
    func features(_ scenes: ZoomScenes) throws -> Set<TapFeature> {
      try (0..<scenes.count).reduce(into: []) { found, tile in
        found.formUnion(try taps.grid(tile, of: scenes)?.features ?? [])
      }
    }
    #expect(try features(planned.zooms[0]).count == 3)
    #expect(try features(planned.zooms[1]).count == 302)
    #expect(sources[0].stacks?.zoom(15)?.middles.count == 300)
    #expect(sources[0].stacks?.zoom(14) == nil)
  }

  @Test("stacks and bubbles do not depend on the order of the records")
  func order() throws {
    func digest(_ rows: [String], _ source: String) throws -> String? {
      let legs =
        source.hasPrefix("stacks") ? "  - {id: legs, type: leg, source: s}\n" : ""
      let definition = try definition(
        rows, source: source, layers: legs + Self.disc, tiles: "{minzoom: 10, maxzoom: 11}")
      var options = BuildOptions()
      options.force = true
      return try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in }
      ).first?.archive.digest
    }
    var random = SplitMix64(seed: 4)
    let rows =
      Array(Self.crowd.prefix(20))
      + (0..<40).map { row in
        "\(5.5 + Double(random.below(100)) / 200),\(6 + Double(random.below(100)) / 200),Row \(row)"
      }
    for source in ["stacks: {from: 11}", "cluster: true, clusterMethod: bubble"] {
      let first = try digest(rows, source)
      let second = try digest(rows.shuffled(using: &random), source)
      #expect(first != nil && first == second)
    }
  }

  @Test("bubbles cannot have sizes that follow from aggregates")
  func aggregates() throws {
    let definition = try definition(
      Self.crowd,
      source: "cluster: true, clusterMethod: bubble, clusterProperties: {n: [+, 1]}",
      layers: """
          - {id: disc, type: circle, source: s, paint: {circle-radius: [get, n]}}
        """, tiles: "{maxzoom: 3}")
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }
    #expect(
      error?.description.contains("layer 'disc' takes one from 'n'") == true, "\(error as Any)")
  }
}
