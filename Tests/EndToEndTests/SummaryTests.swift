import Foundation
import TestSupport
import Testing

@Suite("The lines after a build")
struct SummaryTests {
  @Test("are five, and say what was rejected and what to type next")
  func lines() throws {
    var settings = Sample.Settings()
    settings.source = "onError: {max: 3}"
    let sample = try Sample(settings)
    try sample.folder.write(
      Sample.csv(Sample.rows(100) + ["x,1,Nowhere,2", "1,95,North,1"]), to: "places.csv")
    let run = try Program.run("build", "sample.yml", in: sample.folder)
    let lines = run.output.split(separator: "\n")
    try #require(run.status == 0 && lines.count == 5, "\(run)")
    #expect(lines[0].wholeMatch(of: /sample: published in \d+\.\d{3} s/) != nil)
    #expect(lines[1].wholeMatch(of: #/  archive  out\.mbtiles, [\d.]+ [kM]B/#) != nil)
    #expect(lines[2].wholeMatch(of: #/  tiles    [\d,]+ in zooms \d+ to \d+/#) != nil)
    #expect(
      lines[3].hasPrefix("  records  102 read, 100 used, 2 rejected, the first is places.csv:"))
    #expect(lines[4] == "  next     quadrille preview out.mbtiles")
    let again = try Program.run("build", "sample.yml", in: sample.folder).output
    #expect(again.hasPrefix("sample: unchanged\n  archive  out.mbtiles, "), "\(again)")
    let forced = try Program.run("build", "sample.yml", "-f", in: sample.folder).output
    #expect(forced.contains("; none changed\n"), "\(forced)")
  }

  @Test("are the tables with -v")
  func tables() throws {
    let sample = try Sample(rows: 30)
    let run = try Program.run("build", "sample.yml", "-v", in: sample.folder)
    #expect(run.status == 0 && run.output.hasPrefix("sample: published\n\n  source "), "\(run)")
    for column in ["distinct", "seconds", "digest"] { #expect(run.output.contains(column)) }
  }

  @Test("name one command for all densities")
  func densities() throws {
    var settings = Sample.Settings()
    settings.tiles += "\n  scale: [1, 2]"
    let sample = try Sample(rows: 30, settings)
    let run = try Program.run("build", "sample.yml", in: sample.folder)
    #expect(run.status == 0, "\(run)")
    #expect(run.output.split(separator: "\n").count == 9, "\(run)")
    #expect(run.output.hasSuffix("\n  next     quadrille preview out.mbtiles\n"), "\(run)")
  }
}
