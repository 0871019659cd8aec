import Definition
import Examination
import Features
import Foundation
import PMTiles
import PipelineSamples
import Raster
import Reports
import Runs
import SourceStages
import TestSupport
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

@testable import Baking
@testable import Inputs
@testable import Pipeline

private typealias Sample = VectorSourceSample

@Suite("A source of vector tiles")
struct VectorSourceTests {
  /// Layers of all kinds, with the source of each and what names the layer of tiles in it.
  private func layers(_ source: (String) -> String) -> String {
    """
    [{id: ground, type: background, paint: {background-color: white}},
     {id: park, type: fill, \(source("parks")), paint: {fill-opacity: 0.5,
       fill-color: [match, [get, kind], wood, green, yellow]}},
     {id: road, type: line, \(source("roads")), paint: {line-width: 5, line-color: red}},
     {id: place, type: circle, \(source("places")), paint: {circle-radius: 6, circle-color: blue}},
     {id: name, type: symbol, \(source("places")), layout: {text-field: [get, name], text-size: 24,
       text-offset: [1, 0]}, paint: {text-color: black}}]
    """
  }

  private var tileLayers: String { layers { "source: town, source-layer: \($0)" } }
  private var directLayers: String { layers { "source: \($0)" } }

  private static let parks = "[{id: park, type: fill, source: town, source-layer: parks}]"

  @Test(
    "vector tiles in any container look as the GeoJSON from which they were cut",
    arguments: VectorSourceSample.Container.allCases)
  func picture(container: VectorSourceSample.Container) throws {
    let sample = try VectorSourceSample(container)
    try sample.write()
    let tiles = try sample.pipeline(tileLayers)
    let direct = try sample.directPipeline(directLayers)
    for zoom in 0...2 {
      let expected = try Sample.picture(direct, zoom: Double(zoom), side: 256 << zoom)
      let found = try Sample.picture(tiles, zoom: Double(zoom), side: 256 << zoom)
      #expect(expected.colors.count > 10)
      #expect(found.differences(from: expected) == 0, "zoom \(zoom)")
    }
  }

  @Test("tens of millions of damaged tiles that are stored once are counted, not read")
  func damagedRun() throws {
    let zoom = 13
    let folder = try TemporaryFolder()
    // A run of all tiles but the first, which has none of the layers.
    let first = HilbertTile.first(of: zoom)
    let count = 1 << (2 * zoom)
    let root = PMTilesDirectory.bytes(
      of: [
        PMTilesEntry(tile: first, offset: 3, length: 2, runLength: 1),
        PMTilesEntry(tile: first + 1, offset: 0, length: 3, runLength: UInt32(count - 1)),
      ][...])
    var header = PMTilesHeader()
    header.internalCompression = .none
    header.root = .init(offset: 127, length: UInt64(root.count))
    let metadata = Array(#"{"vector_layers":[{"id":"a","fields":{}}]}"#.utf8)
    header.metadata = .init(offset: 127 + UInt64(root.count), length: UInt64(metadata.count))
    header.tiles = .init(offset: 127 + UInt64(root.count + metadata.count), length: 5)
    (header.minZoom, header.maxZoom) = (UInt8(zoom), UInt8(zoom))
    let tiles: [UInt8] = [0x1A, 0x7F, 0x00, 0x1A, 0x00]
    try Data(header.bytes + root + metadata + tiles).write(
      to: folder.url.appendingPathComponent("run.pmtiles"))
    let file = try folder.write(
      """
      version: 1
      sources: {t: {type: vector, data: run.pmtiles}}
      layers: [{id: a, type: fill, source: t, source-layer: a}]
      tiles: {minzoom: \(zoom), maxzoom: \(zoom)}
      output: {path: out.mbtiles}
      """, to: "run.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let clock = ContinuousClock()
    let start = clock.now
    let summary = try PipelineRunner.check(definition, options: BuildOptions())
    // One by one they take a minute.
    #expect(clock.now - start < .seconds(20))
    #expect(summary.failure != nil)
    let ledger = try #require(summary.sources.first?.examination?.ledger)
    #expect(ledger.balances && ledger.rejected[.invalidTile] == count - 1)
  }

  @Test(
    "edges of vector tiles that are as long as half the world go their own way",
    arguments: [0, 1])
  func wideEdges(zoom: Int) throws {
    func sample(_ parts: [GridPoint]) throws -> VectorSourceSample {
      var sample = try VectorSourceSample(
        .archive, [("parks", [CutSample.Shape(type: .polygon, parts: [parts])])])
      sample.zooms = 0...0
      return sample
    }
    let (west, east) = (800.0, 15_200.0)
    let wide = try sample([
      GridPoint(west, 4000), GridPoint(east, 4000), GridPoint(east, 9600), GridPoint(west, 9600),
    ])
    let divided = try sample([
      GridPoint(west, 4000), GridPoint(8000, 4000), GridPoint(east, 4000), GridPoint(east, 9600),
      GridPoint(8000, 9600), GridPoint(west, 9600),
    ])
    try wide.write()
    let found = try Sample.picture(
      try wide.pipeline(Self.parks), zoom: Double(zoom), side: 256 << zoom)
    let expected = try Sample.picture(
      try divided.directPipeline("[{id: park, type: fill, source: parks}]"), zoom: Double(zoom),
      side: 256 << zoom)
    #expect(expected.colors.count > 1)
    #expect(found.differences(from: expected) == 0)
  }

  @Test("beyond their last zoom, vector tiles are drawn from that", arguments: [3.0, 4.5])
  func overzoom(zoom: Double) throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let expected = try Sample.picture(
      try sample.directPipeline(directLayers), zoom: zoom, side: 600)
    let found = try Sample.picture(try sample.pipeline(tileLayers), zoom: zoom, side: 600)
    #expect(expected.colors.count > 10)
    #expect(found.differences(from: expected) == 0)
    // 'maxzoom' makes an earlier zoom the last.
    let coarse = try sample.pipeline(tileLayers, source: ", maxzoom: 0")
    #expect(try Sample.picture(coarse, zoom: zoom, side: 600).differences(from: expected) == 0)
  }

  @Test("below the first zoom of its tiles, a source draws nothing")
  func underzoom() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let tiles = try sample.pipeline(Self.parks, source: ", minzoom: 2")
    #expect(try Sample.picture(tiles, zoom: 1, side: 512).colors == [0])
    #expect(try Sample.picture(tiles, zoom: 2, side: 512).colors.count > 1)
  }

  @Test("tiles outside of a source's bounds are not read")
  func bounds() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    func picture(_ source: String) throws -> Pixmap {
      try Sample.picture(
        try sample.pipeline(Self.parks, source: ", minzoom: 2\(source)"), zoom: 2, side: 1024)
    }
    let nothing = Pixmap(width: 1024, height: 1024)
    nothing.clear()
    let all = try picture("").differences(from: nothing)
    let west = try picture(", bounds: [-180, 60, -100, 80]").differences(from: nothing)
    #expect(west > 0)
    #expect(west < all / 2)
  }

  @Test("a vector source that no layer names is drawn with all its layers")
  func defaultLook() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let found = try Sample.picture(try sample.pipeline(nil), zoom: 2, side: 1024)
    #expect(found.colors.count > 10)
    let direct = try sample.directPipeline(nil)
    #expect(
      try found.differences(from: Sample.picture(direct, zoom: 2, side: 1024)) == 0)
  }

  @Test("'promoteId' names the property that is the id of a feature")
  func promotedID() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    func layers(_ id: String) -> String {
      "[{id: a, type: circle, source: town, source-layer: places, filter: ['==', [id], \(id)]}]"
    }
    func isDrawn(_ keys: String) throws -> Bool {
      try Sample.picture(try sample.pipeline(layers("A"), source: keys), zoom: 1, side: 512)
        .colors.count > 1
    }
    #expect(try !isDrawn(""))
    #expect(try isDrawn(", promoteId: name"))
    #expect(try isDrawn(", promoteId: {places: name}"))
    #expect(try !isDrawn(", promoteId: {roads: name}"))
  }

  @Test(
    "areas of vector tiles have no seam where tiles meet, and each pixel one owner",
    arguments: [
      "fill-color: green", "fill-color: green, fill-opacity: 0.4",
      "fill-color: 'rgba(0, 90, 0, 0.4)'", "fill-color: green, fill-antialias: false",
      "fill-color: 'rgba(0, 90, 0, 0.4)', fill-outline-color: 'rgba(200, 0, 0, 0.5)'",
      "fill-color: [match, [get, kind], wood, 'rgba(0, 90, 0, 0.4)', 'rgba(90, 0, 0, 0.4)']",
    ])
  func seams(paint: String) throws {
    let sample = try VectorSourceSample()
    try sample.write()
    func layers(_ source: String) -> String {
      "[{id: park, type: fill, \(source), paint: {\(paint)}}]"
    }
    for (zoom, side) in [(1.0, 512), (2, 1024), (1.4, 600), (2.7, 900), (4.3, 900)] {
      let found = try Sample.picture(
        try sample.pipeline(layers("source: town, source-layer: parks")), zoom: zoom, side: side)
      let expected = try Sample.picture(
        try sample.directPipeline(layers("source: parks")), zoom: zoom, side: side)
      #expect(expected.colors.count > 1)
      #expect(found.differences(from: expected) == 0, "zoom \(zoom)")
    }
  }

  @Test("a gradient follows the part of a line that a vector tile has, from end to end")
  func gradients() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let layers = """
      [{id: road, type: line, source: town, source-layer: roads, paint: {line-width: 5,
        line-gradient: [interpolate, [linear], [line-progress], 0, red, 1, blue]}}]
      """
    let found = try Sample.picture(try sample.pipeline(layers), zoom: 2, side: 1024)
    // Tiles of 256 px meet in the middle of the picture.
    let (end, start) = (found[511, 625], found[512, 625])
    #expect(end.blue > 240 && end.red < 16 && start.red > 240 && start.blue < 16)
  }

  @Test("circles and heat mark the vertices of lines of vector tiles once")
  func vertices() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    func layers(_ source: String) -> String {
      """
      [{id: heat, type: heatmap, \(source), paint: {heatmap-radius: 20}},
       {id: corner, type: circle, \(source), paint: {circle-radius: 6, circle-opacity: 0.5}}]
      """
    }
    let found = try Sample.picture(
      try sample.pipeline(layers("source: town, source-layer: roads")), zoom: 2, side: 1024)
    let expected = try Sample.picture(
      try sample.directPipeline(layers("source: roads")), zoom: 2, side: 1024)
    #expect(expected.colors.count > 100)
    #expect(found.differences(from: expected) == 0)
  }

  @Test("dashes of lines begin anew in each vector tile, where its part of the line does")
  func dashes() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let layers = """
      [{id: a, type: line, source: town, source-layer: roads,
        paint: {line-width: 4, line-dasharray: [4, 4]}}]
      """
    let found = try Sample.picture(try sample.pipeline(layers), zoom: 2, side: 1024)
    // Tiles of 256 px begin 4 px beyond their border: the third one in the middle of the picture.
    let shown = (0..<64).map { found[512 + $0, 625] != .transparent }
    let expected = (0..<64).map { ($0 + 4) % 32 < 16 }
    #expect(zip(shown, expected).count { $0 != $1 } <= 8)
  }

  // MARK: Faults

  @Test("a layer of vector tiles must name one of their layers")
  func withoutSourceLayer() throws {
    let sample = try VectorSourceSample()
    func error() -> PipelineError? {
      #expect(throws: PipelineError.self) {
        try sample.pipeline("[{id: a, type: fill, source: town}]")
      }
    }
    #expect(error()?.place?.line == 4)
    #expect(error()?.message.hasSuffix("Add 'source-layer'.") == true)
    try sample.write()
    #expect(
      error()?.message.hasSuffix("Add 'source-layer', one of parks, roads, places.") == true)
  }

  @Test("a layer that the tiles do not list is noted, with the name that was meant")
  func unknownLayer() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let definition = try sample.pipeline(
      "[{id: a, type: fill, source: town, source-layer: prks}]",
      more: "expect: {features: {min: 0}}")
    let check = try PipelineRunner.check(definition, options: BuildOptions())
    let note = try #require(check.notes.first { $0.message.contains("'prks'") })
    #expect(note.message.contains("did you mean 'parks'?"))
    #expect(note.message.contains("They list parks, roads, places."))
    #expect(note.message.contains("town.yml:4:"))
  }

  @Test("a tileset that is not there, or is none, is refused at the place of its name")
  func notATileset() throws {
    let sample = try VectorSourceSample()
    let missing = #expect(throws: PipelineError.self) {
      try Sample.build(try sample.pipeline(Self.parks))
    }
    #expect(missing?.code == .missingInput && missing?.place?.line == 3)
    try sample.folder.write("nothing", to: "tiles.mbtiles")
    let other = #expect(throws: PipelineError.self) {
      try Sample.build(try sample.pipeline(Self.parks))
    }
    #expect(other?.code == .badData && other?.place?.line == 3)
  }

  @Test("a broken tile is counted under its address, and 'onError' decides")
  func brokenTile() throws {
    let sample = try VectorSourceSample()
    let broken = TileCoord(z: 2, x: 1, y: 0)
    try sample.write { tile, bytes in
      if tile == broken { bytes = [0x1A, 0x7F, 0x00] }
    }
    let tiles = "{minzoom: 2, maxzoom: 2}"
    let error = #expect(throws: PipelineError.self) {
      try Sample.build(try sample.pipeline(Self.parks, tiles: tiles))
    }
    #expect(error?.code == .badData)
    #expect(error?.message.contains("tile 2/1/0") == true)
    let report = try Sample.build(
      try sample.pipeline(Self.parks, source: ", onError: {max: 1}", tiles: tiles))
    #expect(report.sources.map(\.name) == ["town/parks/2"])
    #expect(report.sources[0].ledger.rejectedTotal == 1)
    // The two areas have parts in ten tiles, one of which is broken.
    #expect(report.sources[0].ledger.used == 9)
  }

  /// What MapLibre draws or skips and the format does not allow, as bytes of a layer `parks`.
  private static let oddLayers: [(name: String, bytes: [UInt8])] = {
    func layer(version: UInt64 = 2, _ add: (inout TileSample.Message) -> Void) -> [UInt8] {
      var layer = TileSample.Message()
      layer.integer(15, version)
      layer.run(1, Array("parks".utf8))
      add(&layer)
      return layer.bytes
    }
    func feature(_ type: UInt64, _ commands: [UInt32]?, tags: [UInt32] = []) -> [UInt8] {
      layer {
        var feature = TileSample.Message()
        if !tags.isEmpty { feature.packed(2, tags) }
        feature.integer(3, type)
        if let commands { feature.packed(4, commands) }
        $0.run(2, feature.bytes)
        $0.run(3, Array("kind".utf8))
        $0.run(4, [])
      }
    }
    return [
      ("no geometry", feature(3, nil)), ("type 9", feature(9, [9, 2, 2])),
      ("an open ring", feature(3, [9, 6, 12, 18, 10, 12, 24, 44])),
      ("a line of one point", feature(2, [9, 2, 2])),
      ("an unknown command", feature(1, [12, 2, 2])),
      ("a key beyond the table", feature(1, [9, 2, 2], tags: [7, 0])),
      ("a tag without a value", feature(1, [9, 2, 2], tags: [0])),
      ("a value of no type", feature(1, [9, 2, 2], tags: [0, 0])),
      ("version 3", layer(version: 3) { _ in }), ("a truncated layer", layer { $0.varint(0x12) }),
    ]
  }()

  @Test("odd features and layers of vector tiles are counted and noted, and nothing else is lost")
  func oddFeatures() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let tiles = "{minzoom: 2, maxzoom: 2}"
    let expected = try Sample.picture(
      try sample.pipeline(tileLayers, tiles: tiles), zoom: 2, side: 1024)
    for odd in Self.oddLayers {
      try sample.write { tile, bytes in
        if tile == TileCoord(z: 2, x: 0, y: 0) { bytes = TileSample.tile([odd.bytes]) + bytes }
      }
      let definition = try sample.pipeline(tileLayers, tiles: tiles)
      let report = try Sample.build(definition)
      #expect(report.sources[0].ledger.rejected == [.invalidGeometry: 1], "\(odd.name)")
      // A tile that is cut off counts once, however many layers are read from it.
      #expect(report.sources.reduce(0) { $0 + $1.ledger.rejectedTotal } == 1, "\(odd.name)")
      let note = report.notes.first { $0.contains("features and layers in the tiles") }
      // The name of a layer that is cut off is not known.
      let place = odd.name == "a truncated layer" ? "tile 2/0/0" : "tile 2/0/0, layer 'parks'"
      #expect(note?.contains(place) == true, "\(odd.name): \(report.notes)")
      let found = try Sample.picture(definition, zoom: 2, side: 1024)
      #expect(found.differences(from: expected) == 0, "\(odd.name)")
      let check = try PipelineRunner.check(definition, options: BuildOptions())
      #expect(check.failure == nil && check.layerNotes.contains { $0 == note }, "\(odd.name)")
      let strict = try sample.pipeline(tileLayers, source: ", onError: {max: 0}", tiles: tiles)
      let error = #expect(throws: PipelineError.self) { try Sample.build(strict) }
      #expect(error?.code == .badData, "\(odd.name)")
    }
  }

  @Test("a tileset of which more than half cannot be read is refused by build and check")
  func mostlyOdd() throws {
    let sample = try VectorSourceSample()
    try sample.write { _, bytes in
      for odd in Self.oddLayers { bytes += TileSample.tile([odd.bytes]) }
    }
    let definition = try sample.pipeline(tileLayers, tiles: "{minzoom: 2, maxzoom: 2}")
    let error = #expect(throws: PipelineError.self) { try Sample.build(definition) }
    #expect(error?.code == .badData && error?.message.contains("more than half") == true)
    let check = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(check.failure?.message == error?.message)
  }

  // MARK: Runs

  @Test("only the zooms that are made are read, and the same sources by plan and check")
  func readZooms() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let definition = try sample.pipeline(tileLayers, tiles: "{minzoom: 1, maxzoom: 3}")
    let report = try Sample.build(definition)
    let names = ["town/parks", "town/roads"].flatMap { ["\($0)/1", "\($0)/2"] }
    #expect(
      report.sources.map(\.name) == names + ["town/places/1/labels", "town/places/2/labels"])
    #expect(report.sources.allSatisfy { $0.ledger.used > 0 })
    let plan = try PipelineRunner.plan(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    #expect(plan.tileCount == report.tiles.planned)
    let check = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(check.failure == nil)
    #expect(check.sources.map(\.name) == report.sources.map(\.name))
    #expect(check.conclusion.hasPrefix("1 source, 5 layers, zoom 1 to 3"))
  }

  @Test("a build of a part reads the tiles of its bounds and those around them")
  func boundedBuild() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let tiles = "{minzoom: 2, maxzoom: 2, bounds: [-170, 70, -150, 80]}"
    let report = try Sample.build(try sample.pipeline(Self.parks, tiles: tiles))
    // Of the six parts of the first area two lie further east; the second area is further south.
    #expect(report.sources[0].ledger.used == 4)
  }

  @Test(
    "after a source tile has changed, an incremental build has the bytes of a full one",
    arguments: VectorSourceSample.Container.allCases)
  func incremental(container: VectorSourceSample.Container) throws {
    var sample = try VectorSourceSample(container)
    try sample.write()
    let first = try Sample.build(try sample.pipeline(tileLayers))
    #expect(first.result != .unchanged)
    #expect(try Sample.build(try sample.pipeline(tileLayers)).result == .unchanged)
    let before = try sample.folder.bytes("town.mbtiles")
    // A place moves within its tile of zoom 2.
    sample.shapes[2].shapes[0].parts = [[GridPoint(2400, 12_400)]]
    try sample.write()
    let second = try Sample.build(try sample.pipeline(tileLayers))
    #expect(second.result != .unchanged)
    let incremental = try sample.folder.bytes("town.mbtiles")
    #expect(incremental != before)
    var options = BuildOptions()
    (options.noCache, options.force) = (true, true)
    options.output = sample.folder.path("whole.mbtiles")
    options.threads = 1
    _ = try Sample.build(try sample.pipeline(tileLayers), options)
    #expect(try sample.folder.bytes("whole.mbtiles") == incremental)
  }

  @Test("the legend names layers and sources as the file does, each once")
  func legend() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    _ = try Sample.build(try sample.pipeline(tileLayers))
    let legend = String(decoding: try sample.folder.bytes("town.legend.json"), as: UTF8.self)
    for name in ["Road", "Place"] {
      #expect(legend.components(separatedBy: "\"title\": \"\(name)\"").count == 2, "\(name)")
    }
    #expect(legend.contains("\"source\": \"town\"") && legend.contains("\"layers\": [\"park\"]"))
    #expect(!legend.contains("/"), "\(legend)")
  }

  @Test("taps answer with the properties and layer names of vector tiles")
  func taps() throws {
    let sample = try VectorSourceSample()
    try sample.write()
    let definition = try sample.pipeline(
      tileLayers,
      tiles: "{maxzoom: 2, interactivity: {layers: [park], fields: [kind]}}")
    var pipeline = try definition.located()
    try pipeline.resolveTilesets()
    #expect(pipeline.definition.tiles.interactivity?.layers == ["park/0", "park/1", "park/2"])
    #expect(pipeline.sources.first?.layerName == "parks")
    #expect(try Sample.build(definition).result != .unchanged)
  }
}
