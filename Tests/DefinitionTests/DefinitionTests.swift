import DefinitionSamples
import Features
import Ingest
import OrderedCollections
import Overlays
import Testing
import Tiling

@testable import Definition
@testable import Runs

@Suite("Pipeline definitions")
struct DefinitionTests {
  /// The default of `clusterCellSize`.
  private static let cellSizes = [(0, 88.0), (13, 64), (16, 32), (19, 16)].map {
    ZoomValue(zoom: $0.0, value: $0.1)
  }

  @Test("the pipeline of the design document decodes")
  func hotels() throws {
    let pipeline = try definition(hotelsPipeline)
    #expect(pipeline.name == "us-hotels")
    #expect(!pipeline.isStyle)
    let source = try #require(pipeline.sources.first)
    #expect(source.type == "csv")
    guard case .file("pipelines/data/hotels.csv") = source.data else {
      Issue.record("the path is \(source.data)")
      return
    }
    let csv = try #require(source.records?.format as? CSVSource).options
    #expect(csv.columns == ["lng", "lat", "name", "country", "phone"])
    #expect(!csv.header)
    #expect(csv.delimiter == UInt8(ascii: ","))
    #expect(source.records?.id == "phone")
    #expect(source.records?.maxErrors == 100)
    let cluster = try #require(source.records?.cluster)
    #expect(cluster.method == .grid(cellSizes: Self.cellSizes))
    #expect(cluster.maxZoom == 16)
    #expect(cluster.properties.map(\.key) == ["rooms"])
    #expect(pipeline.layers.map(\.id) == ["ring", "count"])
    #expect(
      pipeline.layers[1].filter?.propertyValue == .array([.string("has"), .string("point_count")]))
    #expect(pipeline.tiles.scales == [1, 2])
    #expect(pipeline.tiles.bounds == GeoBounds(west: -130, south: 20, east: -60, north: 55))
    #expect(pipeline.output.path == "output/us-hotels.mbtiles")
    #expect(pipeline.output.path(scale: 2) == "output/us-hotels@2x.mbtiles")
    #expect(pipeline.expectation.features == CountRange(minimum: 80000))
  }

  @Test("absent keys have their documented defaults")
  func defaults() throws {
    let pipeline = try definition(minimal)
    #expect(pipeline.name == "x")
    #expect(
      pipeline.tiles
        == (try definition(
          minimal
            + "\ntiles: {minzoom: 0, maxzoom: 14, tileSize: 256, scale: 1, snap: 0, fill: children}"
        )).tiles)
    #expect(pipeline.output.path == "pipelines/x.mbtiles")
    #expect(pipeline.output.layout == nil)
    let source = try #require(pipeline.sources.first)
    #expect((source.records?.format as? CSVSource)?.options.header == true)
    #expect((source.records?.format as? CSVSource)?.options.encoding == .utf8)
    #expect(source.records?.maxErrors == 0)
    #expect(source.records?.onDuplicateID == .error)
    #expect(source.records?.cluster == nil)
    #expect(pipeline.layers[0].minZoom == 0)
    #expect(pipeline.layers[0].maxZoom == 24)
  }

  @Test(
    "the cluster method depends on the size that is given",
    arguments: [
      ("", ClusterMethod.grid(cellSizes: cellSizes)), ("clusterRadius: 30", .radius(30)),
      ("clusterCellSize: 50", .grid(cellSizes: [ZoomValue(zoom: 0, value: 50)])),
      ("clusterMethod: radius", .radius(40)), ("clusterMethod: bubble", .bubble(gap: 2)),
      ("clusterGap: 5", .bubble(gap: 5)),
    ])
  func clusterMethod(keys: String, method: ClusterMethod) throws {
    let text = minimal.replacing(
      "data: a.csv", with: "data: a.csv\n    cluster: true\n    \(keys)")
    let cluster = try #require(try definition(text).sources[0].records?.cluster)
    #expect(cluster.method == method)
  }

  @Test("stacks have a first zoom, and a form and distances unless these are given")
  func stacks() throws {
    func stacks(_ value: String) throws -> StackDefinition? {
      let text = minimal.replacing("data: a.csv", with: "data: a.csv\n    stacks: \(value)")
      return try definition(text).sources[0].records?.stacks
    }
    #expect(
      try stacks("{from: 14}")
        == StackDefinition(from: 14, distance: 12, form: StackForm(.spiral, spacing: 24)))
    #expect(
      try stacks("{from: 9, distance: 3, spacing: 8, form: ring}")
        == StackDefinition(from: 9, distance: 3, form: StackForm(.ring, spacing: 8)))
    #expect(throws: PipelineError.self) { try stacks("{form: ring}") }
  }

  @Test(
    "a change to a good pipeline gives exactly this error",
    arguments: [
      (
        "minzoom: 0", "minzom: 0",
        "27:3: unknown key 'minzom' in tiles; did you mean 'minzoom'? Known keys: minzoom, maxzoom, "
          + "tileSize, scale, snap, bounds, fill, format, quality, background, budget, interactivity."
      ),
      (
        "expect:", "xyz:",
        "35:1: unknown key 'xyz' in the pipeline. Known keys: version, name, description, "
          + "attribution, args, include, onDuplicateId, sources, layers, state, sprite, images, tiles, "
          + "view, output, expect, memory."
      ),
      (
        "max: 100", "most: 1",
        "12:15: unknown key 'most' in onError of source 'hotels'. Known keys: max."
      ),
      (
        "type: csv", "type: cvs",
        "6:11: unknown type 'cvs' of source 'hotels'; did you mean 'csv'? "
          + "Known types: csv, geojson, geojsonseq, gpkg, ogr, vector, raster, image, image-series."
      ),
      ("type: csv", "type: csv.2", "6:11: no reader 'csv.2'; this version has 'csv.1'."),
      ("type: csv", "type: csv.1", "none"),
      (
        "type: csv", "type: geojson",
        "8:5: 'columns' in source 'hotels' is not a key of type geojson; it belongs to csv."
      ),
      (
        "type: csv", "type: raster-dem",
        "6:11: source 'hotels' has type 'raster-dem', which this version does not support; supported "
          + "are csv, geojson, geojsonseq, gpkg, ogr, vector, raster, image, image-series."
      ),
      (
        "type: circle", "type: sky",
        "20:22: layer 'ring' has type 'sky', which this version does not support; supported are "
          + "background, fill, line, circle, chart, leg, symbol, raster, heatmap."
      ),
      (
        "snap: 1", "snap: abc",
        "30:9: 'snap' in tiles must be a number from 0 to 64, but it is the string \"abc\". "
          + "Write it as in 'snap: 1'."
      ),
      ("snap: 1", "snap:", "30:3: 'snap' in tiles has no value. Give it one or remove it."),
      (
        "maxzoom: 16", "maxzoom: 16.5",
        "28:12: 'maxzoom' in tiles must be a whole number from 0 to 22, but it is the number 16.5. "
          + "Write 'maxzoom: 17'."
      ),
      (
        "minzoom: 0", "minzoom: 17",
        "28:3: 'maxzoom' is 16, below 'minzoom', which is 17."
      ),
      (
        "scale: [1, 2]", "scale: [1, 4]",
        "29:14: 'scale[1]' in tiles must be 1, 2 or 3, but it is the number 4."
      ),
      (
        "bounds: [-130, 20,", "bounds: [20,",
        "31:11: 'bounds' in tiles must be a list of 4 values, each a number from -360 to 360, but "
          + "it has 3. Write it as in 'bounds: [5.9, 45.8, 10.5, 47.8]'."
      ),
      (
        "20, -60, 55", "55, -60, 20",
        "31:3: 'bounds' are west, south, east, north; here south ≥ north."
      ),
      (
        "bounds: [-130, 20, -60, 55]", "bounds: [-130, 20, -60, 95]",
        "31:3: 'bounds' are west, south, east, north; 95 is not a latitude."
      ),
      (
        "fill: children", "fill: NO",
        "32:9: 'fill' in tiles must be one of children, none, but it is the string \"NO\"."
      ),
      (
        "layers: [ring]", "layers: [rings]",
        "33:28: no layer 'rings'; did you mean 'ring'? Layers are ring, count."
      ),
      (
        "layout: auto", "layout: dedupe",
        "34:53: 'layout' in output must be one of auto, dedup, flat, but it is the string "
          + "\"dedupe\"; did you mean 'dedup'?"
      ),
      (
        "path: ../output/us-hotels.mbtiles", "path: ../output/us-hotels.zip",
        "34:16: the archive's name 'us-hotels.zip' must end in .mbtiles or .pmtiles."
      ),
      (
        "path: ../output/us-hotels", "path: ../output/hôtels",
        "34:16: the archive's name 'hôtels.mbtiles' may hold only ASCII characters and no spaces, "
          + "since map viewers take no others."
      ),
      ("min: 80000", "min: 3, max: 1", "35:10: 'max' of 'features' is below its 'min'."),
      (
        "source: hotels, paint", "source: hotel, paint",
        "20:38: layer 'ring' draws the source 'hotel', which is not there; did you mean 'hotels'? "
          + "Sources are hotels."
      ),
      (
        "type: circle", "type: raster",
        "20:38: a raster layer draws images, but 'hotels' is a source of type csv."
      ),
      (
        "id: count", "id: ring",
        "21:9: the layer id 'ring' occurs here and at 20:10. Give one of them another."
      ),
      ("{id: ring, ", "{", "20:5: layer 'layers[0]' has no 'id', which must be a text."),
      (
        "clusterMethod: grid", "clusterMethod: radius",
        "15:5: 'clusterCellSize' is for 'clusterMethod: grid', 'hexagon' and 'square'; the radius "
          + "method has 'clusterRadius'."
      ),
      (
        "clusterMethod: grid", "clusterGap: 4\n    clusterMethod: grid",
        "14:5: 'clusterGap' is for 'clusterMethod: bubble'."
      ),
      (
        "clusterMethod: grid", "clusterMethod: bubble",
        "15:5: 'clusterMethod: bubble' joins what the layers draw too near, by 'clusterGap'."
      ),
      (
        "{id: ring, type: circle, source: hotels", "{id: ring, type: leg, source: hotels",
        "20:35: a leg layer draws the legs of spread points, but source 'hotels' has no 'stacks'."
      ),
      ("cluster: true", "clusterRadius: 4", "13:5: 'clusterRadius' needs 'cluster: true'."),
      (
        "{0: 88, 13: 64,", "{0: 88, 013: 64,",
        "15:30: the keys of 'clusterCellSize' in source 'hotels' are zooms from 0 to 24, but '013' "
          + "is not one."
      ),
      (
        "{0: 88, 13: 64,", "{13: 64,",
        "15:5: 'clusterCellSize' must begin with the size at zoom 0."
      ),
      (
        "{0: 88, 13: 64,", "{0: 88, 13: 96,",
        "15:34: 'clusterCellSize' grows from 88 px to 96 px at zoom 13, but cells get smaller the "
          + "closer one zooms. Write 88 or less."
      ),
      (
        "id: phone", "id: phones",
        "10:5: no column named 'phones'; did you mean 'phone'? "
          + "Columns are lng, lat, name, country, phone."
      ),
      ("columns: [lng, lat,", "columns: [lng, lng,", "8:20: the column 'lng' is named twice."),
      (
        "columns: [lng, lat, name, country, phone]", "header: false",
        "8:5: 'header: false' needs 'columns' to name the columns."
      ),
      (
        "delimiter: \",\"", "delimiter: ab",
        "9:5: 'delimiter' must be one ASCII character other than a quote, or tab, but it is 'ab'."
      ),
      (
        "delimiter: \",\"", "where: \"a = 1\"",
        "none"
      ),
      (
        "data: data/hotels.csv", "data: s3://bucket/x",
        "7:11: urls with 's3://' are not supported. Use http, https or the path of a file."
      ),
      (
        "max: 100", "max: -1",
        "12:20: 'max' in onError of source 'hotels' must be a whole number from 0, but it is the "
          + "number -1. Write it as in 'max: 10'."
      ),
      (
        "[lng, lat, name, country, phone]", "[lng, lat, …, name, ..., phone]",
        "8:34: '…' stands for the fields between the first columns and the last: there is one at "
          + "most."
      ),
      (
        "delimiter: \",\"", "skip: -1",
        "9:11: 'skip' in source 'hotels' must be a whole number from 0 to 1000, but it is the number "
          + "-1. Write it as in 'skip: 10'."
      ),
      (
        "version: 1", "version: 1\nmemory: 64M",
        "2:9: a memory of 64M is too little for 1 thread, which needs at least 192M. Raise --memory (or "
          + "'memory' in the pipeline)."
      ),
      (
        "version: 1", "version: 2",
        "1:10: 'version' must be 1 for a pipeline or 8 for a MapLibre style, but it is the number 2."
      ),
      (
        "version: 1\n", "",
        "1:1: 'version' is missing. Write 'version: 1' for a pipeline; 8 is a MapLibre style."
      ),
    ])
  func changes(old: String, new: String, message: String) {
    #expect(hotelsPipeline.contains(old))
    let words = fault(hotelsPipeline.replacing(old, with: new, maxReplacements: 1))
    #expect(words == (message == "none" ? "none" : "x.yml:\(message)"))
  }

  @Test("an ellipsis among the columns is a gap, and excludes other keys for long records")
  func gap() throws {
    let text = hotelsPipeline.replacing(
      "[lng, lat, name, country, phone]", with: "[lng, lat, name, …, phone]")
    let csv = try #require(
      try definition(text).sources.first?.records?.format as? CSVSource
    ).options
    #expect(csv.columns == ["lng", "lat", "name", "phone"] && csv.gap == 3)
    #expect(
      fault(text.replacing("delimiter: \",\"", with: "extraFields: join")).contains(
        "'extraFields' and '…' in 'columns' both say"))
  }

  @Test("a pipeline that is not an object, and one without sources, report what is missing")
  func incomplete() {
    #expect(
      fault("- a")
        == "x.yml:1:1: a pipeline is an object that begins with 'version: 1', but this is a list.")
    #expect(fault("version: 1").hasPrefix("x.yml:1:1: the pipeline has no 'sources'"))
  }

  @Test(
    "a fault in 'where' has its place in the file",
    arguments: [
      ("where: a = 1", "none"), ("where: a = AND", "6:16: 'where': a property or a value"),
      ("where: \"a = AND\"", "6:17: 'where': a property or a value"),
      ("where: 'a = AND'", "6:17: 'where': a property or a value"),
      ("where: \"a = 1\\n AND\"", "6:12: 'where' at 2:5 of its text: a property"),
      ("where: |\n      a = 1 AND\n      b =", "8: 'where' at 2:4 of its text: a property"),
      ("where: >-\n      a = 1 AND\n      b =", "6:12: 'where' at 1:14 of its text: a property"),
      ("where: 5", "6:12: 'where'"), ("where: ''", "6:12: 'where' in source 'a' must be a text"),
    ])
  func whereFaults(line: String, message: String) {
    let text = minimal.replacing("data: a.csv", with: "data: a.csv\n    \(line)")
    let found = fault(text)
    #expect(found.hasPrefix(message == "none" ? "none" : "x.yml:\(message)"), "\(found)")
  }

  @Test("a 'where' is one condition of its source")
  func whereClause() throws {
    let text = minimal.replacing("data: a.csv", with: "data: a.csv\n    where: a = 1")
    #expect(try definition(text).sources[0].records?.conditions.map(\.text) == ["a = 1"])
    #expect(try definition(minimal).sources[0].records?.conditions.isEmpty == true)
  }

  @Test(
    "paths are relative to the pipeline file",
    arguments: [
      ("pipelines/x.yml", "data/a.csv", "pipelines/data/a.csv"),
      ("x.yml", "a.csv", "a.csv"), ("x.yml", "../a.csv", "../a.csv"),
      ("/p/q/x.yml", "../a.csv", "/p/a.csv"), ("p/x.yml", "/data/a.csv", "/data/a.csv"),
      ("../p/x.yml", "./a.csv", "../p/a.csv"),
    ])
  func paths(file: String, path: String, resolved: String) throws {
    let text = minimal.replacing("a.csv", with: path)
    guard case .file(let found) = try definition(text, file: file).sources[0].data else {
      Issue.record("no file")
      return
    }
    #expect(found == resolved)
  }

  @Test("images have corners, bounds or a world file, a series one of the first two")
  func images() throws {
    let image = """
      version: 1
      sources:
        rain: {type: image, url: rain.png, PLACE}
      layers: [{id: a, type: raster, source: rain}]
      """
    let corners = "coordinates: [[0, 1], [1, 1], [1, 0], [0, 0]]"
    let bounds = "bounds: [-12, 48, 5, 61]"
    func words(_ place: String) -> String { fault(image.replacing("PLACE", with: place)) }
    #expect(words(corners) == "none")
    #expect(words("\(bounds), bearing: 7, projection: equirectangular") == "none")
    #expect(words("\(bounds), \(corners)").contains("and not two of them"))
    #expect(words("\(bounds), worldFile: a.pgw").contains("and not two of them"))
    #expect(words("projection: mercator") == "none")
    #expect(words("bearing: 1").contains("'bearing' turns 'bounds'"))
    #expect(words("\(corners), bearing: 1").contains("'bearing' turns 'bounds'"))
    let series = image.replacing(
      "image, url: rain.png", with: "image-series, frames: 'r/*.png', time: '%F'")
    #expect(fault(series.replacing("PLACE", with: "keep: 1")).contains("either 'coordinates'"))
    let source = try definition(series.replacing("PLACE", with: "\(bounds), keep: 24")).sources[0]
    #expect(source.series?.options.keep == 24)
    #expect(source.series?.options.onMissing == .skip)
    #expect(
      source.series?.image?.position
        == .box(GeoBounds(west: -12, south: 48, east: 5, north: 61), bearing: 0))
  }

  @Test("command line options change a copy, and invalid ones are a usage error")
  func options() throws {
    var options = BuildOptions()
    options.minZoom = 3
    options.output = "/tmp/a.mbtiles"
    options.bounds = GeoBounds(west: 1, south: 2, east: 3, north: 4)
    let changed = try definition(hotelsPipeline).applying(options)
    #expect(changed.tiles.minZoom == 3)
    #expect(changed.tiles.maxZoom == 16)
    #expect(changed.output.path == "/tmp/a.mbtiles")
    #expect(changed.tiles.bounds == options.bounds)
    options.maxZoom = 2
    expectUsage(options)
    options.maxZoom = nil
    options.output = "a.png"
    expectUsage(options)
  }

  private func expectUsage(_ options: BuildOptions) {
    do {
      _ = try definition(hotelsPipeline).applying(options)
      Issue.record("no error")
    } catch {
      #expect(error.exitCode == 64)
    }
  }

  @Test(
    "a text that no archive may publish is refused with its place",
    arguments: [
      ("name: at /usr/share/maps", "'name' holds the absolute path '/usr/share/maps'"),
      ("description: from /data/hotels/2024.csv", "'description' holds the absolute path"),
      (
        "attribution: '<a href=\"/about/licence/\">us</a>'", "'attribution' holds the absolute path"
      ),
      ("description: \"a\\u0001b\"", "'description' holds a control character"),
    ])
  func unpublishable(line: String, says: String) throws {
    let error = #expect(throws: PipelineError.self) {
      try definition(minimal.replacing("version: 1", with: "version: 1\n\(line)"))
    }
    #expect(error?.exitCode == 78 && error?.place?.line == 2)
    #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
  }

  @Test(
    "the name of a source that no archive may publish is refused", arguments: ["/a/b", "file:///a"])
  func unpublishableSource(name: String) throws {
    let error = #expect(throws: PipelineError.self) {
      try definition(
        minimal.replacing("  a:\n", with: "  \"\(name)\":\n")
          .replacing("source: a}", with: "source: \"\(name)\"}"))
    }
    #expect(error?.exitCode == 78 && error?.message.contains("name of this source") == true)
  }

  @Test("an unexpected result is refused with the expectation")
  func expectation() throws {
    let expectation = try definition(
      hotelsPipeline.replacing("min: 80000", with: "min: 5, max: 7")
    ).expectation
    for count in 0...10 {
      let isFine = (5...7).contains(count)
      do {
        try expectation.check(features: count, tiles: 0)
        #expect(isFine)
      } catch {
        #expect(!isFine)
        #expect(error.exitCode == 65)
        #expect(error.message.contains("'expect' wants at least 5 and at most 7"))
      }
    }
  }
}
