import Foundation
import TestSupport
import Testing

@Suite("Reports and explanations on the command line")
struct ReportCommandTests {
  @Test("a run writes a page and JSON, and 'why' answers about the archive that it made")
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
    "'why' without a place or with a wrong one is a matter of usage",
    arguments: [
      ["why", "sample.yml"], ["why", "sample.yml", "0/0"],
      ["why", "sample.yml", "0/0/0", "--feature", "a"],
    ])
  func usage(arguments: [String]) throws {
    let sample = try Sample(rows: 5)
    #expect(try Program.Run(arguments, in: sample.folder).finish().status == 64)
  }
}
