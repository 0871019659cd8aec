import Definition
import Features
import Foundation
import PipelineSamples
import Raster
import Reports
import Runs
import TestSupport
import Testing
import Tiling
import VectorTileSamples

@testable import Pipeline

private typealias Sample = VectorSourceSample

@Suite("A source of tiles that templates name")
struct TemplateSourceTests {
  private static let layer = "[{id: park, type: fill, source: town, source-layer: parks}]"

  /// A server of the tiles of a sample.
  private struct TileServer {
    let server: LocalServer

    /// - Parameter statuses: the answers for tiles that are not delivered, by their names.
    init(statuses: [String: Int] = [:]) throws {
      let tiles = Dictionary(
        uniqueKeysWithValues: try VectorSourceSample().tiles.map { tile, bytes in
          ("/\(tile.z)-\(tile.x)-\(tile.y).mvt", bytes)
        })
      server = try LocalServer { request, connection in
        if let status = statuses[request.target] {
          connection.answer(status)
        } else if let bytes = tiles[request.target] {
          connection.answer(200, [], bytes)
        } else {
          connection.answer(404)
        }
      }
    }

    var template: String { server.url("/{z}-{x}-{y}.mvt") }
  }

  private func pipeline(
    _ sample: VectorSourceSample, tiles: String, maxZoom: Int = 2, source: String = "",
    output: String = "{maxzoom: 2}"
  ) throws -> PipelineDefinition {
    let file = try sample.folder.write(
      """
      version: 1
      sources: {town: {type: vector, tiles: ['\(tiles)'], maxzoom: \(maxZoom)\(source)}}
      layers: \(Self.layer)
      tiles: \(output)
      output: {path: town.mbtiles}
      """, to: "town.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @Test("tiles on a server look as those of an archive, and are fetched once")
  func fetched() throws {
    let tiles = try TileServer()
    let archive = try VectorSourceSample()
    try archive.write()
    let remote = try VectorSourceSample(.template)
    let definition = try pipeline(remote, tiles: tiles.template)
    let expected = try Sample.picture(
      try archive.pipeline(Self.layer), zoom: 2, side: 1024)
    let found = try Sample.picture(definition, zoom: 2, side: 1024)
    #expect(expected.colors.count > 1)
    #expect(found.differences(from: expected) == 0)
    // Only the zoom that is drawn.
    #expect(tiles.server.requests.allSatisfy { $0.target.hasPrefix("/2-") })
    #expect(tiles.server.requests.count == 16)
    #expect(try Sample.build(definition).result == .published)
    #expect(try Sample.build(definition).result == .unchanged)
    let lock = try String(decoding: remote.folder.bytes("town.lock.json"), as: UTF8.self)
    #expect(lock.contains("/2-0-1.mvt") && !lock.contains("/2-1-3.mvt"))
    let asked = tiles.server.requests.count
    var options = BuildOptions()
    (options.locked, options.force) = (true, true)
    #expect(try Sample.build(definition, options).sources.allSatisfy { $0.ledger.used > 0 })
    #expect(tiles.server.requests.count == asked)
    (options.locked, options.offline) = (false, true)
    #expect(try Sample.build(definition, options).sources.allSatisfy { $0.ledger.used > 0 })
    #expect(tiles.server.requests.count == asked)
  }

  @Test("a view asks for the tiles that it shows and those around them")
  func view() throws {
    let tiles = try TileServer()
    let definition = try pipeline(
      try VectorSourceSample(.template), tiles: tiles.template, maxZoom: 8,
      output: "{maxzoom: 8}")
    _ = try PipelineRunner.tile(
      definition, tile: TileCoord(z: 8, x: 20, y: 30), scale: 1, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    #expect(tiles.server.requests.count == 9)
    #expect(tiles.server.requests.contains { $0.target == "/8-21-29.mvt" })
  }

  @Test("a tile that a server does not deliver is counted under its address")
  func failures() throws {
    let tiles = try TileServer(statuses: ["/2-0-1.mvt": 403, "/2-3-3.mvt": 204])
    let sample = try VectorSourceSample(.template)
    let output = "{minzoom: 2, maxzoom: 2}"
    let error = #expect(throws: PipelineError.self) {
      try Sample.build(try pipeline(sample, tiles: tiles.template, output: output))
    }
    #expect(error?.code == .fetchFailed)
    #expect(error?.message.contains("/2-0-1.mvt") == true)
    let report = try Sample.build(
      try pipeline(
        sample, tiles: tiles.template, source: ", onError: {max: 1}", output: output))
    #expect(report.sources[0].ledger.rejectedTotal == 1)
    #expect(report.sources[0].ledger.examples[0].message.contains("tile 2/0/1") == true)
    // The areas have parts in ten tiles, of which one has failed and one is absent.
    #expect(report.sources[0].ledger.used == 8)
    var options = BuildOptions()
    (options.blockDepth, options.force) = (0, true)
    let blocks = try Sample.build(
      try pipeline(
        sample, tiles: tiles.template, source: ", onError: {max: 1}", output: output), options)
    #expect(blocks.stages.contains { $0.name == "blocks" })
    #expect(blocks.sources.map(\.ledger) == report.sources.map(\.ledger))
  }

  @Test("more tiles than requests are allowed are refused, with their number")
  func tooMany() throws {
    let tiles = try TileServer()
    let definition = try pipeline(
      try VectorSourceSample(.template), tiles: tiles.template,
      source: ", requests: {max: 20}")
    // 21 tiles, of which the last zoom has 16.
    #expect(try Sample.build(definition).result == .published)
    let error = #expect(throws: PipelineError.self) {
      try Sample.build(
        try pipeline(
          try VectorSourceSample(.template), tiles: tiles.template,
          source: ", requests: {max: 15}"))
    }
    #expect(error?.message.contains("16 tiles of zoom 2") == true)
  }

  @Test("a template without the places of a tile, or with unknown ones, is refused")
  func badTemplate() throws {
    let sample = try VectorSourceSample(.template)
    let error = #expect(throws: PipelineError.self) {
      try pipeline(sample, tiles: "t/{z}/{a}.mvt")
    }
    #expect(error?.place?.line == 2)
    #expect(error?.message.contains("{z}, {x} and {y}") == true)
  }

  @Test("in a style, 'local://' is a folder also in the TileJSON that a source names")
  func localAddresses() throws {
    let sample = try VectorSourceSample(.template)
    try sample.write()
    try sample.folder.write(
      #"{"tiles": ["local://flat/{z}-{x}-{y}.mvt"], "maxzoom": 2, "attribution": "© Town"}"#,
      to: "sets/town.json")
    func picture(_ source: String) throws -> Pixmap {
      let file = try sample.folder.write(
        """
        {"version": 8, "sources": {"town": {"type": "vector", \(source)}},
         "layers": [{"id": "a", "type": "fill", "source": "town", "source-layer": "parks"}]}
        """, to: "style.json")
      let definition = try PipelineDefinition(
        contentsOf: file,
        environment: { $0 == "QUADRILLE_LOCAL" ? sample.folder.path(".") : nil })
      return try Sample.picture(definition, zoom: 2, side: 1024)
    }
    let listed = try picture(#""tiles": ["local://flat/{z}-{x}-{y}.mvt"]"#)
    let named = try picture(#""url": "local://sets/town.json""#)
    #expect(listed.colors.count > 1)
    #expect(named.differences(from: listed) == 0)
  }
}
