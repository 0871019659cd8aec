import Foundation
import TestSupport
import Testing

@Suite("A message that says what to write")
struct AdviceTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "name,lat,lng,state\nAlpha,40.1,-74.1,TX\nBeta,40.2,-74.2,NY\n", to: "shops.csv")
  }

  /// Writes a pipeline of the shops.
  ///
  /// - Parameters:
  ///   - source: further keys of the source.
  ///   - layer: the layer's type and its properties.
  private func pipeline(source: String = "", layer: String = "type: circle") throws -> String {
    """
    version: 1
    tiles: {maxzoom: 2}
    sources:
      shops: {type: csv, data: shops.csv\(source)}
    layers:
      - {id: a, source: shops, \(layer)}

    """
  }

  @Test(
    "a value that is no condition is answered with one, not with quotes", arguments: ["true", "5"])
  func condition(value: String) throws {
    let file = try folder.write(try pipeline(source: ", where: \(value)"), to: "p.yml")
    let outcome = try Program.run("check", "--quick", file)
    #expect(outcome.status == 78)
    #expect(
      outcome.errors.contains("Write a condition as in 'where: floors > 3'"), "\(outcome.errors)")
  }

  @Test(
    "a wrong property of a layer is answered with what to write",
    arguments: [
      (
        #"type: circle, paint: {circle-radius: "14px"}"#, "write the number 14: sizes are in pixels"
      ),
      (#"type: circle, paint: {circle-radius: "14"}"#, "write the number 14 without quotes"),
      (
        #"type: circle, paint: {circle-opacity: "50%"}"#,
        "write the number 0.5: opacities are from 0 to 1"
      ),
      (#"type: circle, paint: {circle-colour: red}"#, "did you mean 'circle-color'?"),
      (#"type: circle, paint: {colour: red}"#, "did you mean 'circle-color'?"),
      (#"type: symbol, layout: {size: 12}"#, "did you mean 'text-size'?"),
      (#"type: circle, paint: {circle-color: "ff0000"}"#, "write '#ff0000'"),
      (#"type: circle, paint: {circle-color: "red,"}"#, "remove the comma at its end"),
      ("type: circle, paint: {circle-color: whitee}", "did you mean 'white'?"),
      ("type: circle, paint: {circle-color: [255, 95, 42]}", "write 'rgb(255, 95, 42)'"),
      ("type: circle, paint: {circle-color: 336699}", "write '#336699'"),
      ("type: circle, paint: {circle-color: '#ff00f'}", "'#' has 3, 4, 6 or 8 digits after it"),
      ("type: circle, paint: {circle-color: [get, name, x, y]}", #"write ["get", "name"]"#),
      (
        "type: circle, paint: {circle-color: [match, [get, name], a, red, b, blue]}",
        #"it lacks the value for everything else, at its end: ["match", …, "blue", other]"#
      ),
      (
        "type: circle, paint: {circle-color: [match, [get, name], a, redd, blue]}",
        "did you mean 'red'?"
      ),
      (
        "type: circle, paint: {circle-color: [case, [==, 1, 1], red, [==, 2, 2], blue]}",
        #"it lacks the value for everything else, at its end: ["case", …, "blue", other]"#
      ),
      (
        "type: circle, paint: {circle-radius: [step, [zoom], 3, 5]}",
        #"write ["step", input, value"#
      ),
      (
        "type: circle, paint: {circle-radius: [interpolate, [zoom], 3, 5, 6, 7]}",
        #"["interpolate", ["linear"], input, stop, value"#
      ),
      (
        "type: circle, paint: {circle-radius: [interpolat, [linear], [zoom], 3, 5, 6, 7]}",
        #"did you mean "interpolate"?"#
      ),
      ("type: circle, paint: {circle-radius: [if, [has, a], 1, 2]}", #"write ["case", condition"#),
      ("type: circle, filter: [name, '=', Alpha]", #"first: ["==", ["get", "name"], "Alpha"]"#),
      ("type: circle, paint: {circle-radius: large}", "write a number, such as 5"),
      ("type: circle, paint: {circle-radius: '0,5'}", "write the number 0.5 without quotes"),
      ("type: symbol, layout: {text-font: Arial}", #"write a list: ["Arial"]"#),
      ("type: symbol, layout: {text-font: 'Arial, Lato'}", #""Lato"]"#),
      ("type: symbol, layout: {text-offset: 2}", "write 2 numbers, such as [0, 2]"),
      ("type: symbol, layout: {text-offset: '0, 1'}", "write [0, 1]"),
      ("type: symbol, layout: {text-allow-overlap: yes}", "write true"),
      ("type: symbol, layout: {text-allow-overlap: 0}", "write false"),
      ("type: circle, layout: {visibility: false}", "write none"),
      ("type: circle, paint: red", "must be an object, but it is the string"),
      ("type: label", "write 'type: symbol', which is for labels and icons."),
      ("type: polygon", "write 'type: fill', which is for areas."),
      ("type: circle, minzoom: '5'", "Write 'minzoom: 5'."),
      ("type: circle, maxzoom: z12", "Write 'maxzoom: 12'."),
    ])
  func properties(layer: String, advice: String) throws {
    try folder.write(pipeline(layer: layer), to: "p.yml")
    let run = try Program.run("build", "p.yml", in: folder)
    #expect(run.status == 78 && run.errorLines.count == 1, "\(run)")
    #expect(run.errors.hasPrefix("error: p.yml:6:") && run.errors.contains(advice), "\(run)")
  }

  @Test(
    "the names that other programs give to keys of a source are answered with its own",
    arguments: [
      ("lat: lat", "the column of latitudes is 'y: lat'."),
      ("longitude: lng", "the column of longitudes is 'x: lng'."),
      ("separator: ';'", "the sign between fields is 'delimiter: ;'."),
      ("epsg: 4326", "the reference system is 'crs:"),
    ])
  func keys(key: String, advice: String) throws {
    try folder.write(pipeline(source: ", \(key)"), to: "p.yml")
    let run = try Program.run("check", "p.yml", in: folder)
    #expect(run.status == 78 && run.errorLines.count == 1, "\(run)")
    #expect(run.errors.hasPrefix("error: p.yml:4:39: unknown key"), "\(run)")
    #expect(run.errors.contains(advice), "\(run)")
  }

  @Test(
    "a value of the wrong kind is answered with the right one",
    arguments: [
      ("cluster: yes", "Write 'cluster: true'."), ("cluster: 'false'", "Write 'cluster: false'."),
      ("cluster: 1", "Write 'cluster: true'."),
      ("cluster: maybe", "Write it as in 'cluster: true'."),
      ("select: name", "Write 'select: [name]'."),
      ("select: 'name, state'", "Write 'select: [name, state]'."),
      ("id: 5", "Write 'id: \"5\"'."), ("id: [name]", "Write 'id: name'."),
      ("cluster: true, clusterMaxZoom: '12'", "Write 'clusterMaxZoom: 12'."),
      ("cluster: true, clusterMaxZoom: 12.4", "Write 'clusterMaxZoom: 12'."),
      ("cluster: true, clusterCellSize: 64px", "Write 'clusterCellSize: 64'."),
      ("onError: 5", "Write 'onError: {max: 5}'."),
      ("onError: skip", "Write it as in 'onError: {max: 10}'."),
      ("line: name", "Write 'line: {by: name}'."),
      ("join: more.csv", "Write it as in 'join: {data: text, on: text}'."),
      ("clusterProperties: sum", "Write it as in 'clusterProperties: {name: [value, value]}'."),
    ])
  func values(keys: String, advice: String) throws {
    try folder.write(pipeline(source: ", \(keys)"), to: "p.yml")
    let run = try Program.run("check", "p.yml", in: folder)
    #expect(run.status == 78 && run.errors.hasPrefix("error: p.yml:4:"), "\(run)")
    #expect(run.errors.hasSuffix("\(advice)\n"), "\(run)")
  }

  @Test(
    "a part of a pipeline of the wrong kind is answered with its form",
    arguments: [
      ("output: stores.mbtiles", "Write 'output: {path: stores.mbtiles}'."),
      ("tiles: 12", "Write 'tiles: {maxzoom: 12}'."), ("view: '5'", "Write 'view: {zoom: 5}'."),
      ("view: [8.5, 47.4]", "Write 'view: {center: [8.5, 47.4]}'."),
      ("tiles: {bounds: '5, 45, 10, 47'}", "Write 'bounds: [5, 45, 10, 47]'."),
      ("tiles: {bounds: [5, 45]}", "Write it as in 'bounds: [5.9, 45.8, 10.5, 47.8]'."),
      ("tiles: {interactivity: true}", "Write it as in 'interactivity: {format: utfgrid}'."),
      ("sources: shops.csv", "Write it as in 'sources: {name: {type: csv, data: stores.csv}}'."),
      ("sources: [{type: csv, data: a}]", "'sources: {name: {type: csv, data: stores.csv}}'."),
      ("sources: {a: shops.csv}", "Write it as in 'a: {type: csv, data: stores.csv}'."),
      (
        "layers: {a: {type: circle}}",
        "Write it as in 'layers: [{id: points, type: circle, source: stores}]'."
      ),
      ("layers: [circle]", "Write it as in '{id: points, type: circle, source: stores}'."),
    ])
  func parts(line: String, advice: String) throws {
    let isSource = line.hasPrefix("sources")
    try folder.write(
      "version: 1\n\(isSource ? "" : "sources: {a: {type: csv, data: shops.csv}}\n")\(line)\n",
      to: "p.yml")
    let run = try Program.run("check", "p.yml", in: folder)
    #expect(run.status == 78 && run.errors.hasSuffix("\(advice)\n"), "\(run)")
  }

  @Test(
    "a type of other programs is answered with the one that reads it",
    arguments: [
      ("shp", "ogr"), ("Shapefile", "ogr"), (".kml", "ogr"), ("xlsx", "csv"), ("postgis", "ogr"),
      ("json", "geojson"), ("wfs", "geojson"), ("ndjson", "geojsonseq"), ("tsv", "csv"),
      ("geopackage", "gpkg"), ("mvt", "vector"), ("wmts", "raster"), ("tif", "image"),
    ])
  func types(name: String, type: String) throws {
    try folder.write("version: 1\nsources: {a: {type: \(name), data: x}}\n", to: "p.yml")
    let run = try Program.run("check", "p.yml", in: folder)
    let start = "error: p.yml:2:21: unknown type '\(name)' of source 'a'; write 'type: \(type)', "
    #expect(run.status == 78 && run.errors.hasPrefix(start), "\(run)")
    #expect(run.errors.contains("Known types: csv, geojson"), "\(run)")
  }

  @Test(
    "a path of Windows is answered with how it is written",
    arguments: [
      (
        #"data: "C:\Users\me\shops.csv""#,
        #"single quotes, 'C:\Users\me\shops.csv', or a path with"#
      ),
      (#"data: "D:\data\shops.csv""#, #"single quotes, 'D:\data\shops.csv', or a path with '/'."#),
      (#"data: "C:\new\table.csv""#, "has control characters and is no path"),
      (#"data: C:\data\shops.csv"#, #"Write '/' between folders, not '\'."#),
      (#"data: 'C:\data\shops.csv'"#, #"Write '/' between folders, not '\'."#),
      (#"data: 'Joe's shops.csv'"#, "the text in quotes ends before this"),
    ])
  func paths(line: String, advice: String) throws {
    try folder.write("version: 1\nsources:\n  a:\n    type: csv\n    \(line)\n", to: "p.yml")
    let run = try Program.run("check", "p.yml", in: folder)
    #expect(run.status != 0 && run.errorLines.count == 1 && run.errors.contains(advice), "\(run)")
  }

  @Test(
    "a command of other programs is answered with the one that does it",
    arguments: [
      ("show", "preview"), ("serve", "preview"), ("view", "preview"), ("info", "inspect"),
      ("ls", "inspect"), ("convert", "export"), ("bake", "build"), ("make", "build"),
      ("run", "build"), ("tiles", "build"), ("validate", "check"), ("init", "new"),
      ("estimate", "plan"), ("clip", "extract"), ("undo", "rollback"), ("deploy", "publish"),
      ("city.yml", "build"), ("city.pmtiles", "preview"),
    ])
  func commands(name: String, command: String) throws {
    let run = try Program.run(name, "x")
    #expect(run.status == 64 && run.errorLines.count == 1, "\(run)")
    let first = run.errors.firstRange(of: "quadrille ").map { run.errors[$0.upperBound...] }
    #expect(first?.hasPrefix("\(command) ") == true, "\(run)")
  }

  @Test("questions about a draft are refused where nobody can answer")
  func questions() throws {
    try folder.write("lng,lat,n\n1,2,3\n", to: "a.csv")
    let run = try Program.run("new", "a.csv", "--interactive", in: folder)
    #expect(run.status == 64 && run.errors.contains("asks in a terminal"), "\(run)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("a.yml")))
  }

  @Test("a message quotes no binary data and no control characters")
  func binary() throws {
    let bytes: [UInt8] = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ $0 / 7) }
    for name in ["b.csv", "b.geojson"] { try folder.write(bytes: bytes, to: name) }
    try folder.write(
      "version: 1\nsources: {a: {type: csv, data: b.csv}}\nlayers: [{id: a, type: circle, source: a}]\n",
      to: "csv.yml")
    try folder.write(
      "version: 1\nsources: {a: {type: geojson, data: b.geojson}}\n", to: "json.yml")
    try folder.write(
      #"{"version": 1, "a\u001b[31m\u202e\#(String(repeating: "x", count: 500))": 5}"#, to: "k.json"
    )
    for (arguments, words) in [
      (["new", "b.csv", "-o", "n.yml"], "binary data of no known format"),
      (["build", "csv.yml"], "binary data of no known format"),
      (["check", "csv.yml"], "binary data of no known format"),
      (["check", "json.yml"], "binary data of no known format"),
      (["check", "k.json"], #"unknown key 'a\u{1B}[31m\u{202E}xxx"#),
    ] {
      let run = try Program.Run(arguments, in: folder).finish()
      let text = run.output + run.errors
      #expect(run.status != 0 && text.contains(words), "\(arguments): \(run)")
      #expect(
        text.unicodeScalars.allSatisfy {
          $0 == "\n" || $0 >= " " && !(0x7F...0x9F).contains($0.value)
        },
        "\(run)")
      #expect(run.errorLines.allSatisfy { $0.utf8.count < 700 }, "\(run)")
    }
  }

  @Test("a label that writes a column's name is noted, and one that writes its value is not")
  func labels() throws {
    for (field, isNoted) in [("name", true), ("Name", false), ("'{name}'", false), ("Shop", false)]
    {
      try folder.write(
        pipeline(layer: "type: symbol, layout: {text-field: \(field)}"), to: "p.yml")
      for command in ["build", "check"] {
        let run = try Program.run(command, "p.yml", in: folder)
        #expect(run.status == 0, "\(run)")
        let note =
          "note: p.yml:6:63: 'text-field' of layer 'a' writes the word 'name' on every label; "
          + "did you mean '{name}' or '[get, name]'?"
        #expect(run.output.contains(note) == isNoted, "\(command) \(field): \(run)")
      }
    }
  }

  @Test("a comma after the last member or element is named with its place")
  func commas() throws {
    let json = #"""
      {"version": 1, "sources": {"shops": {"type": "csv", "data": "shops.csv"}},
       "layers": [{"id": "a", "type": "circle", "source": "shops"}],
       "tiles": {"maxzoom": 2,}
      }
      """#
    try folder.write(json, to: "object.json")
    #expect(
      try Program.run("build", "object.json", in: folder).errors
        == "error: object.json:3:24: nothing follows this comma but '}'. Remove the comma.\n")
    try folder.write(
      json.replacing("2,}", with: "2}").replacing("}],", with: "},],"), to: "list.json")
    #expect(
      try Program.run("build", "list.json", in: folder).errors
        == "error: list.json:2:61: nothing follows this comma but ']'. Remove the comma.\n")
    try folder.write("version: 1,\n", to: "p.yml")
    #expect(
      try Program.run("build", "p.yml", in: folder).errors.hasSuffix(
        "it is the string \"1,\". Remove the comma at its end.\n"))
    // YAML allows the comma within brackets.
    try folder.write(pipeline(layer: "type: circle, paint: {circle-radius: 4,},"), to: "p.yml")
    #expect(try Program.run("build", "p.yml", in: folder).status == 0)
  }

  @Test("a text without quotes in a condition is answered with the quotes")
  func conditions() throws {
    try folder.write(pipeline(), to: "p.yml")
    func run(_ condition: String) throws -> Program.Outcome {
      try Program.run("query", "p.yml", "--where", condition, "--count", in: folder)
    }
    let word = try run("name <> 'Beta' AND state = TX")
    #expect(word.status == 0 && word.errors.contains("Quote texts: state = 'TX'.\n"), "\(word)")
    let words = try run("state = New York OR name = x")
    #expect(
      words.errors == "error: --where at 1:9: a text needs single quotes; write 'New York'.\n",
      "\(words)")
    for (condition, advice) in [
      ("name = Store 1", "write 'Store 1'."),
      ("name = 5 Main Street AND state = 'TX'", "write '5 Main Street'."),
      ("name = 'Store 1", "this text has no closing quote; write 'Store 1'."),
      ("name = 'O'Brien'", "a quote inside a text is doubled; write 'O''Brien'."),
      ("'name = Store 1'", "the whole condition is in quotes"),
    ] {
      let run = try run(condition)
      #expect(run.status == 64 && run.errors.contains(advice), "\(run)")
    }
    #expect(try run("state = 'TX'").errors.isEmpty)
    // The names of columns may be compared with each other, and mistyped.
    #expect(try run("state = name").errors.isEmpty)
    #expect(try run("stat = 'TX'").errors.contains("did you mean 'state'?"))
    try folder.write(pipeline(source: #", where: "state = TX""#), to: "p.yml")
    let build = try Program.run("build", "p.yml", in: folder)
    #expect(build.status == 65 && build.errors.contains("Quote texts: state = 'TX'."), "\(build)")
  }

  @Test("a pipeline is no archive, and the command with its archive is named")
  func pipelineAsArchive() throws {
    try folder.write(pipeline() + "output: {path: my tiles/p.mbtiles}\n", to: "p.yml")
    for (command, arguments) in [("verify", []), ("inspect", []), ("export", ["out"])] {
      let run = try Program.Run([command, "p.yml"] + arguments, in: folder).finish()
      #expect(
        run.errors == "error: p.yml: this is a pipeline; \(command) takes its archive: "
          + "quadrille \(command) 'my tiles/p.mbtiles'\n")
      #expect(run.status == 64 && run.output.isEmpty)
    }
    try folder.write("nonsense: [", to: "p.yml")
    let run = try Program.run("verify", "p.yml", in: folder)
    #expect(run.errors.hasSuffix("takes its archive: quadrille verify ARCHIVE\n"), "\(run)")
  }

  @Test("an archive is no pipeline, and the commands that show it are named")
  func archiveAsPipeline() throws {
    try folder.write(pipeline(), to: "p.yml")
    for archive in ["p.mbtiles", "p.pmtiles"] {
      #expect(try Program.run("build", "p.yml", "-o", archive, in: folder).status == 0)
      let run = try Program.run("build", archive, in: folder)
      #expect(run.status == 78 && run.errorLines.count == 1, "\(run)")
      #expect(run.errors.contains("'quadrille preview \(archive)' shows it."), "\(run)")
    }
  }
}
