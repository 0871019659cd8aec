import Definition
import Foundation
import PNG
import PipelineSamples
import Raster
import Runs
import TestSupport
import Testing
import Tiling

@testable import Reports

private typealias Sample = RasterTileSample

@Suite("A source of raster tiles")
struct RasterTileTests {
  /// The whole world at a zoom, without any border of tiles.
  private static func world(_ sample: RasterTileSample, zoom: Int) throws -> Pixmap {
    try VectorSourceSample.picture(
      try sample.pipeline(source: ", resampling: nearest"), zoom: Double(zoom), side: 256 << zoom)
  }

  @Test("raster tiles in any container are drawn", arguments: RasterTileSample.Container.allCases)
  func containers(container: RasterTileSample.Container) throws {
    let sample = try RasterTileSample(container)
    try sample.write()
    var pictures: [TileCoord: Pixmap] = [:]
    for zoom in 0...3 {
      let world = try Self.world(sample, zoom: zoom)
      // Each pixel of a picture is a square of four, or of eight where there is no deeper tile.
      let shown = min(zoom, 2)
      let size = 256 << zoom
      let step = size / (64 << shown)
      var wrong = 0
      for y in stride(from: 1, to: size, by: 37) {
        for x in stride(from: 1, to: size, by: 41) {
          let (column, row) = (x / step, y / step)
          let tile = TileCoord(z: shown, x: column / 64, y: row / 64)
          let picture =
            try pictures[tile] ?? PNGDecoder().decode(PNGEncoder().encode(Sample.picture(tile)))
          pictures[tile] = picture
          if world[x, y] != picture[column % 64, row % 64] { wrong += 1 }
        }
      }
      #expect(wrong == 0, "zoom \(zoom)")
    }
  }

  @Test("an archive of raster tiles has the same bytes for any number of threads, twice unchanged")
  func builds() throws {
    let sample = try RasterTileSample()
    try sample.write()
    let report = try Sample.build(try sample.pipeline())
    #expect(report.result == .published && report.tiles.rendered == 85)
    #expect(report.sources.map(\.image) == [ImageReport(format: "PNG", width: 1024, height: 1024)])
    #expect(try Sample.build(try sample.pipeline()).result == .unchanged)
    let bytes = try sample.archive
    _ = try Sample.build(try sample.pipeline(), threads: 4, force: true)
    #expect(try sample.archive == bytes)
  }

  @Test(
    "a build after a changed tile paints what it reaches, and has the bytes of a full one",
    arguments: [RasterTileSample.Container.archive, .folder, .pmtiles, .template])
  func incremental(container: RasterTileSample.Container) throws {
    var sample = try RasterTileSample(container)
    try sample.write()
    _ = try Sample.build(try sample.pipeline())
    let tile = TileCoord(z: 2, x: 1, y: 2)
    sample.pictures[tile] = Sample.picture(tile, shade: 0.3)
    try sample.write()
    let report = try Sample.build(try sample.pipeline())
    // Enlarged, a tile reaches into those around it: at its zoom, and at the next the four below it.
    #expect(report.result == .published && report.tiles.rendered == 9 + 16)
    let bytes = try sample.archive
    _ = try Sample.build(try sample.pipeline(), force: true)
    #expect(try sample.archive == bytes)
    sample.pictures[tile] = nil
    try sample.write()
    _ = try Sample.build(try sample.pipeline())
    let without = try sample.archive
    #expect(without != bytes)
    _ = try Sample.build(try sample.pipeline(), force: true)
    #expect(try sample.archive == without)
  }

  @Test("damaged raster tiles are counted with their place, and end a build beyond onError")
  func damage() throws {
    var sample = try RasterTileSample()
    sample.bytes[TileCoord(z: 2, x: 3, y: 1)] = Array("no picture".utf8)
    let short = TileCoord(z: 2, x: 0, y: 1)
    sample.bytes[short] = Array(PNGEncoder().encode(Sample.picture(short)).prefix(200))
    try sample.write()
    let error = #expect(throws: PipelineError.self) { try Sample.build(try sample.pipeline()) }
    #expect(error?.code == .badData)
    #expect(error?.message.contains("cannot be read, the first is 2/0/1: ") == true)
    let report = try Sample.build(try sample.pipeline(source: ", onError: {max: 2}"))
    #expect(report.result == .published)
    #expect(report.notes.contains { $0.contains("2 tiles of") && $0.contains("2/0/1: ") })
  }

  @Test("raster tiles on a server are drawn as those of an archive, also where some are absent")
  func server() throws {
    var sample = try RasterTileSample()
    sample.pictures[TileCoord(z: 2, x: 1, y: 1)] = nil
    try sample.write()
    let tiles = Dictionary(
      uniqueKeysWithValues: sample.files.map {
        ("/\($0.tile.z)-\($0.tile.x)-\($0.tile.y)", $0.bytes)
      })
    let server = try LocalServer { request, connection in
      if let bytes = tiles[request.target] {
        connection.answer(200, [], bytes)
      } else {
        connection.answer(404)
      }
    }
    let template = server.url("/{z}-{x}-{y}")
    let expected = try Sample.build(try sample.pipeline())
    let view = try VectorSourceSample.picture(try sample.pipeline(), zoom: 2, side: 300)
    let remote = try sample.pipeline(data: template, source: ", maxzoom: 2")
    #expect(
      try VectorSourceSample.picture(remote, zoom: 2, side: 300).differences(from: view) == 0)
    let report = try Sample.build(remote)
    #expect(report.result == .published && report.archive.digest == expected.archive.digest)
    #expect(try Sample.build(remote).result == .unchanged)
  }

  @Test("vector tiles are refused as a source of raster tiles, by the type that reads them")
  func vectors() throws {
    let vectors = try VectorSourceSample()
    try vectors.write()
    let sample = try RasterTileSample()
    try FileManager.default.copyItem(
      atPath: vectors.folder.path("tiles.mbtiles"), toPath: sample.folder.path("tiles.mbtiles"))
    let error = #expect(throws: PipelineError.self) { try Sample.build(try sample.pipeline()) }
    #expect(error?.message.contains("'type: vector'") == true)
  }

  @Test("without tileSize a raster tile is as large as its picture; less takes deeper zooms")
  func tileSize() throws {
    let sample = try RasterTileSample()
    try sample.write()
    func color(_ source: String) throws -> UInt32 {
      let file = try sample.folder.write(
        """
        version: 1
        name: photo
        sources: {photo: {type: raster, data: tiles.mbtiles, resampling: nearest\(source)}}
        layers: [{id: r, type: raster, source: photo}]
        tiles: {maxzoom: 3}
        output: {path: photo.mbtiles}
        """, to: "photo.yml")
      let picture = try VectorSourceSample.picture(
        try PipelineDefinition(contentsOf: file, environment: { _ in nil }), zoom: 0, side: 256)
      return picture[20, 3].bits
    }
    // Blue tells the zoom: a world of 256 px is four pictures of 64 px wide.
    #expect(try color("") >> 16 & 255 == 128)
    #expect(try color(", tileSize: 128") >> 16 & 255 == 64)
    #expect(try color(", tileSize: 256") >> 16 & 255 == 0)
    #expect(try color(", tileSize: 256") != 0)
    #expect(try color(", tileSize: 256, minzoom: 1") == 0)
  }
}
