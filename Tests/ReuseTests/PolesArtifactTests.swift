import Columns
import Foundation
import Inputs
import PipelineSamples
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Reuse
@testable import Runs
@testable import Scenes

/// Builds that take the poles of polygons from the cache make the same bytes as builds that do not.
@Suite("Poles in the cache")
struct PolesArtifactTests {
  private struct Sample {
    let folder: TemporaryFolder

    init() throws {
      folder = try TemporaryFolder()
      try folder.write(
        """
        version: 1
        name: sample
        sources:
          s: {type: geojsonseq, data: shapes.geojsonl}
        layers:
          - {id: text, type: symbol, source: s, layout: {text-field: [get, name],
             text-font: [DejaVu Sans], text-size: 10}}
        tiles: {minzoom: 2, maxzoom: 3}
        output: {path: out.mbtiles}
        """, to: "x.yml")
    }

    /// Writes triangles, one of which is `width` degrees wide.
    func write(width: Double) throws {
      var random = SplitMix64(seed: 4)
      var shapes = ""
      for row in 0..<80 {
        let x = Double(random.below(30_000)) / 100 - 150
        let y = Double(random.below(10_000)) / 100 - 50
        let wide = row == 40 ? width : 1.0
        shapes +=
          #"{"type":"Feature","properties":{"name":"S \#(row)"},"geometry":{"type":"Polygon","#
          + #""coordinates":[[[\#(x),\#(y)],[\#(x + wide),\#(y)],[\#(x),\#(y + 1)],[\#(x),\#(y)]]]}}"#
          + "\n"
      }
      try folder.write(shapes, to: "shapes.geojsonl")
    }

    func build(cached: Bool = true) throws -> [UInt8] {
      var options = BuildOptions()
      (options.force, options.noCache) = (true, !cached)
      options.output = folder.path(cached ? "out.mbtiles" : "plain.mbtiles")
      let definition = try PipelineDefinition(
        contentsOf: folder.path("x.yml"), environment: { _ in nil })
      _ = try PipelineRunner.build(
        definition, options: options, cancellation: Cancellation(), progress: { _ in })
      return try folder.bytes(cached ? "out.mbtiles" : "plain.mbtiles")
    }

    /// The poles that the last build left.
    func stored() throws -> PolygonPoles {
      let definition = try PipelineDefinition(
        contentsOf: folder.path("x.yml"), environment: { _ in nil })
      let cache = ArtifactCache(
        besideArchive: definition.output.path, options: BuildOptions())
      let source = try #require(definition.located().sources.first)
      return try #require(
        cache.value(source.polesKey()) { reader throws(ArtifactDamage) in
          try reader.polygonPoles()
        })
    }
  }

  @Test("cached poles give the bytes of a build without them after a polygon changed")
  func edit() throws {
    let sample = try Sample()
    try sample.write(width: 1)
    #expect(try sample.build() == sample.build(cached: false))
    let before = try sample.stored()
    try sample.write(width: 9)
    #expect(try sample.build() == sample.build(cached: false))
    let after = try sample.stored()
    #expect(before.count == 80 && after.count == 80)
    #expect(before.polygons.indices.count { before.polygons[$0] != after.polygons[$0] } == 1)
  }

  @Test("cached poles are recomputed if a bit of the file changes")
  func damage() throws {
    let sample = try Sample()
    try sample.write(width: 1)
    let whole = try sample.build()
    let folder = ".quadrille-cache/artifacts"
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path(folder))
    let name = try #require(names.first { $0.hasPrefix("poles-") })
    var bytes = try sample.folder.bytes("\(folder)/\(name)")
    let middle = bytes.count / 2
    bytes[middle] ^= 4
    try Data(bytes).write(to: URL(fileURLWithPath: sample.folder.path("\(folder)/\(name)")))
    #expect(try sample.build() == whole)
    bytes[middle] ^= 4
    #expect(try sample.folder.bytes("\(folder)/\(name)") == bytes)
  }
}
