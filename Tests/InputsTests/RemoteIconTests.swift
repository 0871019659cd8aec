import Foundation
import MBTiles
import PNG
import Raster
import Synchronization
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// A sprite on a server: an index and a PNG for two densities, whose one image is a square.
@Suite("Sprites behind urls")
struct RemoteIconTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The content of the server by path, with a version that is its ETag.
  private final class Content: Sendable {
    private let files = Mutex<[String: (body: [UInt8], version: Int)]>([:])

    func set(_ path: String, _ body: [UInt8]) {
      files.withLock { $0[path] = (body, ($0[path]?.version ?? 0) + 1) }
    }

    func remove(_ path: String) {
      files.withLock { $0[path] = nil }
    }

    subscript(path: String) -> (body: [UInt8], version: Int)? { files.withLock { $0[path] } }
  }

  private func server(_ content: Content) throws -> LocalServer {
    try LocalServer { request, connection in
      let path = String(request.target.prefix { $0 != "?" })
      guard let file = content[path] else { return connection.answer(404, [], "nothing") }
      let tag = "ETag: \"\(file.version)\""
      if request.headers["if-none-match"] == "\"\(file.version)\"" {
        connection.answer(304, [tag])
      } else {
        connection.answer(200, [tag], file.body)
      }
    }
  }

  /// Puts a square of 8 style pixels in one colour on the server.
  private static func put(_ color: UInt32, density: Int, on content: Content) {
    let side = 8 * density
    let square = Pixmap(width: side, height: side)
    square.clear(to: PremultipliedColor(bits: color))
    let mark = density == 2 ? "@2x" : ""
    content.set("/sheet\(mark).png", PNGEncoder().encode(square))
    content.set(
      "/sheet\(mark).json",
      Array(
        """
        {"square": {"x": 0, "y": 0, "width": \(side), "height": \(side), "pixelRatio": \(density)}}
        """.utf8))
  }

  private func definition(_ url: String, scale: String = "[1, 2]") throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sprite: "\(url)"
      sources:
        s: {type: geojson, data: {type: FeatureCollection, features: [
          {type: Feature, id: 1, properties: {k: square},
           geometry: {type: Point, coordinates: [30, 30]}},
          {type: Feature, id: 2, properties: {k: none},
           geometry: {type: Point, coordinates: [-30, 30]}}]}}
      layers:
        - {id: a, type: symbol, source: s, layout: {icon-image: [get, k]}}
        - {id: b, type: circle, source: s, filter: ['==', [get, k], none]}
      tiles: {minzoom: 2, maxzoom: 2, scale: \(scale)}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  private func build(
    _ definition: PipelineDefinition, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> [BuildReport] {
    var options = BuildOptions()
    change(&options)
    return try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
  }

  /// The colour in the middle of the square, in an archive of a density.
  private func color(_ name: String, density: Int) throws -> UInt32? {
    let archive = try ArchiveReader(FilePath(folder.path(name)))
    guard let png = try archive.tile(TileCoord(z: 2, x: 2, y: 1)) else { return nil }
    let tile = try PNGDecoder().decode(png)
    // 30° E is 85⅓ px, 30° N about 168 px from the tile's corner.
    return tile[85 * density + density, 168 * density + density].bits
  }

  @Test("the files of all densities are fetched once, and asked for by their ETags afterwards")
  func fetched() throws {
    let content = Content()
    Self.put(0xFF00_00FF, density: 1, on: content)
    Self.put(0xFFFF_0000, density: 2, on: content)
    let server = try server(content)
    let pipeline = try definition(server.url("/sheet"))
    let first = try build(pipeline)
    #expect(first.map(\.result) == [.published, .published])
    #expect(try color("out.mbtiles", density: 1) == 0xFF00_00FF)
    #expect(try color("out@2x.mbtiles", density: 2) == 0xFFFF_0000)
    let targets = Set(server.requests.map(\.target))
    #expect(
      targets == ["/sheet.json", "/sheet.png", "/sheet@2x.json", "/sheet@2x.png"], "\(targets)")
    let asked = server.requests.count
    #expect(try build(pipeline).allSatisfy { $0.result == .unchanged })
    let again = server.requests.dropFirst(asked)
    #expect(!again.isEmpty && again.allSatisfy { $0.headers["if-none-match"] == "\"1\"" })
    let total = server.requests.count
    #expect(try build(pipeline) { $0.offline = true }.allSatisfy { $0.result == .unchanged })
    #expect(server.requests.count == total)
  }

  @Test("a build for one density asks for its files alone", arguments: [1, 2])
  func density(scale: Int) throws {
    let content = Content()
    for density in 1...2 { Self.put(0xFF00_FF00, density: density, on: content) }
    let server = try server(content)
    try build(try definition(server.url("/sheet"), scale: "\(scale)"))
    let marked = server.requests.filter { $0.target.contains("@2x") }
    #expect(marked.count == (scale == 2 ? server.requests.count : 0))
  }

  @Test("a sprite that changed on the server paints its tiles anew, as a full build does")
  func changed() throws {
    let content = Content()
    Self.put(0xFF00_00FF, density: 1, on: content)
    let server = try server(content)
    let pipeline = try definition(server.url("/sheet"), scale: "1")
    let first = try build(pipeline)[0]
    Self.put(0xFF00_FF00, density: 1, on: content)
    let second = try build(pipeline)[0]
    #expect(second.result == .published && second.archive.digest != first.archive.digest)
    #expect(second.tiles.rendered > 0 && second.tiles.reused > 0)
    #expect(try color("out.mbtiles", density: 1) == 0xFF00_FF00)
    let full = try build(pipeline) {
      $0.noCache = true
      $0.output = folder.path("full.mbtiles")
    }[0]
    #expect(try folder.bytes("out.mbtiles") == folder.bytes("full.mbtiles"))
    #expect(full.archive.digest == second.archive.digest)
  }

  @Test("runs without caches in one process do not take files from each other")
  func concurrent() throws {
    let content = Content()
    for density in 1...2 { Self.put(0xFF00_00FF, density: density, on: content) }
    let server = try server(content)
    let pipeline = try definition(server.url("/sheet"))
    let failures = Mutex<[String]>([])
    let temporary = folder.path("temporary")
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: true)
    DispatchQueue.concurrentPerform(iterations: 12) { number in
      do {
        try build(pipeline) {
          ($0.noCache, $0.temporaryFolder, $0.threads) = (true, temporary, 1)
          $0.output = folder.path("\(number).mbtiles")
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let first = try folder.bytes("0.mbtiles")
    for number in 1..<12 { #expect(try folder.bytes("\(number).mbtiles") == first) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  @Test(
    "a sprite that is not on the server ends the run with its place", arguments: ["json", "png"])
  func missing(ending: String) throws {
    let content = Content()
    Self.put(0xFF00_00FF, density: 1, on: content)
    content.remove("/sheet.\(ending)")
    let server = try server(content)
    let error = #expect(throws: PipelineError.self) {
      try build(try definition(server.url("/sheet"), scale: "1"))
    }
    #expect(error?.exitCode == 69)
    #expect(error?.description.contains("sheet.\(ending)") == true, "\(error?.description ?? "")")
  }

  @Test("a style whose sprite cannot be fetched is drawn without it, with a note, as in MapLibre")
  func style() throws {
    let content = Content()
    Self.put(0xFF00_00FF, density: 1, on: content)
    let server = try server(content)
    let file = try folder.write(
      """
      {"version": 8, "sprite": "\(server.url("/sheet"))",
       "sources": {"s": {"type": "geojson", "data": {"type": "Feature", "properties": {},
        "geometry": {"type": "Point", "coordinates": [30, 30]}}}},
       "layers": [
        {"id": "a", "type": "symbol", "source": "s", "layout": {"icon-image": "square"}},
        {"id": "b", "type": "circle", "source": "s", "paint": {"circle-translate": [20, 0]}}],
       "tiles": {"tileSize": 256, "minzoom": 2, "maxzoom": 2}, "output": {"path": "out.mbtiles"}}
      """, to: "style.json")
    let pipeline = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    for path in ["/sheet.json", "/sheet.png"] { content.remove(path) }
    let without = try build(pipeline)[0]
    #expect(try color("out.mbtiles", density: 1) == 0)
    let note = without.notes.first { $0.contains("the sprite is left out") }
    #expect(note?.contains("style.json:1:") == true, "\(without.notes)")
    #expect(note?.contains("/sheet.json") == true)
    Self.put(0xFF00_00FF, density: 1, on: content)
    let with = try build(pipeline)[0]
    #expect(with.result == .published && with.notes.allSatisfy { !$0.contains("left out") })
    #expect(try color("out.mbtiles", density: 1) == 0xFF00_00FF)
    content.remove("/sheet.png")
    try build(pipeline) { $0.output = folder.path("new.mbtiles") }
    try build(pipeline) { ($0.output, $0.noCache) = (folder.path("whole.mbtiles"), true) }
    #expect(try folder.bytes("new.mbtiles") == folder.bytes("whole.mbtiles"))
  }
}
