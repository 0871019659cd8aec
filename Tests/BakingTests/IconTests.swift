import Foundation
import Inputs
import PNG
import PipelineSamples
import Raster
import SourceStages
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Reuse
@testable import Runs

@Suite("Icons and patterns of a pipeline")
struct IconTests {
  @Test(
    "tiles with icons, patterns and gradients side by side are one picture to the last pixel",
    arguments: [1, 2])
  func stitches(scale: Int) throws {
    let sample = try IconSample()
    try sample.build(sample.write(zoom: 1, tileSize: 256, scale: scale, to: "tiles"))
    try sample.build(sample.write(zoom: 0, tileSize: 512, scale: scale, to: "one"))
    let mark = scale == 2 ? "@2x" : ""
    let tiles = try sample.picture("tiles\(mark).mbtiles", zoom: 1, side: 256 * scale)
    let one = try sample.picture("one\(mark).mbtiles", zoom: 0, side: 512 * scale)
    #expect(zip(tiles.pixels, one.pixels).count { $0 != $1 } == 0)
    #expect(Set(one.pixels).count > 500)
  }

  @Test("each layer of icons or patterns draws something that the others do not")
  func layers() throws {
    let sample = try IconSample()
    let all = IconSample.layers.split(separator: "\n  - ").map(String.init)
    let view = MapView(
      center: LngLat(longitude: 0, latitude: 0), zoom: 1, width: 256, height: 256)
    func picture(_ layers: [String]) throws -> [UInt8] {
      let file = try sample.write(
        layers: layers.map { "  - " + $0.trimmingPrefix("  - ") }.joined(separator: "\n"), to: "a")
      return try PipelineRunner.render(
        sample.definition(file), view: view, options: BuildOptions(),
        cancellation: Cancellation(), progress: { _ in })
    }
    let whole = try picture(all)
    #expect(all.count == 9)
    for index in all.indices {
      var others = all
      others.remove(at: index)
      #expect(try picture(others) != whole, "\(all[index])")
    }
  }

  @Test("a build after an image has changed has the bytes of a full one, and paints only its tiles")
  func incremental() throws {
    let sample = try IconSample(rows: 12)
    let layers = """
        - {id: pins, type: symbol, source: places, layout:
           {icon-image: [get, icon], icon-allow-overlap: true}}
      """
    let file = try sample.write(zoom: 4, layers: layers, to: "pins")
    let first = try sample.build(file)
    #expect(try sample.build(file).result == .unchanged)
    try sample.write(IconSample.pin(1, color: Color(red: 0, green: 0, blue: 1)), to: "pin.png")
    let second = try sample.build(file)
    #expect(second.result == .published && second.archive.digest != first.archive.digest)
    #expect(second.tiles.rendered > 0 && second.tiles.reused > 0)
    let full = try sample.build(file, output: "full.mbtiles", noCache: true)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: full.archive.path))
        == Data(contentsOf: URL(fileURLWithPath: second.archive.path)))
    // The image of a density that is not drawn is an input all the same; it changes no tile.
    try sample.write(IconSample.pin(2, color: .black), to: "pin@2x.png")
    #expect(try sample.build(file).tiles.rendered == 0)
  }

  @Test("a build after an image within labels has changed has the bytes of a full one")
  func incrementalText() throws {
    let sample = try IconSample(rows: 12)
    let layers = """
        - {id: names, type: symbol, source: places, layout: {text-allow-overlap: true,
           text-field: [format, [image, [get, icon]], {}, [get, name], {}], text-font: [DejaVu Sans]}}
      """
    let file = try sample.write(zoom: 4, layers: layers, to: "names")
    let first = try sample.build(file)
    #expect(try sample.build(file).result == .unchanged)
    try sample.write(IconSample.pin(1, color: Color(red: 0, green: 0, blue: 1)), to: "pin.png")
    let second = try sample.build(file)
    #expect(second.result == .published && second.archive.digest != first.archive.digest)
    #expect(second.tiles.rendered > 0 && second.tiles.reused > 0)
    let full = try sample.build(file, output: "full.mbtiles", noCache: true)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: full.archive.path))
        == Data(contentsOf: URL(fileURLWithPath: second.archive.path)))
  }

  @Test(
    "an image that is not there is a note with its name and count, of build, check, tile and render"
  )
  func missing() throws {
    let sample = try IconSample(rows: 8)
    let file = try sample.write(
      layers: """
          - {id: a, type: symbol, source: places, layout: {icon-image: [concat, "n", [get, n]]}}
          - {id: b, type: fill, source: areas, paint: {fill-pattern: none}}
          - {id: c, type: circle, source: places}
          - {id: d, type: symbol, source: places, filter: ['<', [get, n], 1],
             layout: {text-field: [format, [image, lost], {}, "A", {}], text-font: [DejaVu Sans]}}
        """, to: "missing")
    let words =
      "6 images are neither in 'sprite' nor in 'images' and not drawn; with the number of features "
      + "that ask for it: 'lost' (2), 'n0' (2), 'n1' (2), 'n2' (2), 'n3' (2), 'none' (1)."
    #expect(try sample.build(file).notes.contains(words))
    var drawn: [[String]] = [[], []]
    _ = try PipelineRunner.tile(
      sample.definition(file), tile: TileCoord(z: 0, x: 0, y: 0), scale: 1,
      options: BuildOptions(), cancellation: Cancellation(), progress: { _ in },
      note: { drawn[0].append($0) })
    _ = try PipelineRunner.render(
      sample.definition(file),
      view: MapView(
        center: LngLat(longitude: 0, latitude: 0), zoom: 0, width: 512, height: 512),
      options: BuildOptions(), cancellation: Cancellation(), progress: { _ in },
      note: { drawn[1].append($0) })
    #expect(drawn.allSatisfy { $0.contains(words) }, "\(drawn)")
    let check = try PipelineRunner.check(sample.definition(file), options: BuildOptions())
    #expect(check.layerNotes.contains(words), "\(check.layerNotes)")
    let whole = try PipelineRunner.check(
      sample.definition(sample.write(to: "whole")), options: BuildOptions())
    #expect(whole.layerNotes == [], "\(whole.layerNotes)")
  }

  @Test("the files of icons and patterns are inputs of the archive, by their names")
  func provenance() throws {
    let sample = try IconSample(rows: 4)
    let definition = try sample.definition(sample.write(to: "a"))
    let names = try definition.located().sprites.flatMap(\.inputFiles).map(\.name)
    #expect(
      names == [
        "sheet.json", "sheet.png", "sheet@2x.json", "sheet@2x.png", "pin.png", "pin@2x.png",
        "weave.png", "weave@2x.png",
      ])
    try FileManager.default.removeItem(atPath: sample.folder.path("sheet@2x.json"))
    let sprite = ResolvedSprite(definition.sprites[0])
    #expect(sprite.parts.map(\.density) == [1, 1])
  }

  @Test(
    "sprites and images that cannot be used end the run with their file or place",
    arguments: [
      ("sheet.json", "{", "sheet.json:1"), ("sheet.json", #"{"a": 1}"#, "sheet.json: image 'a'"),
      ("sheet.png", "no picture", "sheet.png: this is no PNG"),
      ("pin.png", "no picture", "pin.png: this is no PNG"),
      ("pin.png", nil, "a.yml:4:15: the images of icons and patterns are in "),
      ("sheet.json", nil, "a.yml:3:23: the images of icons and patterns are in "),
    ])
  func faults(name: String, content: String?, words: String) throws {
    let sample = try IconSample(rows: 4)
    let file = try sample.write(to: "a")
    if let content {
      try sample.folder.write(content, to: name)
    } else {
      try FileManager.default.removeItem(atPath: sample.folder.path(name))
    }
    do {
      try sample.build(file)
      Issue.record("built")
    } catch let error as PipelineError {
      #expect(error.description.contains(words), "\(error)")
    }
  }

  @Test("included files bring their sprites and images; two images of one name are refused")
  func inclusion() throws {
    let sample = try IconSample(rows: 4)
    _ = try sample.write(to: "a")
    let own = """
      version: 1
      include: a.yml
      images: {pin: pin.png, other: weave.png}
      layers: []
      """
    let definition = try sample.definition(sample.folder.write(own, to: "b.yml"))
    #expect(definition.sprites.count == 4)
    let other = try sample.folder.write(
      own.replacing("pin: pin.png", with: "pin: weave.png"), to: "c.yml")
    do {
      _ = try sample.definition(other)
      Issue.record("accepted")
    } catch let error as PipelineError {
      #expect(error.description.contains("two images have the name 'pin'"), "\(error)")
    }
  }

  @Test("a sprite is named by path or url, with or without its ending")
  func addresses() throws {
    let folder = try TemporaryFolder()
    func parts(_ text: String) throws -> [String] {
      let file = try folder.write(
        """
        version: 1
        sprite: \(text)
        sources: {p: {type: geojson, data: {type: Point, coordinates: [0, 0]}}}
        layers: [{id: a, type: symbol, source: p, layout: {icon-image: a}}]
        """, to: "a.yml")
      let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
      return ResolvedSprite(definition.sprites[0]).parts.map { part in
        part.name.replacing(folder.url.path + "/", with: "")
      }
    }
    #expect(try parts("maps/a") == ["maps/a.json", "maps/a.png"])
    _ = try folder.write("", to: "maps/a@2x.json")
    _ = try folder.write("", to: "maps/a@2x.png")
    #expect(
      try parts("maps/a.png")
        == ["maps/a.json", "maps/a.png", "maps/a@2x.json", "maps/a@2x.png"])
    #expect(
      try parts("'https://example.org/a?k=1'")
        == ["https://example.org/a.json?k=1", "https://example.org/a.png?k=1"])
  }
}
