import Foundation
import TestSupport
import Testing

@Suite("A log in JSON")
struct LogTests {
  /// The keys that every line or some lines have.
  struct Line: Decodable {
    var time: String
    var level: String
    var event: String
    var command: String?
    var message: String?
    var code: String?
    var exitCode: Int32?
    var stage: String?
    var result: String?
    var digest: String?
    var archive: String?
    var seconds: Double?
  }

  private func lines(_ run: Program.Outcome) throws -> [Line] {
    try run.errorLines.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
  }

  @Test(
    "a JSON log has an object on every line, from the start to the end, with the archive's outcome")
  func success() throws {
    let sample = try Sample()
    for (result, progress) in [("published", "json"), ("unchanged", "auto"), ("unchanged", "bar")] {
      let run = try Program.run(
        "build", sample.pipeline, "--log-format", "json", "--progress", progress, "-v")
      let lines = try lines(run)
      #expect(lines.first?.event == "start" && lines.first?.command == "build")
      #expect(lines.last?.event == "end" && lines.last?.exitCode == 0)
      #expect(lines.last?.seconds != nil)
      let results = lines.filter { $0.event == "result" }
      #expect(results.map(\.result) == [result] && results[0].archive == sample.archive)
      #expect(results[0].digest == (try sample.report().archive.digest))
      if result == "published" {
        #expect(lines.contains { $0.event == "progress" && $0.stage == "tiles" })
        #expect(lines.contains { $0.event == "message" && $0.level == "note" })
      }
      for line in lines {
        #expect(line.time.hasSuffix("Z") && line.time.count == 24, "\(line.time)")
        #expect(["info", "note"].contains(line.level))
      }
    }
  }

  @Test(
    "a JSON log has an error with its code, and with -q nothing else", arguments: [false, true])
  func failure(isQuiet: Bool) throws {
    let sample = try Sample()
    try FileManager.default.removeItem(atPath: sample.folder.path("places.csv"))
    let run = try Program.Run(
      ["build", sample.pipeline, "--log-format=json"] + (isQuiet ? ["-q"] : [])
    ).finish()
    let lines = try lines(run)
    #expect(run.status == 66)
    #expect(lines.map(\.event) == (isQuiet ? ["message"] : ["start", "message", "end"]))
    let error = try #require(lines.first { $0.level == "error" })
    #expect(error.code == "missingInput" && error.exitCode == 66)
    #expect(error.message?.isEmpty == false)
    if !isQuiet { #expect(lines.last?.exitCode == 66) }
  }

  @Test("a JSON log also has errors of the command line")
  func usage() throws {
    for form in [["--log-format", "json"], ["--log-format=json"]] {
      let run = try Program.Run(["build"] + form + ["--colour", "x.yml"]).finish()
      #expect(run.status == 64)
      let lines = try lines(run)
      #expect(lines.count == 1 && lines[0].code == "usage", "\(run.errors)")
    }
  }

  @Test("a JSON log contains no secret")
  func secrets() throws {
    let sample = try Sample()
    let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
    try sample.folder.write(
      text.replacing("path: out.mbtiles", with: "path: out-${KEY}.mbtiles"), to: "sample.yml")
    let run = try Program.run(
      "build", sample.pipeline, "--log-format", "json", "--metrics", sample.folder.path("m.prom"),
      environment: ["KEY": "hushhush"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try lines(run).contains { $0.archive?.contains("***") == true })
    let metrics = String(decoding: try sample.folder.bytes("m.prom"), as: UTF8.self)
    #expect(!run.errors.contains("hushhush") && !metrics.contains("hushhush"))
  }
}
