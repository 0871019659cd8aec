import Features
import Ingest
import MBTiles
import OrderedCollections
import Pipeline
import PipelineSamples
import Runs
import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition

@Suite("Tiles on demand")
struct TilesOnDemandTests {
  /// Places with long names that reach over the edges of parts, and areas; tiles that answer taps.
  private func sample(rows: Int = 300) throws -> BuildSample {
    let sample = try BuildSample(rows: rows)
    try sample.folder.write(
      """
      {"type": "Feature", "properties": {"name": "Plain"}, "geometry": {"type": "Polygon",
       "coordinates": [[[-60, -40], [70, -35], [80, 50], [-50, 45], [-60, -40]]]}}
      """, to: "plain.geojson")
    try sample.folder.write(
      """
      version: 1
      name: sample
      sources:
        places: {type: csv, data: places.csv, cluster: true, clusterMaxZoom: 3}
        plain: {type: geojson, data: plain.geojson}
      layers:
        - {id: area, type: fill, source: plain, paint: {fill-color: "#cde", fill-opacity: 0.5}}
        - {id: disc, type: circle, source: places, paint: {circle-radius: 5}}
        - id: label
          type: symbol
          source: places
          layout:
            text-field: [concat, "The far-reaching name of ", [get, name]]
            text-font: [DejaVu Sans]
            text-max-width: 0
      tiles: {maxzoom: 7, snap: 1, scale: [1, 2], interactivity: {}}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    return sample
  }

  private static func members(_ json: [UInt8]) -> OrderedDictionary<String, PropertyValue> {
    guard case .object(let members)? = try? JSONValueParser.parse(json) else { return [:] }
    return members
  }

  private func tiles(_ sample: BuildSample) throws -> TilesOnDemand {
    try PipelineRunner.tilesOnDemand(
      sample.definition(), cancellation: Cancellation(), progress: { _ in })
  }

  @Test("pictures and answers to taps are those of the archive", arguments: [1, 2])
  func same(scale: Int) throws {
    let sample = try sample()
    try sample.build()
    let name = scale == 1 ? "out.mbtiles" : "out@2x.mbtiles"
    let archive = try ArchiveReader(FilePath(sample.folder.path(name)))
    let tiles = try tiles(sample)
    #expect(tiles.answersTaps)
    var (pictures, grids, others) = (0, 0, 0)
    try archive.forEachTile { tile, bytes in
      // Deep zooms have some tens of thousands of tiles.
      guard tile.z < 6 || (tile.x &* 31 &+ tile.y) % 97 == 0 else { return }
      let painted = try? tiles.picture(tile, scale: scale)
      guard let painted else {
        // Children of drawn tiles are stored as transparent ones.
        others += 1
        return
      }
      #expect(painted.elementsEqual(bytes), "\(tile)")
      pictures += 1
      guard scale == 1, let stored = try? archive.grid(of: tile) else { return }
      let answer = (try? tiles.grid(tile)).map { Self.members($0) } ?? [:]
      let grid = Self.members(stored)
      #expect(
        grid["grid"] != nil && answer["grid"] == grid["grid"] && answer["keys"] == grid["keys"])
      guard case .object(let data)? = answer["data"] else {
        Issue.record("no data at \(tile)")
        return
      }
      for (key, json) in (try? archive.gridData(of: tile)) ?? [] {
        #expect(data[key] == .object(Self.members(Array(json.utf8))), "\(tile) \(key)")
      }
      grids += 1
    }
    #expect(pictures > 200 && (scale == 2 || grids > 100), "\(pictures), \(grids), \(others)")
  }

  @Test("threads that paint at a time get the same pictures as one")
  func threads() throws {
    let sample = try sample()
    let (one, many) = (try tiles(sample), try tiles(sample))
    let coords = (0...3).flatMap { zoom in
      (0..<(1 << (2 * zoom))).map { TileCoord(z: zoom, x: $0 >> zoom, y: $0 % (1 << zoom)) }
    }
    let expected = try coords.map { try one.picture($0, scale: 1) }
    var found: [[UInt8]?] = []
    var next = coords.makeIterator()
    try OrderedWork<TileCoord, [UInt8]?>(threads: 4, limit: 32).run(
      worker: { { try many.picture($0, scale: 1) } }, next: { next.next() },
      consume: { found.append($0) })
    #expect(found == expected && expected.contains { $0 != nil })
  }

  @Test("a changed look paints as a file that has it, from data that is read once")
  func looks() throws {
    let sample = try sample(rows: 40)
    let first = try tiles(sample)
    let before = try #require(try first.picture(TileCoord(z: 0, x: 0, y: 0), scale: 1))
    let overlay = LookOverlay(
      [LookChange(layer: "disc", block: .paint, property: "circle-radius", value: .number(9))],
      filters: [
        "area": .array([.string("=="), .array([.string("get"), .string("name")]), .string("x")])
      ])
    let changed = try first.repainted(overlay)
    let found = try #require(try changed.picture(TileCoord(z: 0, x: 0, y: 0), scale: 1))
    #expect(found != before)
    // The same as with a file of this look.
    let text = String(decoding: try sample.folder.bytes("sample.yml"), as: UTF8.self)
      .replacing("circle-radius: 5", with: "circle-radius: 9")
      .replacing(
        "source: plain, paint", with: "source: plain, filter: ['==', [get, name], x], paint")
    try sample.folder.write(text, to: "sample.yml")
    #expect(try tiles(sample).picture(TileCoord(z: 0, x: 0, y: 0), scale: 1) == found)
    // Nothing is read again where the layers use the same properties.
    try sample.folder.write("no,columns,of,places\n", to: "places.csv")
    #expect(try changed.repainted(LookOverlay()).sources.map(\.source.points.count) == [40, 0])
    #expect(throws: PipelineError.self) {
      try first.repainted(
        LookOverlay([
          LookChange(layer: "disc", block: .paint, property: "circle-color", value: .string("no"))
        ]))
    }
    #expect(throws: PipelineError.self) {
      try first.repainted(
        LookOverlay([
          LookChange(layer: "x", block: .paint, property: "circle-radius", value: .number(1))
        ]))
    }
  }

  @Test("a tile where nothing is drawn has no picture, and no answer")
  func nothing() throws {
    let tiles = try tiles(try sample(rows: 2))
    #expect(try tiles.picture(TileCoord(z: 6, x: 0, y: 0), scale: 1) == nil)
    #expect(try tiles.grid(TileCoord(z: 6, x: 0, y: 0)) == nil)
  }

  @Test("records come with their places, as far as the caller wants them")
  func records() throws {
    let tiles = try tiles(try sample(rows: 20))
    var names: [String] = []
    tiles.forEachRecord { json, place in
      if case .string(let name)? = Self.members(json)["name"] { names.append(name) }
      #expect(abs(place.longitude) <= 180 && abs(place.latitude) <= 60)
      return true
    }
    #expect(names.count == 21 && names.contains("Place 7") && names.last == "Plain")
    var count = 0
    tiles.forEachRecord { _, _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }

  @Test(
    "where features are many, a part is drawn with its surroundings alone, and is the same inside")
  func crowded() throws {
    let sample = try sample(rows: 12_000)
    let tiles = try tiles(sample)
    let build = try sample.definition().build()
    // The middle of a part of zoom 7.
    let tile = TileCoord(z: 7, x: 48, y: 48)
    #expect(try tiles.picture(tile, scale: 1) == build.tile(tile, scale: 1))
  }

  @Test("the legend and the bounds are those of the pipeline")
  func description() throws {
    let sample = try sample()
    let tiles = try tiles(sample)
    try sample.build()
    #expect(
      try tiles.legend(scale: 1).json == sample.folder.bytes("out.legend.json")
        && tiles.legend(scale: 1).picture == sample.folder.bytes("out.legend.png"))
    #expect(tiles.bounds.north <= 60 && tiles.bounds.west >= -180)
  }
}
