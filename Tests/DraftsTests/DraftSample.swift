import DefinitionSamples
import Foundation
import PNG
import PipelineSamples
import SQLite
import TestSupport

@testable import Definition
@testable import Drafts
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Files of data in a folder of their own, and the pipelines that are drafted from them.
struct DraftSample {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Drafts a pipeline beside the files.
  func draft(
    _ names: String..., pipeline: String = "map.yml",
    change: (inout PipelineDraft.Request) -> Void = { _ in }
  ) throws -> PipelineDraft {
    var request = PipelineDraft.Request(
      files: names.map(folder.path), pipeline: folder.path(pipeline),
      currentFolder: folder.url.path)
    change(&request)
    return try PipelineRunner.draft(
      request, cancellation: Cancellation(), progress: { _ in })
  }

  /// Decodes a draft as a file beside the data.
  func definition(_ draft: PipelineDraft) throws -> PipelineDefinition {
    try PipelineDefinition(document(draft.text, file: folder.path("map.yml")))
  }

  /// Builds a draft, with as few zooms as show that it can be built.
  func build(_ draft: PipelineDraft) throws -> [BuildReport] {
    var definition = try definition(draft)
    definition.tiles.maxZoom = min(definition.tiles.maxZoom, definition.tiles.minZoom + 3)
    return try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
  }

  // MARK: Files

  func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
    let file = folder.url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// A CSV file of shops in two cities.
  func writeShops(_ count: Int) throws {
    var random = SplitMix64(seed: 5)
    var text = "shop_id,name,lng,lat,sales\n"
    for row in 0..<count {
      let west = row % 2 == 0 ? 8.0 : 13.2
      let (x, y) = (random.number(in: west..<west + 0.4), random.number(in: 48..<48.3))
      text += "\(row + 100),Shop \(row),\(x),\(y),\(random.below(100_000))\n"
    }
    try folder.write(text, to: "shops.csv")
  }

  /// GeoJSON of squares with a name, a number that some lack, and a kind.
  func writeDistricts() throws {
    var random = SplitMix64(seed: 9)
    var features: [String] = []
    for row in 0..<36 {
      let (x, y) = (8 + 0.1 * Double(row % 6), 48 + 0.05 * Double(row / 6))
      let number = row == 7 ? "null" : "\(random.below(5000))"
      features.append(
        """
        {"type":"Feature","properties":{"name":"District \(row)","density":\(number)},
         "geometry":{"type":"Polygon","coordinates":[[[\(x),\(y)],[\(x + 0.1),\(y)],
         [\(x + 0.1),\(y + 0.05)],[\(x),\(y + 0.05)],[\(x),\(y)]]]}}
        """)
    }
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#,
      to: "districts.geojson")
  }

  /// A sequence of lines with a class.
  func writeRoads() throws {
    let lines = (0..<24).map { row in
      let y = 48 + 0.01 * Double(row)
      return #"{"type":"Feature","properties":{"class":"\#(["path", "street", "road"][row % 3])"},"#
        + #""geometry":{"type":"LineString","coordinates":[[8,\#(y)],[8.2,\#(y + 0.02)],[8.4,\#(y)]]}}"#
    }
    try folder.write(lines.joined(separator: "\n"), to: "roads.geojsonl")
  }

  func writeImage(_ name: String, width: Int = 60, height: Int = 40) throws {
    try write(PNGEncoder().encode(ImageSample.blots(width: width, height: height)), to: name)
  }
}
