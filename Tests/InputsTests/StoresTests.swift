import DefinitionSamples
import Features
import Inputs
import OrderedCollections
import PipelineSamples
import SourceStages
import Styling
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// SpatialConnect configs as pipelines.
@Suite("Stores") struct StoresTests {
  /// A config with what those of SpatialConnect's own tests have.
  private let config = """
    {
      "stores": [
        {
          "store_type": "geojson",
          "version": "1",
          "uri": "data/all.geojson",
          "isMainBundle": true,
          "id": "63602599-3ad3",
          "name": "Simple",
          "default_layers": [],
          "team_id": null,
          "style": [
            {
              "id": "default",
              "paint": {
                "fill-color": "#34fb71", "fill-opacity": 0.3, "line-color": "#4357fb",
                "line-opacity": 1, "icon-color": "#3371fb"
              }
            }
          ]
        },
        {
          "type": "gpkg",
          "version": "1",
          "name": "Haiti",
          "uri": "https://example.com/haiti.gpkg",
          "id": "a5d93796"
        }
      ],
      "forms": [{"id": 2, "form_key": "team"}],
      "remote": {"http_host": "localhost", "http_port": 8085}
    }
    """

  @Test("a config becomes sources named by the ids of its stores, in the order of the file")
  func sources() throws {
    let pipeline = try definition(config, file: "maps/tests.scfg")
    #expect(pipeline.name == "tests")
    #expect(pipeline.output.path == "maps/tests.mbtiles")
    #expect(pipeline.tiles.minZoom == 0 && pipeline.tiles.maxZoom == 14)
    #expect(!pipeline.isStyle)
    #expect(pipeline.sources.map(\.name) == ["63602599-3ad3", "a5d93796"])
    #expect(pipeline.sources.map(\.type) == ["geojson", "gpkg"])
    guard case .file("maps/data/all.geojson") = pipeline.sources[0].data,
      case .url("https://example.com/haiti.gpkg") = pipeline.sources[1].data
    else {
      Issue.record("\(pipeline.sources.map(\.data))")
      return
    }
    #expect(
      pipeline.layers.map(\.id) == [
        "63602599-3ad3-fill", "63602599-3ad3-line", "63602599-3ad3-circle", "a5d93796-fill",
        "a5d93796-line", "a5d93796-circle",
      ])
    _ = try pipeline.style()
  }

  @Test("store options for SpatialConnect's apps get a note, meaningless ones none")
  func notes() throws {
    let notes = try definition(config, file: "t.scfg").notes.map(\.description)
    #expect(
      notes == [
        "t.scfg:7:7: 'isMainBundle' of store '63602599-3ad3' is for SpatialConnect's apps and has "
          + "no effect on tiles.",
        "t.scfg:30:3: 'forms' is for SpatialConnect's apps and has no effect on tiles.",
        "t.scfg:31:3: 'remote' is for SpatialConnect's apps and has no effect on tiles.",
      ])
  }

  @Test(
    "a store is named by its id, otherwise its name, otherwise its file",
    arguments: [
      ("id: 7, name: n, uri: a.csv", "7"), ("name: n, uri: a.csv", "n"), ("uri: a/b.c.csv", "b.c"),
      ("uri: \"https://x.org/f/bars.csv?key=1#top\"", "bars"),
      ("uri: \"https://x.org/63156/\"", "63156"),
      ("uri: \"https://x.org?q=/a.csv\"", "x"), ("id: null, uri: q.csv", "q"),
    ])
  func names(keys: String, name: String) throws {
    let text = "stores: [{type: csv, \(keys)}]"
    #expect(try definition(text).sources.map(\.name) == [name])
  }

  @Test(
    "a store type has its version beside it or behind it, with default 1",
    arguments: [
      "type: geojson", "store_type: geojson", "type: geojson, version: 1",
      "type: geojson, version: \"1\"", "type: geojson.1", "store_type: geojson.1, version: 1",
      "type: geojson, version: null",
    ])
  func versions(keys: String) throws {
    let pipeline = try definition("stores: [{\(keys), uri: a.json}]")
    #expect(pipeline.sources.map(\.type) == ["geojson"])
  }

  @Test("a store has the keys of a source of its type")
  func sourceKeys() throws {
    let pipeline = try definition(
      """
      version: 1
      stores:
        - {id: s, type: csv, uri: a.csv, x: lon, y: lat, delimiter: ";", cluster: true, where: "a > 1"}
        - {id: i, type: image, uri: a.png, bounds: [0, 0, 1, 1]}
      tiles: {maxzoom: 3}
      output: {path: out.mbtiles}
      """)
    #expect(pipeline.sources[0].node["delimiter"]?.text == ";")
    #expect(pipeline.sources[0].records?.cluster != nil)
    #expect(pipeline.sources[0].records?.conditions.count == 1)
    #expect(
      pipeline.sources[1].image?.position
        == .box(GeoBounds(west: 0, south: 0, east: 1, north: 1), bearing: 0))
    #expect(pipeline.layers.last?.type == .raster)
    #expect(pipeline.tiles.maxZoom == 3 && pipeline.output.path == "pipelines/out.mbtiles")
    _ = try pipeline.style()
  }

  @Test(
    "a fault of a stores config gives exactly this error",
    arguments: [
      (
        "[{type: geojsn, uri: a}]",
        "x.yml:1:17: unknown type 'geojsn' of store 'a'; did you mean 'geojson'? Known types: csv, "
          + "geojson, geojsonseq, gpkg, ogr, vector, raster, image, image-series, wfs."
      ),
      (
        "[{id: w, type: wms, version: 1.1.0, uri: \"http://x.org\"}]",
        "x.yml:1:24: store 'w' has type 'wms', which this version does not support; supported are "
          + "csv, geojson, geojsonseq, gpkg, ogr, vector, raster, image, image-series, wfs."
      ),
      (
        "[{type: gpkg, version: 2, uri: a}]",
        "x.yml:1:32: no reader 'gpkg.2'; this version has 'gpkg.1'."
      ),
      (
        "[{type: gpkg.1, version: 2, uri: a}]",
        "x.yml:1:34: 'type' names version 1 and 'version' is 2. Keep one of them."
      ),
      (
        "[{type: csv, id: a}]",
        "x.yml:1:10: store 'a' has no 'uri', which must be a text."
      ),
      (
        "[{type: csv, url: a}]",
        "x.yml:1:22: unknown key 'url' in store 'stores[0]'; did you mean 'uri'?"
      ),
      (
        "[{id: a, uri: b}]",
        "x.yml:1:10: store 'a' has no 'type', which must be one of csv, geojson, "
          + "geojsonseq, gpkg, ogr, vector, raster, image, image-series, wfs."
      ),
      (
        "[{type: csv, uri: a}, {id: a, type: csv, uri: b}]",
        "x.yml:1:36: two sources have the name 'a': here and at x.yml:1:27. Rename one of them, or "
          + "set 'onDuplicateId' to first or last."
      ),
      (
        "5",
        "x.yml:1:9: 'stores' in the pipeline must be a list, each item an object, but it is the "
          + "number 5. Write it as in 'stores: [{type: geojson, uri: stores.geojson}]'."
      ),
      (
        "[5]",
        "x.yml:1:10: 'stores[0]' in the pipeline must be an object, but it is the number 5. Write it as "
          + "in '{type: geojson, uri: stores.geojson}'."
      ),
      (
        "[{type: csv, uri: \"ftp://x.org/a\"}]",
        "x.yml:1:27: urls with 'ftp://' are not supported. Use http, https or the path of a file."
      ),
      (
        "[{type: csv, uri: a}]\nsources: {}",
        "x.yml:1:1: a file has either 'sources' or 'stores'. Move these into a file of their own "
          + "and name it under 'include'."
      ),
      (
        "[{type: csv, uri: a, style: {strok: red}}]",
        "x.yml:1:38: unknown key 'strok' in style of store 'a'; did you mean 'stroke'?"
      ),
      (
        "[{type: csv, uri: a, style: {stroke: reddish}}]",
        "x.yml:1:46: 'stroke' needs a CSS colour, but this is the string \"reddish\"; "
      ),
      (
        "[{type: csv, uri: a, style: {stroke-opacity: 2}}]",
        "x.yml:1:54: 'stroke-opacity' in style of store 'a' must be a number from 0 to 1"
      ),
      (
        "[{type: csv, uri: a, style: [{id: d, paints: {}}]}]",
        "x.yml:1:46: unknown key 'paints' in style[0] of store 'a'; did you mean 'paint'?"
      ),
      (
        "[{type: csv, uri: a, style: [{type: fil}]}]",
        "x.yml:1:45: unknown type 'fil' of layer 'style[0]'; did you mean 'fill'?"
      ),
      ("[{type: csv, uri: a}]\nversion: 8", "x.yml:2:10: 'version' in the pipeline must be 1"),
    ])
  func faults(stores: String, message: String) {
    let found = fault("stores: \(stores)")
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test("the default layers of a GeoPackage store are separate sources, if its reader has tables")
  func defaultLayers() throws {
    let pipeline = try definition(
      "stores: [{id: g, type: gpkg, uri: a, default_layers: [x, y]}, "
        + "{id: h, type: gpkg, uri: b, default_layers: [z]}, {id: i, type: gpkg, uri: b}]")
    let gpkg = SourceKeys.pipeline.types.first { $0.name == "gpkg" }
    guard gpkg?.object.key("table") != nil else {
      #expect(pipeline.sources.map(\.name) == ["g", "h", "i"])
      #expect(pipeline.notes.map(\.place.column) == [38, 91])
      return
    }
    #expect(pipeline.sources.map(\.name) == ["g/x", "g/y", "h", "i"])
    #expect(pipeline.sources.map { $0.node["table"]?.text } == ["x", "y", "z", "*"])
    #expect(pipeline.notes.isEmpty)
  }

  @Test("a config without stores has nothing to draw")
  func nothing() {
    let words = "neither this file nor those that it includes have anything to draw."
    #expect(fault(#"{"remote": {"http_port": 1}}"#, file: "r.scfg") == "r.scfg: \(words)")
    #expect(fault("version: 1\ninclude: []") == "x.yml: \(words)")
    #expect(
      fault("stores: []\nlayers: [{id: b, type: background, paint: {background-color: red}}]")
        == "none")
  }

  @Test("a stores config with any value replaced by any other is read or refused with a place")
  func damaged() throws {
    let root = try document(config, file: "t.scfg").root
    let values: [PropertyValue] = [
      .null, .bool(true), .number(-1), .string(""), .string("gpkg"), .array([]), .object([:]),
      .array([.number(1)]), .array([.object(["type": .number(1)])]),
      .array([.object(["type": .string("line"), "paint": .null])]),
    ]
    var random = SplitMix64(seed: 5)
    var refused = 0
    for _ in 0..<400 {
      var document = try document("version: 1", file: "t.scfg")
      var left = random.below(root.count)
      document.root = replaced(root, at: &left, by: random.pick(values))
      do throws(PipelineError) {
        _ = try PipelineDefinition(document)
      } catch {
        #expect(error.code == .definition && error.place?.file == "t.scfg", "\(error)")
        refused += 1
      }
    }
    #expect(refused > 100 && refused < 400)
  }

  /// The value with one of those inside it, counted in the order of the file, replaced.
  private func replaced(
    _ node: DocumentNode, at left: inout Int, by value: PropertyValue
  ) -> DocumentNode {
    left -= 1
    if left == -1 { return DocumentNode(json: value, at: node.place) }
    switch node.value {
    case .array(let items):
      return DocumentNode(
        .array(items.map { replaced($0, at: &left, by: value) }), at: node.place)
    case .object(let members):
      return DocumentNode(
        .object(
          members.map {
            DocumentMember(
              key: $0.key, keyPlace: $0.keyPlace, node: replaced($0.node, at: &left, by: value))
          }), at: node.place)
    default: return node
    }
  }

  @Test("a store's name never comes from a variable, which would be published")
  func secretNames() {
    let text = "args: {K: secret-key}\nstores: [{type: csv, uri: \"https://x.org/${K}.csv\"}]"
    let found = fault(text)
    #expect(found.hasPrefix("x.yml:2:27: a store is named by its 'uri'"), "\(found)")
    #expect(!found.contains("secret-key"))
    #expect(fault(text.replacing("type: csv", with: "id: a, type: csv")) == "none")
  }
}

/// How stores look.
@Suite("Styles of stores") struct StoreStyleTests {
  /// The value of a paint property for a feature, as the compiled style gives it.
  private func paint(
    _ style: String, _ layer: String, _ property: String
  ) throws -> PropertyValue {
    let pipeline = try definition("stores: [{id: s, type: geojson, uri: a, style: \(style)}]")
    _ = try pipeline.style()
    let layer = try #require(pipeline.layers.first { $0.id == "s-\(layer)" })
    return try #require(layer.paint.first { $0.key == property }).node.propertyValue
  }

  @Test(
    "a store's style applies if a feature has no style of its own",
    arguments: [
      ("{stroke: red}", "line", "line-color", "red"),
      ("{line-color: \"#123\"}", "line", "line-color", "#123"),
      ("{fill: 00ff00}", "fill", "fill-color", "#00ff00"),
      ("[{paint: {fill-color: red}}, {paint: {fill-color: blue}}]", "fill", "fill-color", "blue"),
      ("{icon-color: \"#3371fb\"}", "circle", "circle-color", "#3371fb"),
      ("{marker-color: navy}", "circle", "circle-color", "navy"),
      ("{}", "circle", "circle-color", "#3a78b8"), ("null", "fill", "fill-color", "#3a78b8"),
      ("[{id: default}]", "line", "line-color", "#2a5d9c"),
    ])
  func colors(style: String, layer: String, property: String, color: String) throws {
    guard case .array(let items) = try paint(style, layer, property) else {
      Issue.record("the colour is no expression")
      return
    }
    #expect(items.first == .string("to-color") && items.last == .string(color))
    #expect(items.count == 4)
  }

  @Test(
    "store widths, opacities and sizes are numbers, and sizes may be simplestyle's words",
    arguments: [
      ("{stroke-width: 7}", "line", "line-width", 7.0),
      ("{fill-opacity: 0.25}", "fill", "fill-opacity", 0.25),
      ("[{paint: {line-opacity: 0.5}}]", "line", "line-opacity", 0.5),
      ("{marker-size: large}", "circle", "circle-radius", 11),
      ("{circle-radius: 3}", "circle", "circle-radius", 3),
    ])
  func numbers(style: String, layer: String, property: String, number: Double) throws {
    guard case .array(let items) = try paint(style, layer, property) else {
      Issue.record("the number is no expression")
      return
    }
    #expect(items.last == .number(number))
  }

  @Test("an expression replaces a constant of a store's style, with the default as fallback")
  func expressions() throws {
    let color = try paint("{stroke: [get, colour]}", "line", "line-color")
    guard case .array(let items) = color else {
      Issue.record("the colour is no expression")
      return
    }
    #expect(
      Array(items.suffix(2)) == [.array([.string("get"), .string("colour")]), .string("#2a5d9c")])
    _ = try paint("{stroke-width: [get, w], circle-radius: [\"+\", 1, 2]}", "line", "line-width")
    let broken = try definition(
      "stores: [{id: s, type: geojson, uri: a, style: {stroke: [get]}}]")
    #expect(
      performing: { try broken.style() },
      throws: { error in
        "\(error)".hasPrefix("pipelines/x.yml:1:57: layer 's-line'")
      })
  }

  @Test("a store is drawn with the layers of its style, whose ids are its own")
  func layers() throws {
    let pipeline = try definition(
      """
      stores:
        - {id: a, type: geojson, uri: a, style: {fill: red}}
        - id: b
          type: geojson
          uri: b
          style:
            - {id: line, type: line, paint: {line-color: red}}
            - {type: circle, minzoom: 3}
      """)
    #expect(pipeline.layers.map(\.id) == ["a-fill", "a-line", "a-circle", "b-line", "b-1"])
    #expect(pipeline.layers.map(\.source) == ["a", "a", "a", "b", "b"])
    #expect(pipeline.layers[4].minZoom == 3)
    _ = try pipeline.style()
  }

  @Test("a store whose uri names a folder is refused at that key")
  func folderOfStore() throws {
    let folder = try TemporaryFolder()
    for uri in ["..", "../..", "."] {
      let file = try folder.write(
        "stores:\n  - {id: a, type: geojson, uri: \(uri)}\n", to: "sub/in/stores.yml")
      let pipeline = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
      let error = #expect(throws: PipelineError.self) { try pipeline.requireReadableFiles() }
      #expect(error?.exitCode == 78 && error?.place?.line == 2 && error?.place?.column == 33)
      #expect(error?.message.contains("source 'a' has its data in ") == true)
      #expect(error?.message.hasSuffix("which is a folder. Name the file in it.") == true)
    }
  }

  @Test("layers of the file replace the style of the stores that they draw, and lie below the rest")
  func ownLayers() throws {
    let pipeline = try definition(
      """
      stores: [{id: a, type: geojson, uri: a}, {id: b, type: geojson, uri: b, style: {fill: red}}]
      layers: [{id: dots, type: circle, source: a}]
      """)
    #expect(pipeline.layers.map(\.id) == ["dots", "b-fill", "b-line", "b-circle"])
  }

  @Test(
    "a config without zooms ends at the resolution of its finest image",
    arguments: [
      ("uri: photo.png, bounds: [-180, -85.05, 180, 85.05]", "{}", 2),
      ("uri: photo.png, projection: equirectangular", "{}", 2),
      ("uri: photo.png, bounds: [0, 0, 90, 60]", "{tileSize: 512}", 3),
      ("uri: photo.png, bounds: [0, 0, 90, 60]", "{scale: [2]}", 3),
      ("uri: photo.png, bounds: [0, 0, 90, 60]", "{scale: [1, 2]}", 4),
      ("uri: photo.png, bounds: [0, 0, 90, 60]", "{minzoom: 6}", 6),
      ("uri: photo.png, bounds: [0, 0, 90, 60]", "{maxzoom: 7}", 7),
      ("uri: photo.png, bounds: [0, 0, 0.001, 0.001]", "{}", 14),
    ])
  func ownResolution(image: String, tiles: String, last: Int) throws {
    let sample = try ImageSample(ImageSample.blots(width: 1000, height: 500))
    _ = try sample.folder.write("0.36\n0\n0\n-0.34\n-179.82\n84.83\n", to: "photo.pgw")
    let file = try sample.folder.write(
      """
      stores:
        - {id: photo, type: image, version: 1, \(image)}
      tiles: \(tiles)
      output: {path: out.mbtiles}
      view: {zoom: 6}
      """, to: "x.scfg")
    let config = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let cancellation = Cancellation()
    let options = BuildOptions()
    let local = try InputStage(
      config, options: options,
      clock: StageClock(progress: { _ in }, cancellation: cancellation),
      cancellation: cancellation, progress: { _ in }
    ).run()
    #expect(local.definition.tiles.maxZoom == last)
    #expect(local.definition.view.zoom == min(6, last))
    let isLowered = last < 14 && tiles != "{maxzoom: 7}"
    #expect(local.sources[0].notes.contains { $0.contains("end at zoom \(last)") } == isLowered)
  }

  @Test("a config of a world image is built, planned and divided to its resolution")
  func worldImage() throws {
    let sample = try ImageSample(ImageSample.blots(width: 1000, height: 500))
    let file = try sample.folder.write(
      """
      stores:
        - {id: photo, type: image, version: 1, uri: photo.png, bounds: [-180, -85, 180, 85]}
      output: {path: out.mbtiles}
      """, to: "x.scfg")
    let config = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let options = BuildOptions()
    #expect(try PipelineRunner.check(config, options: options).failure == nil)
    let plan = try PipelineRunner.plan(
      config, options: options, cancellation: Cancellation(), progress: { _ in })
    #expect(plan.zooms.map(\.zoom) == [0, 1, 2])
    let report = try PipelineRunner.build(
      config, options: options, cancellation: Cancellation(), progress: { _ in })[0]
    #expect(report.zooms.map(\.zoom) == [0, 1, 2])
    #expect(report.notes.contains { $0.contains("end at zoom 2") })
  }
}
