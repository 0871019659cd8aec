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
  /// How a server answers.
  enum Manner: CaseIterable {
    case byRanges
    case slowly
    case cutOff
    case withoutRanges
    case changing
  }

  /// Serves a file.
  private func server(_ bytes: [UInt8], _ manner: Manner = .byRanges) throws -> LocalServer {
    try LocalServer { request, connection in
      let tag = manner == .changing && request.ordinal > 0 ? "\"b\"" : "\"a\""
      if let wanted = request.headers["if-match"], wanted != tag {
        return connection.answer(412, ["ETag: \(tag)"], [])
      }
      let range = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap {
        Int($0)
      }
      guard manner != .withoutRanges, let range, let first = range.first else {
        return connection.answer(200, ["ETag: \(tag)"], bytes)
      }
      let end = min(range.count > 1 ? range[1] : .max, bytes.count - 1)
      let body = Array(bytes[first...end])
      let headers = ["ETag: \(tag)", "Content-Range: bytes \(first)-\(end)/\(bytes.count)"]
      guard manner == .slowly || (manner == .cutOff && request.ordinal == 1) else {
        return connection.answer(206, headers, body)
      }
      let head = ["HTTP/1.1 206 Words"] + headers + ["Content-Length: \(body.count)"]
      connection.send(head.joined(separator: "\r\n") + "\r\n\r\n")
      if manner == .cutOff {
        connection.send(Array(body.prefix(body.count / 2)))
        return
      }
      for start in stride(from: 0, to: body.count, by: 100) {
        connection.send(Array(body[start..<min(start + 100, body.count)]))
        connection.wait(milliseconds: 1)
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
    let byRanges = try server(sample.folder.bytes("tiles.pmtiles"))
    #expect(try built(sample, byRanges.url("/world.pmtiles")) == own)
    #expect(byRanges.requests.allSatisfy { $0.headers["range"] != nil })
    let lock = try String(
      contentsOfFile: sample.folder.path("town.lock.json"), encoding: .utf8)
    #expect(lock.contains("/world.pmtiles#bbox=-100.0,-10.0,-20.0,60.0&zooms=0-3"))
    let whole = try server(sample.folder.bytes("tiles.pmtiles"), .withoutRanges)
    #expect(try built(sample, whole.url("/world.pmtiles")) == own)
  }

  /// Writes a base map; returns what is said of it.
  private func basemap(
    _ source: String, _ name: String, _ folder: TemporaryFolder, locked: Bool = false
  ) throws -> String {
    var options = BuildOptions()
    options.locked = locked
    return try PipelineRunner.basemap(
      BasemapExtract(
        source, output: folder.path(name),
        bounds: GeoBounds(west: -100, south: -10, east: -20, north: 60), zooms: 0...3,
        maxBytes: 1 << 20), options: options, cancellation: Cancellation(), progress: { _ in })
  }

  @Test(
    "a base map from a slow or broken server is the same; without ranges or one version it is an error",
    arguments: Manner.allCases)
  func manners(manner: Manner) throws {
    let folder = try TemporaryFolder()
    try Self.writeWorld(to: folder.path("world.pmtiles"))
    let server = try server(folder.bytes("world.pmtiles"), manner)
    _ = try basemap(folder.path("world.pmtiles"), "near.pmtiles", folder)
    func extract() throws {
      _ = try basemap(server.url("/world.pmtiles"), "far.pmtiles", folder)
    }
    var words: String?
    if manner == .withoutRanges { words = "whole files only" }
    if manner == .changing { words = "the file was changed on its server" }
    if let words {
      let error = #expect(throws: PipelineError.self) { try extract() }
      #expect(error?.message.contains(words) == true, "\(error.debugDescription)")
      #expect(try !folder.names().contains { $0.hasPrefix("far.") })
      guard manner == .changing else { return }
    }
    // The run after a change takes the new version.
    try extract()
    #expect(try folder.bytes("far.pmtiles") == folder.bytes("near.pmtiles"))
    #expect(server.requests.count > 2)
    #expect(
      server.requests.contains { $0.headers["if-range"] != nil } == (manner == .cutOff))
  }

  /// Writes tiles whose bytes reach beyond the first request.
  private static func writeWorld(to path: String) throws {
    let writer = try PMTilesWriter(path: FilePath(path))
    var random = SplitMix64(seed: 7)
    for zoom in 0...3 {
      for place in 0..<1 << (2 * zoom) {
        let bytes = (0..<1500).map { _ in UInt8(random.below(256)) }
        let tile = TileCoord(z: zoom, x: place >> zoom, y: place & (1 << zoom - 1))
        try bytes.withUnsafeBytes { try writer.append(tile, $0) }
      }
    }
    var header = PMTilesHeader()
    header.maxZoom = 3
    header.bounds = [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000]
    _ = try writer.finish(header, metadata: Array("{}".utf8))
  }

  @Test("a base map from a server has the tiles of one from a file, and is locked")
  func basemap() throws {
    let sample = try VectorSourceSample(.pmtiles)
    try sample.write()
    let server = try server(sample.folder.bytes("tiles.pmtiles"))
    func extract(_ source: String, _ name: String, locked: Bool = false) throws -> String {
      try basemap(source, name, sample.folder, locked: locked)
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
