import Foundation
import MBTiles
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("Tiles of three pixels per point")
struct TripleDensityTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 5)
    let rows = (0..<60).map { "\($0),\(random.below(340) - 170),\(random.below(140) - 70)\n" }
    try folder.write("no,lng,lat\n" + rows.joined(), to: "points.csv")
    // An area with a hole that crosses many tiles, and a line over the antimeridian.
    try folder.write(
      """
      {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [
          [[-100, -40], [60, -50], [80, 55], [-90, 60], [-100, -40]],
          [[-20, -10], [-20, 20], [30, 20], [30, -10], [-20, -10]]]}},
        {"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [
          [150, 10], [179, 30], [-170, -20]]}}]}
      """, to: "shapes.geojson")
  }

  private func definition(
    scale: String, maxZoom: Int = 3, more: String = ""
  ) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources:
        points: {type: csv, data: points.csv, id: no}
        shapes: {type: geojson, data: shapes.geojson}
      layers:
        - {id: area, type: fill, source: shapes, paint: {fill-color: "#88aacc"}}
        - {id: line, type: line, source: shapes, paint: {line-color: "#223344", line-width: 3}}
        - {id: heat, type: heatmap, source: points, paint: {heatmap-radius: 20}}
        - {id: disc, type: circle, source: points, paint: {circle-radius: 6, circle-color: red}}
      tiles: {maxzoom: \(maxZoom), scale: \(scale)\(more)}
      output: {path: out.mbtiles}
      """, to: "p.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  private func build(_ definition: PipelineDefinition, force: Bool = false) throws -> [BuildReport]
  {
    var options = BuildOptions()
    options.force = force
    options.noCache = force
    return try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
  }

  /// The mean difference of a channel between a tile and its picture at density 3, reduced, over
  /// white.
  private func difference(_ tile: [UInt8], _ dense: [UInt8]) throws -> Double {
    let (one, three) = (try PNGDecoder().decode(tile), try PNGDecoder().decode(dense))
    #expect(one.width == 256 && three.width == 768)
    func channels(_ bits: UInt32) -> [Int] {
      let color = PremultipliedColor(bits: bits)
      let white = 255 - Int(color.alpha)
      return [Int(color.red) + white, Int(color.green) + white, Int(color.blue) + white]
    }
    var sum = 0
    for y in 0..<256 {
      for x in 0..<256 {
        var mean = [0, 0, 0]
        for step in 0..<9 {
          let place = channels(three[3 * x + step % 3, 3 * y + step / 3].bits)
          for index in 0..<3 { mean[index] += place[index] }
        }
        let own = channels(one[x, y].bits)
        for index in 0..<3 { sum += abs(own[index] - mean[index] / 9) }
      }
    }
    return Double(sum) / (256 * 256 * 3)
  }

  @Test("they show what tiles of one pixel show, at the same places")
  func places() throws {
    let reports = try build(
      definition(
        scale: "[1, 3]", more: ", interactivity: {layers: [disc, area], format: compact}"))
    #expect(reports.map(\.tiles.planned).first == reports.map(\.tiles.planned).last)
    let plain = try ArchiveReader(FilePath(folder.path("out.mbtiles")))
    let dense = try ArchiveReader(FilePath(folder.path("out@3x.mbtiles")))
    #expect(dense.metadata["scale"] == "3")
    var count = 0
    try plain.forEachTile { (tile, _) throws(ArchiveError) in
      guard tile.z < 3 else { return }
      count += 1
      let one = try plain.tile(tile)
      let three = try dense.tile(tile)
      let difference = try? difference(#require(one), #require(three))
      // A circle fades within its last pixel, of which there are three here.
      #expect((difference ?? 255) < 2.5, "\(tile): \(difference ?? 255)")
    }
    #expect(count > 10)
    for path in ["out.mbtiles", "out@3x.mbtiles"] {
      let verification = try PipelineRunner.verify(
        archive: folder.path(path), cancellation: Cancellation(), progress: { _ in })
      #expect(verification.faults == [])
    }
    for place in [LngLat(longitude: -60, latitude: 30), LngLat(longitude: 5, latitude: 5)] {
      let answers = try ["out.mbtiles", "out@3x.mbtiles"].map {
        try PipelineRunner.tap(archive: folder.path($0), at: place, zoom: 3)
      }
      #expect(answers[0] == answers[1])
    }
  }

  @Test("an incremental build has the bytes of a full one")
  func incremental() throws {
    try build(definition(scale: "3"))
    let text = String(decoding: try folder.bytes("points.csv"), as: UTF8.self)
    try folder.write(text + "77,12,34\n", to: "points.csv")
    let report = try #require(try build(definition(scale: "3")).first)
    #expect(report.tiles.reused > 0)
    let incremental = try folder.bytes("out@3x.mbtiles")
    try build(definition(scale: "3"), force: true)
    #expect(try folder.bytes("out@3x.mbtiles") == incremental)
  }

  @Test("a world of more than 2³² pixels is refused with what to change")
  func limit() throws {
    let error = #expect(throws: PipelineError.self) {
      try definition(scale: "[1, 3]", maxZoom: 22, more: ", tileSize: 512")
    }
    #expect(error?.message.contains("Set a smaller 'maxzoom'") == true)
    _ = try definition(scale: "[1, 3]", maxZoom: 22)
    _ = try definition(scale: "[1, 3]", maxZoom: 21, more: ", tileSize: 512")
  }
}
