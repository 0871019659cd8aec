import Foundation
import MBTiles
import PipelineSamples
import SourceStages
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

/// Parts of an archive have as few gaps as the archive: each zoom between others has a tile.
@Suite("Packs and extracts whose tiles leave a zoom out")
struct PackGapTests {
  private static let apart =
    "{id: a, type: circle, source: s, maxzoom: 2}, {id: b, type: circle, source: s, minzoom: 5}"
  private static let plain = "{id: a, type: circle, source: s}"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(
    _ points: String, layers: String = plain, output: String = "out.mbtiles", packs: String,
    tiles: String = "{maxzoom: 6}", box: [Double] = [0, 40, 20, 60]
  ) throws -> PipelineDefinition {
    try folder.write("lng,lat,k\n\(points)\n", to: "s.csv")
    try folder.write(
      "{\"type\": \"FeatureCollection\", \"features\": [\(PackSample.feature("Home", box))]}",
      to: "regions.geojson")
    let file = try folder.write(
      """
      version: 1
      sources: {s: {type: csv, data: s.csv}}
      layers: [\(layers)]
      tiles: \(tiles)
      output: {path: \(output), packs: {by: regions.geojson\(packs)}}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func expectSound(_ file: String) throws {
    let found = try PipelineRunner.verify(
      archive: folder.path(file), cancellation: Cancellation(), progress: { _ in })
    #expect(found.faults.isEmpty, "\(file): \(found.faults)")
  }

  /// Points of which one lies outside the region, at first in the same tile as the region.
  private static let cases:
    [(points: String, layers: String, output: String, shared: Int?, tiles: String)] =
      [
        ("10,50,a\n30,50,b", plain, "out.mbtiles", 2, "{maxzoom: 6}"),
        ("10,50,a\n30,50,b", plain, "out.mbtiles", 1, "{maxzoom: 6, fill: none}"),
        ("10,50,a\n22,50,b", plain, "out.pmtiles", 3, "{maxzoom: 8}"),
        ("10,50,a\n30,50,b", plain, "out.mbtiles", 2, "{maxzoom: 6, format: webp}"),
        ("10,50,a\n30,50,b", plain, "out.mbtiles", 2, "{maxzoom: 6, scale: [1, 2]}"),
        (
          "10,50,a\n30,50,b", plain, "out.mbtiles", 2,
          "{maxzoom: 6, interactivity: {format: compact}}"
        ),
        ("10,50,a\n100,50,b", apart, "out.mbtiles", nil, "{maxzoom: 7}"),
        ("10,50,a\n100,50,b", apart, "out.mbtiles", 3, "{maxzoom: 7, interactivity: {}}"),
      ]

  @Test("packs are built and verified, and again with the same bytes", arguments: cases)
  func packs(
    points: String, layers: String, output: String, shared: Int?, tiles: String
  ) throws {
    let definition = try definition(
      points, layers: layers, output: output,
      packs: shared.map { ", shared: {maxzoom: \($0)}" } ?? "", tiles: tiles)
    #expect(try PipelineRunner.check(definition, options: BuildOptions()).failure == nil)
    func build(_ force: Bool) throws -> [String: [UInt8]] {
      var options = BuildOptions()
      options.force = force
      let report = try #require(
        PipelineRunner.build(
          definition, options: options, cancellation: Cancellation(), progress: { _ in }
        ).first)
      #expect((report.packs?.count ?? 0) > 0)
      var files: [String: [UInt8]] = [:]
      for name in try folder.names() where name.hasPrefix("out-") {
        files[name] = try folder.bytes(name)
        try expectSound(name)
      }
      return files
    }
    let first = try build(false)
    #expect(first.count >= (shared == nil ? 1 : 2))
    #expect(try build(true) == first)
  }

  @Test(
    "an extract of a region is sound, and says what was added",
    arguments: ["small.mbtiles", "small.pmtiles"])
  func extract(output: String) throws {
    let points = "10,50,a\n100,50,b\n101,51,b"
    // The zooms between have tiles elsewhere, in the east.
    let layers =
      Self.apart + ", {id: c, type: circle, source: s, filter: ['==', [get, k], b]}"
    let definition = try definition(points, layers: layers, packs: "", tiles: "{maxzoom: 7}")
    _ = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    var options = ExportOptions(
      archive: folder.path("out.mbtiles"), output: folder.path(output),
      container: TileContainer(ofPath: output))
    options.bounds = GeoBounds(west: 0, south: 40, east: 20, north: 60)
    let summary = try PipelineRunner.export(
      options, cancellation: Cancellation(), progress: { _ in })
    #expect(summary.zooms == 0...7)
    #expect(summary.notes.contains { $0.contains("readers accept no gap") }, "\(summary.notes)")
    try expectSound(output)
    var zooms: Set<Int> = []
    try ArchiveReader.opening(FilePath(folder.path(output))).forEachTile { tile, _ in
      zooms.insert(tile.z)
    }
    #expect(zooms == Set(0...7))
  }
}
