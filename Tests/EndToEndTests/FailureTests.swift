import Foundation
import TestSupport
import Testing

/// What goes wrong, how the run ends, and what it says.
@Suite("A run that fails")
struct FailureTests {
  /// A damage done to a sample whose archive is there already.
  struct Damage: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int32
    /// What the sentence must hold; `DIR` stands for the sample's folder.
    var says: [String]
    var arguments: [String] = []
    /// A change of the pipeline file: this text, and what takes its place.
    var edit: (String, String)?
    /// Rows that are added to the data; `nil` removes the file.
    var rows: [String]? = []

    var testDescription: String { name }
  }

  static let damages = [
    Damage(
      name: "an unknown key", status: 78, says: ["DIR/sample.yml:16:3:", "'maxzom'", "'maxzoom'"],
      edit: ("maxzoom", "maxzom")),
    Damage(
      name: "a file that is no YAML", status: 78, says: ["DIR/sample.yml:11:"],
      edit: ("- id: disc", "- id: [disc")),
    Damage(
      name: "a layer type that cannot be drawn", status: 78,
      says: ["DIR/sample.yml:11:11:", "hillshade"], edit: ("type: circle", "type: hillshade")),
    Damage(
      name: "a faulty expression", status: 78, says: ["DIR/sample.yml:13:35:", "string"],
      edit: ("circle-radius: 6", "circle-radius: [+, 1, [get]]")),
    Damage(
      name: "a source that is not there", status: 78,
      says: ["DIR/sample.yml:12:13:", "plaices", "'places'"],
      edit: ("source: places", "source: plaices")),
    Damage(
      name: "a column that is not there", status: 78,
      says: ["DIR/places.csv:1:", "'north'", "lng, lat"],
      edit: ("cluster: true", "x: lng\n    y: north\n    cluster: true")),
    Damage(
      name: "one bad row", status: 65, says: ["DIR/places.csv:402:", "latitude"],
      rows: ["3,91,Pole,1"]),
    Damage(
      name: "too few features", status: 65, says: ["400 features", "at least 1000"],
      edit: ("output:", "expect: {features: {min: 1000}}\noutput:")),
    Damage(
      name: "too many tiles", status: 65, says: ["tiles", "at most 3"],
      edit: ("output:", "expect: {tiles: {max: 3}}\noutput:")),
    Damage(
      name: "nothing to draw", status: 65, says: ["nothing would be drawn"],
      edit: ("cluster: true", "filter: ['==', [get, kind], 77]\n    cluster: true")),
    Damage(
      name: "data that is not there", status: 66, says: ["DIR/places.csv"], rows: nil),
    Damage(
      name: "a folder that is not there", status: 73, says: ["DIR/no/such/", "Create the folder"],
      edit: ("path: out", "path: no/such/out")),
    Damage(
      name: "an option that there is not", status: 64, says: ["--colour"],
      arguments: ["--colour"]),
    Damage(
      name: "a zoom that there is not", status: 64, says: ["zoom 31"], arguments: ["-z", "31"]),
    Damage(
      name: "a box that is none", status: 64, says: ["w,s,e,n"], arguments: ["--bbox", "1,2,3"]),
  ]

  @Test(
    "a failing run ends with its status and one sentence, and the old archive stays",
    arguments: damages)
  func damaged(damage: Damage) throws {
    let sample = try Sample()
    try sample.build()
    let before = try sample.folder.bytes("out.mbtiles")
    if let (old, new) = damage.edit {
      let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
      #expect(text.contains(old))
      try sample.folder.write(text.replacing(old, with: new), to: "sample.yml")
    }
    if let rows = damage.rows {
      try sample.folder.write(Sample.csv(Sample.rows(400) + rows), to: "places.csv")
    } else {
      try FileManager.default.removeItem(atPath: sample.folder.path("places.csv"))
    }
    let run = try Program.Run(["build", sample.pipeline] + damage.arguments).finish()
    #expect(run.status == damage.status, "\(run.errors)")
    for part in damage.says {
      let part = part.replacing("DIR", with: sample.folder.url.path)
      #expect(run.errors.contains(part), "\(run.errors)")
    }
    if damage.status != 64 { #expect(run.errorLines.count == 1, "\(run.errors)") }
    #expect(run.output.isEmpty)
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    #expect(try !sample.folder.names().contains { $0.contains("tmp") })
  }

  @Test("a missing pipeline file ends the run with 66")
  func missingPipeline() throws {
    let run = try Program.run("build", "no-such.yml")
    #expect(run.status == 66 && run.errors.contains("no-such.yml"), "\(run.errors)")
  }

  @Test("missing arguments are a usage error")
  func usage() throws {
    for arguments in [["build"], ["frob"], ["tile", "x.yml", "1/2/0"], ["query"]] {
      let run = try Program.Run(arguments).finish()
      #expect(run.status == 64, "\(arguments) \(run.errors)")
    }
  }

  @Test("a failing run reports its place as machine-readable JSON")
  func json() throws {
    struct Message: Decodable {
      var level: String
      var code: String
      var message: String
      var file: String
      var line: Int
      var column: Int
    }
    var settings = Sample.Settings()
    settings.tiles = "minzom: 0"
    let sample = try Sample(settings)
    let run = try Program.run("check", sample.pipeline, "--log-format", "json")
    #expect(run.status == 78)
    let line = try #require(run.errorLines.first { $0.contains("\"level\": \"error\"") })
    let message = try JSONDecoder().decode(Message.self, from: Data(line.utf8))
    #expect(message.level == "error" && message.code == "definition")
    #expect(message.file == sample.pipeline && message.line == 15 && message.column == 3)
  }

  @Test("a run on a locked archive ends with 75")
  func locked() throws {
    let sample = try Sample()
    try sample.build()
    let before = try sample.folder.bytes("out.mbtiles")
    let lock = try FileLockHolder(sample.folder.path(".out.mbtiles.lock"))
    let run = try Program.run("build", "--force", sample.pipeline)
    #expect(run.status == 75 && run.errorLines.count == 1, "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    lock.release()
    #expect(try Program.run("build", "--force", "-q", sample.pipeline).status == 0)
  }

  @Test("verify reports a damaged archive")
  func damagedArchive() throws {
    let sample = try Sample()
    try sample.build()
    var bytes = try sample.folder.bytes("out.mbtiles")
    bytes.replaceSubrange(8192..<8704, with: repeatElement(0x55, count: 512))
    try Data(bytes).write(to: sample.folder.url.appendingPathComponent("out.mbtiles"))
    let run = try Program.run("verify", sample.archive)
    #expect(run.status == 65 && !run.errors.isEmpty)
    #expect(try Program.run("verify", sample.folder.path("none.mbtiles")).status == 66)
    let text = try Program.run("verify", sample.folder.path("places.csv"))
    #expect(text.status == 65)
  }
}
