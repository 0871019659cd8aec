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
