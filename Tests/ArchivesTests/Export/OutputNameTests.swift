import Foundation
import PipelineSamples
import TestSupport
import Testing

@testable import Archives
@testable import Pipeline
@testable import Runs

@Suite("Names of results")
struct OutputNameTests {
  @Test(
    "a folder is not made of the name of a file",
    arguments: ["out.zip", "tiles.tar.gz", "city.JPG", "tiles.json", "a.sqlite", "b.mbtile"])
  func folders(name: String) throws {
    let sample = try ExportSample(tiles: "{maxzoom: 2}")
    for publishes in [false, true] {
      let error = #expect(throws: PipelineError.self) {
        try sample.export(to: name) { if publishes { $0.publication = FolderPublication() } }
      }
      #expect(error?.code == .usage && error?.message.contains(name) == true)
    }
    #expect(try !sample.sample.folder.names().contains(name))
    try sample.export(to: name) { $0.isFolderChosen = true }
    try sample.export(to: "other-" + name) { $0.output += "/" }
    #expect(try sample.sample.folder.names().contains("other-" + name))
  }

  @Test(
    "folders may have dots in their names", arguments: ["tiles.v2", "tiles.example.org", "1.0"])
  func dots(name: String) throws {
    let sample = try ExportSample(tiles: "{maxzoom: 2}")
    try sample.export(to: name)
    #expect(try !sample.sample.folder.bytes("\(name)/tile.json").isEmpty)
  }

  @Test("no command on archives replaces what it reads", arguments: 0..<6)
  func own(number: Int) throws {
    let sample = try ExportSample(tiles: "{maxzoom: 2}")
    let folder = sample.sample.folder
    let polygon = """
      {"type": "Polygon", "coordinates": [[[-99, -60], [0, -60], [0, 60], [-99, 60], [-99, -60]]]}
      """
    try folder.write(polygon, to: "area.geojson")
    let link = folder.path("link.mbtiles")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "out.mbtiles")
    try FileManager.default.linkItem(atPath: sample.archive, toPath: folder.path("old.delta"))
    let archive = try folder.bytes("out.mbtiles")
    let cancellation = Cancellation()
    let runs: [() throws -> Void] = [
      { try sample.export(to: "out.mbtiles") },
      { try sample.export(to: "link.mbtiles") },
      {
        try sample.export(to: "area.geojson") {
          ($0.polygonFile, $0.container) = (folder.path("area.geojson"), .mbtiles)
        }
      },
      {
        try sample.export(to: "www") {
          $0.publication = FolderPublication()
          $0.publication?.purgeList = link
        }
      },
      {
        _ = try PipelineRunner.diff(
          old: sample.archive, new: link, output: folder.path("old.delta"),
          cancellation: cancellation, progress: { _ in }, each: { _, _ in })
      },
      {
        _ = try PipelineRunner.merge(
          delta: folder.path("old.delta"), with: folder.path("b.delta"),
          output: folder.path("./old.delta"), cancellation: cancellation, progress: { _ in })
      },
    ]
    let error = #expect(throws: PipelineError.self) { try runs[number]() }
    #expect(error?.code == .usage && error?.message.contains("would be replaced") == true)
    #expect(try folder.bytes("out.mbtiles") == archive)
    #expect(try folder.bytes("area.geojson") == Array(polygon.utf8))
    #expect(try !folder.names().contains("www"))
  }
}
