import Foundation
import TestSupport
import Testing

@Suite("A quiet run")
struct QuietTests {
  /// Arguments of commands whose answer is a message or goes to a file.
  static let commands = [
    ["check", "sample.yml"], ["plan", "sample.yml"], ["build", "sample.yml"],
    ["build", "sample.yml"],
    ["build", "--force", "sample.yml", "--report", "r.json", "--metrics", "m.prom"],
    ["inspect", "out.mbtiles"], ["verify", "out.mbtiles"],
    ["query", "sample.yml", "-o", "q.geojson"], ["tile", "sample.yml", "0/0/0", "-o", "t.png"],
    [
      "render", "sample.yml", "--center=13,52", "--zoom", "3", "--size", "64x64", "-o", "v.png",
    ],
  ]

  @Test("a quiet run prints nothing on success, whichever the command and the form of the log")
  func silence() throws {
    // Rejected records within the tolerance are no reason to speak either.
    var settings = Sample.Settings()
    settings.source = "onError: {max: 3}\n    cluster: true"
    let sample = try Sample(settings)
    try sample.folder.write(
      Sample.csv(Sample.rows(100) + ["1,95,North,1", "x,1,Nowhere,2"]), to: "places.csv")
    for command in Self.commands {
      for log in ["text", "json"] {
        let run = try Program.Run(
          command + ["-q", "--log-format", log], in: sample.folder
        ).finish()
        #expect(run.status == 0, "\(command) \(run.errors)")
        #expect(run.output.isEmpty && run.errors.isEmpty, "\(command) \(run.output) \(run.errors)")
      }
    }
    let rejected = ["latitude_out_of_range": 1, "invalid_coordinate": 1]
    #expect(try sample.report("r.json").sources["places"]?.rejected == rejected)
    let metrics = String(decoding: try sample.folder.bytes("m.prom"), as: UTF8.self)
    for reason in rejected.keys {
      #expect(
        metrics.contains(
          "quadrille_source_rejected_records{pipeline=\"sample\",source=\"places\",reason=\"\(reason)\"} 1\n"
        ))
    }
  }

  @Test("a quiet run prints the requested data, and nothing else")
  func data() throws {
    let sample = try Sample()
    let run = try Program.run("query", sample.pipeline, "-q", "--limit", "2")
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try PointCollection(run.output).features.count == 2)
    #expect(try !Program.run("schema", "-q").output.isEmpty)
  }

  @Test("a quiet run prints a result as JSON, which is only made when it is asked for")
  func json() throws {
    let sample = try Sample()
    try sample.build()
    for command in [
      ["plan", sample.pipeline, "--json"], ["check", sample.pipeline, "--format", "json"],
      ["diff", sample.archive, sample.archive, "--format", "json"],
      ["diff", sample.archive, sample.archive, "--format", "ndjson"],
    ] {
      let run = try Program.Run(command + ["-q"], in: sample.folder).finish()
      #expect(run.status == 0 && run.errors.isEmpty, "\(command) \(run.errors)")
      #expect(run.output.hasPrefix("{") && run.output.hasSuffix("}\n"), "\(run.output)")
    }
  }

  @Test("a quiet run prints errors")
  func errors() throws {
    let sample = try Sample()
    try sample.build()
    try sample.folder.write("nonsense", to: "out.mbtiles")
    let verified = try Program.run("verify", "-q", sample.archive)
    #expect(verified.status == 65 && verified.errorLines.count == 2, "\(verified.errors)")
    try FileManager.default.removeItem(atPath: sample.folder.path("places.csv"))
    for command in ["build", "check", "plan", "query"] {
      let run = try Program.run(command, "-q", sample.pipeline)
      #expect(run.status == 66 && run.output.isEmpty, "\(command) \(run.errors)")
      #expect(run.errorLines.count == 1 && run.errors.hasPrefix("error: "))
    }
  }
}
