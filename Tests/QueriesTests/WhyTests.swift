import DefinitionSamples
import Features
import Foundation
import JSON
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Runs

@Suite("Why a tile looks as it does")
struct WhyTests {
  /// Three places, two of which are one cluster up to zoom 3, and a square around all.
  private struct Sample {
    let folder: TemporaryFolder
    let file: String

    init(more: String = "") throws {
      folder = try TemporaryFolder()
      try folder.write(
        "lng,lat,name\n10,10,north\n10.5,10.5,near\nx,y,bad\n-100,-40,far\n", to: "places.csv")
      try folder.write(
        """
        {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": {"kind": "land"}, "geometry":
          {"type": "Polygon", "coordinates": [[[0, 0], [40, 0], [40, 40], [0, 40], [0, 0]]]}},
        {"type": "Feature", "properties": {"kind": "none"}, "geometry": null}
        ]}
        """, to: "areas.geojson")
      file = try folder.write(
        """
        version: 1
        name: sample
        sources:
          places: {type: csv, data: places.csv, id: name, onError: {max: 1}, cluster: true, clusterMaxZoom: 3\(more)}
          areas: {type: geojson, data: areas.geojson}
        layers:
          - {id: land, type: fill, source: areas, paint: {fill-color: '#88aa66'}}
          - {id: disc, type: circle, source: places, paint: {circle-radius: 9}}
        tiles: {minzoom: 2, maxzoom: 4}
        output: {path: out.mbtiles}
        """, to: "sample.yml")
    }

    func why(_ question: WhyQuestion, scale: Int = 1) throws -> WhyAnswer {
      try PipelineRunner.why(
        PipelineDefinition(contentsOf: file, environment: { _ in nil }), question: question,
        scale: scale, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    }

    func build() throws {
      _ = try PipelineRunner.build(
        PipelineDefinition(contentsOf: file, environment: { _ in nil }), options: BuildOptions(),
        cancellation: Cancellation(), progress: { _ in })
    }

    /// What `query` writes as the id of a record.
    func key(_ source: String, id: String) -> String {
      FeatureKey(source: source, layer: "", feature: id).description
    }

    /// An answer's text without folders, with the time that painting took as 0
    /// and two spaces between columns.
    func plain(_ answer: WhyAnswer) -> String {
      answer.text.replacing(folder.url.path + "/", with: "")
        .replacing(/in \d+\.\d+ ms/, with: "in 0 ms")
        .replacing(/scene +[0-9a-f]{32}/, with: "scene  HASH")
        .replacing(/(\S) {2,}/) { "\($0.output.1)  " }
    }
  }

  @Test(
    "why accepts a tile, or a pixel of it",
    arguments: [
      ("2/1/3", WhyQuestion.tile(TileCoord(z: 2, x: 1, y: 3))),
      ("2/1/3/0,255", .pixel(TileCoord(z: 2, x: 1, y: 3), x: 0, y: 255)),
    ])
  func place(text: String, question: WhyQuestion) {
    #expect(WhyQuestion(place: text) == question)
  }

  @Test(
    "why refuses an invalid place",
    arguments: [
      "", "2/1", "2/4/0", "2/1/3/", "2/1/3/1", "2/1/3/1,", "2/1/3/-1,2", "2/1/3/1,2,3",
      "2/1/3/1,99999", "2/1/3/1,2/4", "2/1/3/١,2",
    ])
  func noPlace(text: String) {
    #expect(WhyQuestion(place: text) == nil)
  }

  @Test("why lists what a tile draws, the topmost first, with the lines of the records")
  func tile() throws {
    let sample = try Sample()
    let answer = try sample.why(.tile(TileCoord(z: 2, x: 2, y: 1)))
    #expect(
      sample.plain(answer) == """
        tile 2/2/1 at scale 1: 2 drawn, the topmost first

          scene  HASH
          painted  768 bytes in 0 ms
          archive  out.mbtiles: not built yet

          layer  type  source  shows  record  key
          disc  circle  places  cluster of 2 points, splits at zoom 4  such as places.csv:2, places.csv:3  cGxhY2Vz..bm9ydGg
          land  fill  areas  one record  areas.geojson:2  YXJlYXM..NTI0OGQ0Y2Y1ZDM4Mjg5YmIyNDk2OTI1YzcyZmQ5NDI
        """)
    let members = ["north", "near"].map { sample.key("places", id: $0) }
    #expect(Array(answer.json.strings("key").prefix(3)) == [members[0]] + members)
    try sample.build()
    let again = try sample.why(.tile(TileCoord(z: 2, x: 2, y: 1)))
    #expect(sample.plain(again).contains("archive  out.mbtiles: the same"))
  }

  @Test("why lists what a pixel draws, or nothing")
  func pixel() throws {
    let sample = try Sample()
    let tile = TileCoord(z: 4, x: 8, y: 7)
    // 10.25 degrees east is pixel 116.6 of the tile from 0 to 22.5.
    let land = try sample.why(.pixel(tile, x: 200, y: 200))
    #expect(land.json.strings("layer") == ["land"])
    let both = try sample.why(.pixel(tile, x: 114, y: 140))
    #expect(both.json.strings("layer") == ["disc", "disc", "land"])
    let places = ["near", "north"].map { sample.key("places", id: $0) }
    #expect(Array(both.json.strings("key").prefix(2)) == places)
    let nothing = try sample.why(.pixel(TileCoord(z: 4, x: 0, y: 0), x: 1, y: 1))
    #expect(nothing.json.strings("layer") == [])
    #expect(nothing.text.contains("none: nothing is drawn here"))
    let error = #expect(throws: PipelineError.self) { try sample.why(.pixel(tile, x: 256, y: 0)) }
    #expect(error?.code == .usage)
  }

  @Test("why lists the clusters and tiles of a feature at every zoom")
  func feature() throws {
    let sample = try Sample()
    let answer = try sample.why(.feature("near"))
    #expect(
      sample.plain(answer) == """
        feature cGxhY2Vz..bmVhcg of source places, at scale 1

          record  places.csv:3

          zoom  drawn as  layers  tiles
             2  cluster of 2 points, splits at zoom 4  disc  2/2/1
             3  cluster of 2 points, splits at zoom 4  disc  3/4/3
             4  itself  disc  4/8/7
        """)
    #expect(try sample.why(.feature(sample.key("places", id: "near"))) == answer)
    let far = try sample.why(.feature("far"))
    #expect(far.text.contains("itself") && !far.text.contains("cluster"))
  }

  @Test("the tiles of a feature are those whose own answer names it", arguments: [1, 2])
  func inverse(scale: Int) throws {
    let sample = try Sample()
    let key = sample.key("places", id: "far")
    let tiles = Set(try sample.why(.feature("far"), scale: scale).json.strings("tiles"))
    #expect(tiles.contains("3/1/4") && tiles.contains("3/1/5"))
    for tile in [(0, 4), (1, 4), (1, 5), (1, 6), (2, 5)].map({ TileCoord(z: 3, x: $0, y: $1) }) {
      let keys = try sample.why(.tile(tile), scale: scale).json.strings("key")
      #expect(keys.contains(key) == tiles.contains("\(tile)"), "\(tile)")
    }
  }

  @Test(
    "a feature without an id has the key of its content; one without geometry is not drawn"
  )
  func contents() throws {
    let sample = try Sample()
    let land = try #require(
      try sample.why(.tile(TileCoord(z: 2, x: 2, y: 1))).json.strings("key").last)
    let answer = try sample.why(.feature(land))
    #expect(answer.json.strings("record") == ["\(sample.folder.path("areas.geojson")):2"])
    #expect(answer.json.strings("tiles").contains("2/2/1"))
  }

  @Test(
    "a key that no record has is refused with the way to find one", arguments: ["bad", "nobody"])
  func unknown(key: String) throws {
    let sample = try Sample()
    let error = #expect(throws: PipelineError.self) { try sample.why(.feature(key)) }
    #expect(error?.code == .usage && error?.message.contains("'\(key)'") == true)
  }
}
