import Foundation
import PNG
import PipelineSamples
import Raster
import TestSupport
import Testing

@testable import Definition
@testable import Reports
@testable import Runs

/// The files beside an archive that lead clients to its tiles.
@Suite("Sidecars")
struct SidecarTests {
  private static let suffixes = [".legend.json", ".legend.png", ".style.json", ".tilejson"]

  private func text(_ sample: BuildSample, _ name: String) throws -> String {
    String(decoding: try sample.folder.bytes(name), as: UTF8.self)
  }

  private func inodes(_ sample: BuildSample) throws -> [Int] {
    try Self.suffixes.map { suffix in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: sample.folder.path("out\(suffix)"))
      return attributes[.systemFileNumber] as? Int ?? 0
    }
  }

  @Test("sidecars lead to the tiles of each density, by addresses relative to themselves")
  func content() throws {
    let sample = try BuildSample(rows: 20, tiles: "{maxzoom: 2, scale: [1, 2]}")
    try sample.build()
    let tiles = try text(sample, "out@2x.tilejson")
    let inputs = try #require(tiles.firstMatch(of: #/"quadrille:inputs": "([0-9a-f]{64})"/#)).1
    let bounds = try #require(tiles.firstMatch(of: #/"bounds": (\[.*\])/#)).1
    let center = try #require(tiles.firstMatch(of: #/"center": (\[.*\])/#)).1
    #expect(
      tiles == """
        {
          "tilejson": "3.0.0",
          "name": "sample",
          "description": "",
          "version": "1.0.0",
          "attribution": "",
          "scheme": "xyz",
          "tiles": ["out@2x/{z}/{x}/{y}.png"],
          "minzoom": 0,
          "maxzoom": 2,
          "bounds": \(bounds),
          "center": \(center),
          "format": "png",
          "tileSize": 256,
          "scale": 2,
          "quadrille:inputs": "\(inputs)"
        }

        """)
    let style = try text(sample, "out@2x.style.json")
    #expect(
      style == """
        {
          "version": 8,
          "name": "sample",
          "center": [\(center.dropFirst().split(separator: ",").prefix(2).joined(separator: ","))],
          "zoom": 1,
          "sources": {
            "out@2x": {
              "type": "raster",
              "tiles": ["out@2x/{z}/{x}/{y}.png"],
              "tileSize": 256,
              "scheme": "xyz",
              "minzoom": 0,
              "maxzoom": 2,
              "bounds": \(bounds),
              "attribution": ""
            }
          },
          "layers": [
            {"id": "out@2x", "type": "raster", "source": "out@2x"}
          ]
        }

        """)
    let small = try PNGDecoder().decode(sample.folder.bytes("out.legend.png"))
    let large = try PNGDecoder().decode(sample.folder.bytes("out@2x.legend.png"))
    #expect(abs(large.width - 2 * small.width) <= 2 && abs(large.height - 2 * small.height) <= 2)
    for suffix in Self.suffixes {
      #expect(try !text(sample, "out\(suffix)").contains(sample.folder.url.path), "\(suffix)")
    }
  }

  @Test("the legend sidecar explains what circles mean")
  func legend() throws {
    let sample = try BuildSample(rows: 20, tiles: "{maxzoom: 1}")
    try sample.build()
    #expect(
      try text(sample, "out.legend.json") == """
        {
          "version": 1,
          "title": "Sample",
          "scale": 1,
          "text": "Sample. Disc.",
          "entries": [
            {
              "title": "Disc",
              "source": "places",
              "layers": ["disc"],
              "property": null,
              "rows": [
                {
                  "label": "Disc",
                  "value": null,
                  "swatch": [
                    {"type": "circle", "radius": 5, "color": "#000000", "strokeWidth": 0, "strokeColor": "#000000", "blur": 0}
                  ]
                }
              ]
            }
          ]
        }

        """)
  }

  @Test("sidecars are the same on any machine, and left alone for an unchanged archive")
  func stable() throws {
    let (sample, other) = (
      try BuildSample(rows: 20, tiles: "{maxzoom: 1}"),
      try BuildSample(rows: 20, tiles: "{maxzoom: 1}")
    )
    try sample.build()
    try other.build()
    for suffix in Self.suffixes {
      #expect(
        try sample.folder.bytes("out\(suffix)") == other.folder.bytes("out\(suffix)"), "\(suffix)")
    }
    let before = try inodes(sample)
    #expect(try sample.build()[0].result == .unchanged)
    #expect(try inodes(sample) == before)
    // Made again, they have the same bytes, so nobody needs to fetch them again.
    var options = BuildOptions()
    options.force = true
    #expect(try sample.build(options)[0].result == .published)
    #expect(try inodes(sample) == before)
  }

  @Test("sidecars that are missing, empty or of another archive are written by the next run")
  func missing() throws {
    let sample = try BuildSample(rows: 20, tiles: "{maxzoom: 1}")
    try sample.build()
    for suffix in Self.suffixes {
      let whole = try sample.folder.bytes("out\(suffix)")
      try FileManager.default.removeItem(atPath: sample.folder.path("out\(suffix)"))
      #expect(try sample.build()[0].result == .unchanged)
      #expect(try sample.folder.bytes("out\(suffix)") == whole)
      try sample.folder.write("", to: "out\(suffix)")
      #expect(try sample.build()[0].result == .unchanged)
      #expect(try sample.folder.bytes("out\(suffix)") == whole)
    }
    // As a run leaves them that dies between its archive and its sidecars.
    let tiles = try text(sample, "out.tilejson")
    try sample.folder.write(
      tiles.replacing(#/"quadrille:inputs": "./#, with: "\"quadrille:inputs\": \"x"),
      to: "out.tilejson")
    try sample.folder.write("stale", to: "out.legend.json")
    try sample.build()
    #expect(try text(sample, "out.tilejson") == tiles)
    #expect(try text(sample, "out.legend.json") != "stale")
  }

  @Test(
    "sidecars are not written if the pipeline disables them, which does not rebuild the archive")
  func none() throws {
    let sample = try BuildSample(rows: 20, tiles: "{maxzoom: 1}")
    try sample.build()
    let pipeline = try text(sample, "sample.yml")
    try sample.folder.write(
      pipeline.replacing("{path: out.mbtiles}", with: "{path: out.mbtiles, sidecars: false}"),
      to: "sample.yml")
    for suffix in Self.suffixes {
      try FileManager.default.removeItem(atPath: sample.folder.path("out\(suffix)"))
    }
    #expect(try sample.build()[0].result == .unchanged)
    #expect(
      try sample.folder.names().allSatisfy { name in !Self.suffixes.contains { name.hasSuffix($0) }
      })
  }

  @Test("sidecars that cannot be written fail the run, but the archive is published")
  func unwritable() throws {
    let sample = try BuildSample(rows: 20, tiles: "{maxzoom: 1}")
    try FileManager.default.createDirectory(
      atPath: sample.folder.path("out.style.json/x"), withIntermediateDirectories: true)
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(
      error?.message.contains("out.mbtiles is published, but") == true,
      "\(String(describing: error))")
    try FileManager.default.removeItem(atPath: sample.folder.path("out.style.json"))
    #expect(try sample.build()[0].result == .unchanged)
    #expect(try sample.folder.names().contains("out.tilejson"))
  }

  @Test("sidecars of a series lead to its newest frame, and to each in the style")
  func series() throws {
    let sample = try SeriesSample()
    try sample.build()
    let tiles = String(decoding: try sample.folder.bytes("rain.tilejson"), as: UTF8.self)
    #expect(tiles.contains(#""tiles": ["rain/latest/{z}/{x}/{y}.png"]"#))
    let style = String(decoding: try sample.folder.bytes("rain.style.json"), as: UTF8.self)
    #expect(
      style.matches(of: #/"tiles": \["rain\/2014-01-19T0[678]00Z\/\{z\}\/\{x\}\/\{y\}\.png"\]/#)
        .count == 3)
    #expect(style.matches(of: #/"visibility": "none"/#).count == 2)
    try FileManager.default.removeItem(atPath: sample.folder.path("rain.tilejson"))
    #expect(try sample.build().result == .unchanged)
    #expect(String(decoding: try sample.folder.bytes("rain.tilejson"), as: UTF8.self) == tiles)
  }
}
