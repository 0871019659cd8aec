import Definition
import Foundation
import Reports
import Runs
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

@testable import Baking
@testable import Pipeline

@Suite("Blocks of vector tiles that the last build knew")
struct KnownBlocksTests {
  /// Labels that hide one another over the borders of blocks, roads with names, and areas.
  private static let layers = """
    [{id: ground, type: background, paint: {background-color: white}},
     {id: park, type: fill, source: town, source-layer: parks, paint: {fill-color: "#cfc"}},
     {id: edge, type: line, source: town, source-layer: parks, paint: {line-width: 5}},
     {id: corner, type: circle, source: town, source-layer: roads, paint: {circle-radius: 9,
       circle-color: green}},
     {id: road, type: symbol, source: town, source-layer: roads, layout: {symbol-placement: line,
       symbol-spacing: 120, text-field: [concat, Road, [get, name]], text-size: 14}},
     {id: ranked, type: symbol, source: town, source-layer: places, filter: [has, rank],
       layout: {text-field: [get, name], text-size: 18, symbol-sort-key: [get, rank]}},
     {id: dot, type: symbol, source: town, source-layer: places, filter: ["!", [has, rank]],
       layout: {text-field: [get, name], text-size: 20, text-variable-anchor: [top, bottom],
       icon-image: none}},
     {id: hotel, type: symbol, source: hotels, layout: {text-field: "a hotel with a long name",
       text-size: 30, text-max-width: 99}}]
    """

  private func sample(
    _ container: VectorSourceSample.Container = .archive
  ) throws -> VectorSourceSample {
    var sample = try VectorSourceSample(container)
    sample.zooms = 0...3
    sample.shapes[2].shapes = (0..<240).map { number in
      let (x, y) = ((number * 5441 + 300) % 16_384, (number * 9973 + 700) % 16_384)
      let rank: [(String, VectorTileValue)] =
        number % 2 == 0 ? [("rank", .double(Double(number * 7 % 10)))] : []
      return CutSample.Shape(
        type: .point, parts: [[GridPoint(Double(x), Double(y))]],
        properties: [("name", .string("Place \(number)"))] + rank)
    }
    return sample
  }

  private func build(
    _ sample: VectorSourceSample, to name: String = "town.mbtiles", isFull: Bool = false,
    depth: Int = 1, hotels: String = "1,10,10\n2,11,10\n", size: Int = 14, lastZoom: Int = 4
  ) throws -> BuildReport {
    try sample.folder.write("id,lon,lat\n\(hotels)", to: "hotels.csv")
    let file = try sample.folder.write(
      """
      version: 1
      name: town
      sources:
        town: {type: vector, data: '\(sample.container.rawValue)', onError: {max: 9}\(sample.zoomKeys)}
        hotels: {type: csv, data: hotels.csv}
      layers: \(Self.layers.replacing("text-size: 14", with: "text-size: \(size)"))
      tiles: {maxzoom: \(lastZoom), bounds: [-180, -80, 180, 80]}
      output: {path: town.mbtiles}
      """, to: "town.yml")
    var options = BuildOptions()
    (options.blockDepth, options.threads) = (depth, 2)
    options.output = sample.folder.path(name)
    (options.noCache, options.force) = (isFull, isFull)
    return try VectorSourceSample.build(
      try PipelineDefinition(contentsOf: file, environment: { _ in nil }), options)
  }

  /// Builds once more from the last archive, and compares with a full build.
  private func expectEqual(
    _ sample: VectorSourceSample, hotels: String = "1,10,10\n2,11,10\n", size: Int = 14,
    lastZoom: Int = 4, _ comment: Comment
  ) throws -> BuildReport.Blocks {
    let next = try build(sample, hotels: hotels, size: size, lastZoom: lastZoom)
    let full = try build(
      sample, to: "full.mbtiles", isFull: true, hotels: hotels, size: size,
      lastZoom: lastZoom)
    #expect(
      try sample.folder.bytes("town.mbtiles") == sample.folder.bytes("full.mbtiles"), comment)
    #expect(full.blocks?.known == 0)
    if next.result == .unchanged {
      var blocks = BuildReport.Blocks()
      blocks.known = full.blocks?.made ?? 0
      return blocks
    }
    #expect(next.sources.map(\.ledger) == full.sources.map(\.ledger), comment)
    #expect(Set(next.notes) == Set(full.notes), comment)
    return try #require(next.blocks)
  }

  @Test(
    "after random edits of source tiles an archive is that of a full build",
    arguments: [VectorSourceSample.Container.archive, .pmtiles, .folder])
  func edits(container: VectorSourceSample.Container) throws {
    let sample = try sample(container)
    let tiles = sample.tiles
    var random = SplitMix64(seed: 46)
    var edits: [TileCoord: [UInt8]] = [:]
    try sample.write()
    _ = try build(sample)
    for round in 0..<(container == .archive ? 12 : 3) {
      for _ in 0...(round % 3) {
        let edited = tiles[Int.random(in: tiles.count / 4..<tiles.count, using: &random)].tile
        let alike = tiles.filter { $0.tile.z == edited.z }
        // The bytes of another tile, those of none, or its own again.
        edits[edited] =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: nil
          case 1: TileSample.tile([TileSample.Layer("none", extent: 4096, [])])
          case 2: [0x1A, 0x7F, 0x00]
          default: alike.randomElement(using: &random)?.bytes
          }
      }
      try sample.write { tile, bytes in bytes = edits[tile] ?? bytes }
      let blocks = try expectEqual(sample, "round \(round)")
      #expect(blocks.known > 0, "round \(round)")
    }
  }

  @Test("one changed source tile makes the scenes of the blocks that it reaches")
  func made() throws {
    let sample = try sample()
    try sample.write()
    let first = try #require(try build(sample).blocks)
    #expect(first.known == 0 && first.made > 80)
    let corner = TileCoord(z: 3, x: 7, y: 6)
    try sample.write { tile, bytes in if tile == corner { bytes = [] } }
    let blocks = try expectEqual(sample, "a tile of the last zoom")
    // Of 16 blocks at zoom 3 and 64 at zoom 4, those at the tile and those whose labels moved.
    #expect((1...24).contains(blocks.made), "\(blocks)")
    #expect(blocks.made + blocks.known == first.made)
    // A tile of a lower zoom leaves the others alone.
    try sample.write { tile, bytes in
      if tile == corner || tile == TileCoord(z: 1, x: 0, y: 1) { bytes = [] }
    }
    let lower = try expectEqual(sample, "a tile of zoom 1")
    #expect((1...1).contains(lower.made), "\(lower)")
  }

  @Test(
    "tiles, values of the style, rows beside them and zooms that change are those of a full build")
  func otherChanges() throws {
    let sample = try sample()
    let absent = TileCoord(z: 3, x: 2, y: 3)
    var few = sample
    few.absent = [absent]
    try few.write()
    _ = try build(few)
    try sample.write()
    #expect(try expectEqual(sample, "a tile was added").known > 0)
    try few.write()
    #expect(try expectEqual(few, "a tile was removed").known > 0)
    let moved = "1,10,10\n2,40,-20\n"
    #expect(try expectEqual(few, hotels: moved, "a row moved").known == 0)
    #expect(try expectEqual(few, hotels: moved, size: 15, "a value of the style").known == 0)
    #expect(
      try expectEqual(few, hotels: moved, size: 15, lastZoom: 3, "the last zoom").known == 0)
    _ = try expectEqual(few, hotels: moved, size: 15, "the last zoom is back")
  }
}
