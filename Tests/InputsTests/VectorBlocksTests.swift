import Definition
import Features
import Foundation
import MBTiles
import Reports
import Runs
import SystemPackage
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

@testable import Baking
@testable import Pipeline

private typealias Sample = VectorSourceSample

@Suite("Vector tiles that are read block by block")
struct VectorBlocksTests {
  private static let layers = """
    [{id: ground, type: background, paint: {background-color: white}},
     {id: park, type: fill, source: town, source-layer: parks, paint: {fill-opacity: 0.5,
       fill-color: [match, [get, kind], wood, green, yellow]}},
     {id: edge, type: line, source: town, source-layer: parks, paint: {line-width: 9,
       line-opacity: 0.5, line-color: black}},
     {id: road, type: line, source: town, source-layer: roads, paint: {line-width: 5,
       line-color: red, line-dasharray: [3, 2]}},
     {id: place, type: circle, source: town, source-layer: places, paint: {circle-radius: 6,
       circle-color: blue}},
     {id: hotel, type: circle, source: hotels, paint: {circle-radius: 20, circle-color: purple}},
     {id: name, type: symbol, source: town, source-layer: places, layout: {text-field: [get, name],
       text-size: 24, text-offset: [1, 0]}, paint: {text-color: black}}]
    """

  /// Lines and areas at any angle, over tiles of three zooms.
  private func sample(
    _ container: Sample.Container = .archive, zooms: ClosedRange<Int> = 0...2
  ) throws -> VectorSourceSample {
    var sample = try VectorSourceSample(container, Sample.town)
    sample.zooms = zooms
    sample.shapes[0].shapes += (0..<12).map { number in
      let (x, y) = (Double(number % 4) * 3600 + 900, Double(number / 4) * 5000 + 700)
      let corners = (0..<40).map { corner -> GridPoint in
        let angle = Double(corner) * .pi / 20
        let radius = 1500 + 900 * sin(5 * angle + Double(number))
        return GridPoint(
          ((x + radius * cos(angle)) / 4).rounded() * 4,
          ((y + radius * sin(angle)) / 4).rounded() * 4
        )
      }
      return CutSample.Shape(
        type: .polygon, parts: [corners], id: UInt64(100 + number),
        properties: [("kind", .string(number % 2 == 0 ? "wood" : "lawn"))])
    }
    sample.shapes[1].shapes += (0..<8).map { number in
      CutSample.Shape(
        type: .line,
        parts: [
          (0..<60).map { step in
            GridPoint(
              Double(step) * 256 + 400,
              ((Double(number) * 1900 + 1200 + 800 * sin(Double(step) / 3)) / 4).rounded() * 4)
          }
        ], id: UInt64(200 + number), properties: [("name", .string("\(number)"))])
    }
    return sample
  }

  private func pipeline(
    _ sample: VectorSourceSample, layers: String = layers,
    tiles: String = "{maxzoom: 4, bounds: [-180, -80, 180, 80]}"
  ) throws -> PipelineDefinition {
    try sample.folder.write("id,lon,lat\n1,10,10\n2,11,10\n3,-100,40\n", to: "hotels.csv")
    return try PipelineDefinition(
      contentsOf: try sample.folder.write(
        """
        version: 1
        name: town
        sources:
          town: {type: vector, data: '\(sample.container.rawValue)', onError: {max: 9}\(sample.zoomKeys)}
          hotels: {type: csv, data: hotels.csv, cluster: true}
        layers: \(layers)
        tiles: \(tiles)
        output: {path: town.mbtiles}
        """, to: "town.yml"), environment: { _ in nil })
  }

  private func build(
    _ sample: VectorSourceSample, _ definition: PipelineDefinition, depth: Int?, threads: Int = 1,
    to name: String, isFull: Bool = true
  ) throws -> BuildReport {
    var options = BuildOptions()
    options.blockDepth = depth
    options.threads = threads
    options.output = sample.folder.path(name)
    (options.noCache, options.force) = (isFull, isFull)
    return try Sample.build(definition, options)
  }

  @Test("an archive does not depend on the size of the blocks, nor on threads")
  func sizes() throws {
    let sample = try sample()
    try sample.write()
    let definition = try pipeline(sample)
    let one = try build(sample, definition, depth: 22, to: "one.mbtiles")
    #expect(one.tiles.distinct > 50)
    #expect(one.stages.contains { $0.name == "blocks" })
    for (depth, threads) in [(0, 1), (1, 2), (2, 1), (3, 2)] {
      let blocks = try build(
        sample, definition, depth: depth, threads: threads, to: "blocks.mbtiles")
      #expect(blocks.archive.sha256 == one.archive.sha256, "blocks of \(depth) zooms")
    }
    // What is read as a whole has the same tiles.
    let whole = try build(sample, definition, depth: nil, to: "whole.mbtiles")
    #expect(!whole.stages.contains { $0.name == "blocks" })
    #expect(whole.archive.digest == one.archive.digest)
    #expect(whole.sources.map(\.name) == one.sources.map(\.name))
  }

  @Test("tiles that templates name are read in blocks as those of an archive")
  func templates() throws {
    let (archive, sample) = (try sample(), try sample(.template))
    try archive.write()
    try sample.write()
    let expected = try build(archive, try pipeline(archive), depth: 1, to: "town.mbtiles")
    let definition = try pipeline(sample)
    let whole = try build(sample, definition, depth: nil, to: "whole.mbtiles")
    #expect(!whole.stages.contains { $0.name == "blocks" })
    for depth in [0, 22] {
      let blocks = try build(sample, definition, depth: depth, threads: 2, to: "blocks.mbtiles")
      #expect(blocks.stages.contains { $0.name == "blocks" })
      #expect(blocks.archive.digest == expected.archive.digest)
      #expect(blocks.sources.map(\.ledger) == whole.sources.map(\.ledger))
    }
    #expect(whole.archive.digest == expected.archive.digest)
    let metadata = try ["blocks", "whole"].map { name in
      try ArchiveReader(FilePath(sample.folder.path("\(name).mbtiles"))).metadata["bounds"]
    }
    #expect(metadata[0] == metadata[1])
  }

  @Test("a build whose time is over among its blocks keeps the tiles that it painted")
  func stopped() throws {
    let sample = try sample()
    try sample.write()
    let definition = try pipeline(sample)
    let whole = try build(sample, definition, depth: 1, to: "whole.mbtiles")
    var options = BuildOptions()
    (options.blockDepth, options.threads) = (1, 1)
    let cancellation = Cancellation(maxSeconds: 3600)
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.build(
        definition, options: options, cancellation: cancellation,
        progress: { event in
          if case .advanced("blocks", let done, _) = event, done > 20 { cancellation.runOut() }
        })
    }
    #expect(error?.code == .outOfTime && error?.reach?.stage == "blocks")
    let report = try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })[0]
    #expect(report.tiles.reused > 0 && report.tiles.rendered > 0)
    #expect(report.archive.digest == whole.archive.digest)
  }

  /// Places that hide one another, and roads with one name: symbols of every kind and order.
  private static let symbols = """
    [{id: ground, type: background, paint: {background-color: white}},
     {id: park, type: fill, source: town, source-layer: parks, paint: {fill-color: "#cfc"}},
     {id: corner, type: circle, source: town, source-layer: roads, paint: {circle-radius: 30,
       circle-color: green}},
     {id: road, type: symbol, source: town, source-layer: roads, layout: {symbol-placement: line,
       symbol-spacing: 120, text-field: [concat, Road, [get, name]], text-size: 14},
       paint: {text-color: red}},
     {id: ranked, type: symbol, source: town, source-layer: places, filter: [has, rank],
       layout: {text-field: [get, name], text-size: 18, symbol-sort-key: [get, rank]},
       paint: {text-color: black}},
     {id: dot, type: symbol, source: town, source-layer: places, filter: ["!", [has, rank]],
       layout: {text-field: [get, name], text-size: 20, text-overlap: cooperative},
       paint: {text-color: blue}},
     {id: near, type: symbol, source: town, source-layer: places, layout: {text-field: x,
       text-offset: [0, 1.5], text-size: 12}, paint: {text-color: gray}},
     {id: hotel, type: symbol, source: hotels, layout: {text-field: "a hotel with a long name",
       text-size: 30, text-max-width: 99}, paint: {text-color: purple}}]
    """

  @Test(
    "symbols of zones are those that are placed among all features",
    arguments: [
      "text-offset: [0, 1.5]", "text-variable-anchor: [top, bottom]",
      "text-variable-anchor: [left, top-right], text-radial-offset: 2, text-optional: true",
    ])
  func zones(place: String) throws {
    var sample = try sample()
    sample.shapes[2].shapes = (0..<240).map { number in
      let (x, y) = ((number * 5441 + 300) % 16_384, (number * 9973 + 700) % 16_384)
      let rank: [(String, VectorTileValue)] =
        number % 2 == 0 ? [("rank", .double(Double(number * 7 % 10)))] : []
      return CutSample.Shape(
        type: .point, parts: [[GridPoint(Double(x), Double(y))]],
        properties: [("name", .string("Place \(number)"))] + rank)
    }
    try sample.write()
    let definition = try pipeline(
      sample, layers: Self.symbols.replacing("text-offset: [0, 1.5]", with: place))
    let whole = try build(sample, definition, depth: nil, to: "whole.mbtiles")
    #expect(!whole.stages.contains { $0.name == "blocks" })
    #expect(whole.tiles.distinct > 100)
    for (depth, threads) in [(0, 2), (1, 1), (22, 1)] {
      let zones = try build(
        sample, definition, depth: depth, threads: threads, to: "zones.mbtiles")
      #expect(zones.stages.contains { $0.name == "blocks" })
      #expect(zones.archive.digest == whole.archive.digest, "blocks of \(depth) zooms")
      let places = try #require(zones.sources.first { $0.name == "town/places/2/labels" })
      #expect(places.ledger.used == 240 && places.ledger.balances)
    }
  }

  @Test(
    "layers of blocks that draw nothing, or not what they ask for, get the notes of other builds")
  func layerNotes() throws {
    let sample = try sample()
    try sample.write()
    let definition = try pipeline(
      sample,
      layers: """
        [{id: ground, type: background, paint: {background-color: white}},
         {id: park, type: fill, source: town, source-layer: parks, paint: {fill-opacity:
           [to-number, [get, kind]], fill-color: green}},
         {id: wood, type: fill, source: town, source-layer: parks, filter: [==, kind, wood],
           paint: {fill-color: [match, [get, kind], wood, green, yellow]}},
         {id: bed, type: fill, source: town, source-layer: roads, paint: {fill-color: red}},
         {id: dot, type: circle, source: town, source-layer: places, paint: {circle-radius:
           [to-number, [get, name]]}}]
        """)
    let whole = try build(sample, definition, depth: nil, to: "whole.mbtiles")
    #expect(!whole.stages.contains { $0.name == "blocks" })
    func notes(_ report: BuildReport, on layer: String) -> [String] {
      report.notes.filter { $0.contains("layer '\(layer)'") }
    }
    for layer in ["park", "dot"] {
      #expect(notes(whole, on: layer).first?.contains("has no value for any record") == true)
    }
    #expect(notes(whole, on: "wood").isEmpty)
    for (depth, threads) in [(0, 2), (1, 1), (22, 1)] {
      let blocks = try build(
        sample, definition, depth: depth, threads: threads, to: "blocks.mbtiles")
      #expect(blocks.stages.contains { $0.name == "blocks" })
      #expect(Set(blocks.notes) == Set(whole.notes), "blocks of \(depth) zooms")
    }
  }

  @Test("the counts of blocks are those of their tiles")
  func counts() throws {
    let sample = try sample(zooms: 0...1)
    try sample.write { tile, bytes in
      if tile == TileCoord(z: 1, x: 1, y: 0) { bytes = [0x1A, 0x7F, 0x00] }
    }
    let definition = try pipeline(sample)
    let reports = try [0, 1, 5].map {
      try build(sample, definition, depth: $0, to: "town.mbtiles")
    }
    let parks = try reports.map { report in
      try #require(report.sources.first { $0.name == "town/parks/1" }).ledger
    }
    #expect(parks[0].used > 10)
    #expect(parks[0].rejectedTotal == 1)
    #expect(parks[0].balances)
    #expect(parks.allSatisfy { $0.used == parks[0].used && $0.rejectedTotal == 1 })
    #expect(Set(reports.map(\.archive.sha256)).count == 1)
  }

  @Test("after source tiles have changed, blocks are painted as in a full build")
  func incremental() throws {
    var sample = try sample()
    try sample.write()
    _ = try build(sample, try pipeline(sample), depth: 1, to: "town.mbtiles", isFull: false)
    sample.shapes[0].shapes.removeLast(2)
    sample.shapes[1].shapes[0].parts = [[GridPoint(800, 9600), GridPoint(3000, 9800)]]
    try sample.write()
    let second = try build(
      sample, try pipeline(sample), depth: 1, to: "town.mbtiles", isFull: false)
    #expect(second.tiles.reused > 10)
    #expect(second.tiles.rendered > 10)
    // Whether pages are copied depends on how many of this small archive change, not on the blocks.
    #expect(second.making == .copied || second.making == .whole(.changes))
    let full = try build(sample, try pipeline(sample), depth: 2, to: "full.mbtiles")
    #expect(try sample.folder.bytes("town.mbtiles") == sample.folder.bytes("full.mbtiles"))
    #expect(full.tiles.distinct == second.tiles.distinct)
  }
}
