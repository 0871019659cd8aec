import Definition
import Foundation
import MBTiles
import PMTiles
import Pipeline
import Runs
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Inputs

/// PMTiles files on a server, of which a map reads a region.
@Suite(.serialized) struct RegionTests {
  /// Serves the file of a sample, by ranges or whole.
  private func server(_ sample: VectorSourceSample, ranges: Bool = true) throws -> LocalServer {
    let bytes = try sample.folder.bytes("tiles.pmtiles")
    return try LocalServer { request, connection in
      let range = request.headers["range"]?.dropFirst(6).split(separator: "-")
      if let range, ranges, let first = Int(range[0]), let last = Int(range[1]) {
        let end = min(last, bytes.count - 1)
        connection.answer(
          206, ["ETag: \"a\"", "Content-Range: bytes \(first)-\(end)/\(bytes.count)"],
          Array(bytes[first...end]))
      } else {
        connection.answer(200, ["ETag: \"a\""], bytes)
      }
    }
  }

  private static let layers = """
    [{id: parks, type: fill, source: town, source-layer: parks, paint: {fill-color: green}},
     {id: roads, type: line, source: town, source-layer: roads}]
    """
  private static let tiles = "{maxzoom: 3, bounds: [-100, -10, -20, 60]}"

  /// Returns the tiles of a build from the sample's own file, or from an address.
  private func built(_ sample: VectorSourceSample, _ address: String?) throws -> [TileCoord:
    [UInt8]]
  {
    let text = try String(contentsOfFile: sample.folder.path("town.yml"), encoding: .utf8)
    try sample.folder.write(
      text.replacing("'tiles.pmtiles'", with: "'\(address ?? "tiles.pmtiles")'"), to: "run.yml")
    let definition = try PipelineDefinition(
      contentsOf: sample.folder.path("run.yml"), environment: { _ in nil })
    _ = try VectorSourceSample.build(definition)
    var tiles: [TileCoord: [UInt8]] = [:]
    try ArchiveReader(FilePath(sample.folder.path("town.mbtiles"))).forEachTile {
      tiles[$0] = Array($1)
    }
    return tiles
  }

  @Test("a map with bounds is the same from a region by ranges, from the whole file, and from here")
  func sameMap() throws {
    let sample = try VectorSourceSample(.pmtiles)
    try sample.write()
    _ = try sample.pipeline(Self.layers, tiles: Self.tiles)
    let own = try built(sample, nil)
    #expect(own.count > 4)
    let byRanges = try server(sample)
    #expect(try built(sample, byRanges.url("/world.pmtiles")) == own)
    #expect(byRanges.requests.allSatisfy { $0.headers["range"] != nil })
    let lock = try String(
      contentsOfFile: sample.folder.path("town.lock.json"), encoding: .utf8)
    #expect(lock.contains("/world.pmtiles#bbox=-100.0,-10.0,-20.0,60.0&zooms=0-3"))
    let whole = try server(sample, ranges: false)
    #expect(try built(sample, whole.url("/world.pmtiles")) == own)
  }

  @Test("a base map from a server has the tiles of one from a file, and is locked")
  func basemap() throws {
    let sample = try VectorSourceSample(.pmtiles)
    try sample.write()
    let server = try server(sample)
    func extract(_ source: String, _ name: String, locked: Bool = false) throws -> String {
      var options = BuildOptions()
      options.locked = locked
      return try PipelineRunner.basemap(
        BasemapExtract(
          source, output: sample.folder.path(name),
          bounds: GeoBounds(west: -100, south: -10, east: -20, north: 60), zooms: 0...1,
          maxBytes: 1 << 20), options: options, cancellation: Cancellation(), progress: { _ in })
    }
    #expect(try extract(server.url("/world.pmtiles"), "far.pmtiles").contains("requests"))
    _ = try extract(sample.folder.path("tiles.pmtiles"), "near.pmtiles")
    let far = try sample.folder.bytes("far.pmtiles")
    #expect(try far == sample.folder.bytes("near.pmtiles"))
    let reader = try PMTilesReader(FilePath(sample.folder.path("far.pmtiles")))
    #expect(try reader.tile(TileCoord(z: 0, x: 0, y: 0)) != nil)
    let asked = server.requests.count
    #expect(
      try extract(server.url("/world.pmtiles"), "far.pmtiles", locked: true).contains("nothing new")
    )
    #expect(server.requests.count == asked)
    try sample.folder.write(#"{"version": 1, "files": []}"#, to: "far.lock.json")
    let error = #expect(throws: PipelineError.self) {
      try extract(server.url("/world.pmtiles"), "far.pmtiles", locked: true)
    }
    #expect(error?.code == .badData)
  }
}
