import Foundation
import TestSupport
import Testing

@Suite("Reports and explanations on the command line")
struct ReportCommandTests {
  @Test("a run writes a page and JSON, and 'why' answers about its archive")
  func both() throws {
    let sample = try Sample(rows: 50)
    let run = try Program.run(
      "build", "-q", "sample.yml", "-z", "3", "--report", "r.html", "--report", "r.json",
      in: sample.folder)
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty)
    let page = String(decoding: try sample.folder.bytes("r.html"), as: UTF8.self)
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("</html>\n"))
    let json = try JSONSerialization.jsonObject(with: Data(sample.folder.bytes("r.json")))
    let members = try #require(json as? [String: Any])
    let archive = try #require(members["archive"] as? [String: Any])
    #expect(page.contains(try #require(archive["sha256"] as? String)))
    let why = try Program.run("why", "sample.yml", "0/0/0", "--json", in: sample.folder)
    #expect(why.status == 0 && why.errors.isEmpty)
    let answer = try #require(
      try JSONSerialization.jsonObject(with: Data(why.output.utf8)) as? [String: Any])
    #expect((answer["archive"] as? [String: Any])?["isSame"] as? Bool == true)
    #expect((answer["drawn"] as? Int ?? 0) > 0)
  }

  @Test("a report without a folder fails the run and says that the archive is published")
  func nowhere() throws {
    let sample = try Sample(rows: 5)
    let run = try Program.run(
      "build", "-q", "sample.yml", "-z", "1", "--report", "no/such/r.json", in: sample.folder)
    #expect(run.status == 73)
    #expect(run.errors.contains("the archives are published, but this report is not: the file"))
    #expect(FileManager.default.fileExists(atPath: sample.archive))
  }

  @Test(
    "reports never overwrite a file of the pipeline",
    arguments: [
      ["tile", "sample.yml", "0/0/0", "-o"],
      ["render", "sample.yml", "--center", "0,0", "--zoom", "1", "--size", "8x8", "-o"],
      ["query", "sample.yml", "-o"], ["build", "sample.yml", "-f", "--report"],
    ])
  func guarded(command: [String]) throws {
    let sample = try Sample(rows: 5)
    let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
    try sample.folder.write(
      """
      version: 1
      sources: {more: {type: csv, data: places.csv}}
      layers: [{id: more, type: circle, source: more}]

      """, to: "other.yml")
    try sample.folder.write(text + "\ninclude: other.yml\n", to: "sample.yml")
    try sample.build()
    try FileManager.default.linkItem(atPath: sample.archive, toPath: sample.folder.path("link"))
    try FileManager.default.copyItem(
      atPath: sample.archive, toPath: sample.folder.path("foreign.mbtiles"))
    let targets = [
      "out.mbtiles", "places.csv", "sample.yml", "./x/../places.csv", "link", "foreign.mbtiles",
      "other.yml", "out.legend.png", sample.archive,
    ]
    let names = try sample.folder.names()
    let files = ["out.mbtiles", "places.csv", "sample.yml", "foreign.mbtiles", "out.legend.png"]
    let before = try files.map(sample.folder.bytes)
    for target in targets {
      let run = try Program.Run(command + [target], in: sample.folder).finish()
      #expect(run.status == 64, "\(target): \(run.errors)")
      #expect(run.errors.contains("'\(target)' is "), "\(run.errors)")
      #expect(run.errors.contains("Name another file with \(command.last ?? "")"))
    }
    #expect(try files.map(sample.folder.bytes) == before)
    #expect(try sample.folder.names() == names)
    // An archive that is not there yet is no place for a report either.
    for name in ["out.mbtiles", "out.report.json"] {
      try FileManager.default.removeItem(atPath: sample.folder.path(name))
    }
    let run = try Program.Run(command + [sample.archive], in: sample.folder).finish()
    #expect(run.status == 64, "\(run.errors)")
    #expect(try Program.Run(command + ["mine"], in: sample.folder).finish().status == 0)
  }

  @Test("a report and metrics must be different files")
  func twice() throws {
    let sample = try Sample(rows: 5)
    for targets in [
      ["--report", "a.prom", "--metrics", "./a.prom"],
      ["--report", "r.json", "--report", "r.json"],
    ] {
      let run = try Program.Run(["build", "sample.yml"] + targets, in: sample.folder).finish()
      #expect(run.status == 64 && run.errors.contains("is named twice"), "\(run.errors)")
    }
    #expect(try sample.folder.names() == ["places.csv", "sample.yml"])
  }

  @Test(
    "nothing is written under the name of another format",
    arguments: [
      ["build", "sample.yml", "--report", "r.pdf"], ["query", "sample.yml", "-o", "q.csv"],
      ["query", "sample.yml", "-o", "q.shp"],
      ["query", "sample.yml", "--format", "csv", "-o", "q.geojson"],
      ["new", "places.csv", "-o", "p.json"],
    ])
  func formats(arguments: [String]) throws {
    let sample = try Sample(rows: 5)
    let run = try Program.Run(arguments, in: sample.folder).finish()
    #expect(run.status == 64 && run.errors.contains(" ends in ."), "\(run.errors)")
    #expect(try sample.folder.names() == ["places.csv", "sample.yml"])
  }

  @Test(
    "'why' without a place or with a wrong one is a usage error",
    arguments: [
      ["why", "sample.yml"], ["why", "sample.yml", "0/0"],
      ["why", "sample.yml", "0/0/0", "--feature", "a"],
    ])
  func usage(arguments: [String]) throws {
    let sample = try Sample(rows: 5)
    #expect(try Program.Run(arguments, in: sample.folder).finish().status == 64)
  }
}
