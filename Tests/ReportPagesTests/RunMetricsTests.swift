import Features
import Testing

@testable import ReportPages
@testable import Reports
@testable import Runs

@Suite("The text of metrics")
struct RunMetricsTests {
  private func outcome(_ name: String?, file: String = "a.yml", code: Int32? = 0)
    -> PipelineOutcome
  {
    var outcome = PipelineOutcome(file: file)
    outcome.name = name
    outcome.exitCode = code
    if code == 0 {
      var report = BuildReport(
        pipeline: name ?? "", result: .published,
        archive: ArchiveReport(path: "a.mbtiles", bytes: 7))
      var source = SourceReport(name: "s", file: "s.csv", ledger: SourceLedger())
      source.ledger.read = 5
      source.ledger.used = 5
      report.sources = [source]
      outcome.reports = [report]
    }
    return outcome
  }

  private func samples(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter { !$0.hasPrefix("#") }
  }

  @Test("metrics have each family once, with help and type before its samples")
  func form() {
    let text = RunMetrics([outcome("one"), outcome("two", file: "b.yml")], last: "", time: 12.5)
      .text
    var seen: Set<Substring> = []
    var family: Substring = ""
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix("# TYPE") {
        family = words[2]
        #expect(seen.insert(family).inserted)
      } else if !line.hasPrefix("#") {
        #expect(line.hasPrefix("\(family){pipeline=\""))
      }
    }
    #expect(Set(samples(text)).count == samples(text).count)
    #expect(text.contains("quadrille_last_run_timestamp_seconds{pipeline=\"one\"} 12.5\n"))
    #expect(text.contains("{pipeline=\"two\",source=\"s\",outcome=\"used\"} 5\n"))
  }

  @Test(
    "metric labels are escaped, and parsed back",
    arguments: ["a \"b\"", "back\\slash", "line\nfeed", "\\n", "ü", "a}b", "x\",file=\"a.yml\","])
  func escapes(name: String) {
    let first = RunMetrics([outcome(name)], last: "", time: 1).text
    // The file cannot be read now: the name comes from the last metrics.
    let second = RunMetrics([outcome(nil, code: 78)], last: first, time: 2).text
    let label = MetricSample.escaped(name)
    #expect(second.contains("quadrille_last_run_exit_code{pipeline=\"\(label)\"} 78\n"))
    #expect(second.contains("quadrille_last_success_timestamp_seconds{pipeline=\"\(label)\"} 1\n"))
    #expect(
      second.contains("quadrille_archive_bytes{pipeline=\"\(label)\",archive=\"a.mbtiles\"} 7\n"))
    #expect(MetricSample.unescaped(label) == name)
  }

  @Test(
    "a run that got no farther than the last is stalled, others are not",
    arguments: [(0, 0), (75, 0), (76, 1)] as [(Int32, Int)])
  func stalled(code: Int32, value: Int) {
    let text = RunMetrics([outcome("a", code: code)], last: "", time: 1).text
    #expect(text.contains("quadrille_stalled{pipeline=\"a\"} \(value)\n"))
  }

  @Test("metrics distinguish pipelines of one name by their files")
  func names() {
    let text = RunMetrics([outcome("x"), outcome("x", file: "b.yml")], last: "", time: 1).text
    #expect(text.contains("exit_code{pipeline=\"x\"} 0\n"))
    #expect(text.contains("exit_code{pipeline=\"x (b.yml)\"} 0\n"))
  }

  @Test("metrics keep all samples of a pipeline that the run did not reach, and none of another's")
  func unreached() {
    let first = RunMetrics([outcome("x"), outcome("xy", file: "b.yml")], last: "", time: 1).text
    let second = RunMetrics(
      [outcome("x", code: 65), outcome(nil, file: "b.yml", code: nil)], last: first, time: 2
    ).text
    let own = { (text: String, name: String) in
      self.samples(text).filter { $0.contains("{pipeline=\"\(name)\"") }
    }
    #expect(own(second, "xy") == own(first, "xy"))
    #expect(second.contains("exit_code{pipeline=\"x\"} 65\n"))
    #expect(RunMetrics([outcome("z", code: 66)], last: first, time: 3).text.contains("xy") == false)
  }

  @Test(
    "metrics keep the description of a skipped or unchanged archive")
  func skipped() {
    func report(_ path: String, _ result: BuildReport.Result, tiles: Int) -> BuildReport {
      var report = BuildReport(
        pipeline: "x", result: result, archive: ArchiveReport(path: path, bytes: tiles))
      report.tiles.planned = tiles
      return report
    }
    func text(_ reports: [BuildReport], last: String) -> String {
      var outcome = self.outcome("x")
      outcome.reports = reports
      return RunMetrics([outcome], last: last, time: 9).text
    }
    let first = text(
      [report("a", .published, tiles: 3), report("b", .published, tiles: 4)], last: "")
    let second = text(
      [report("a", .skipped, tiles: 0), report("b", .skipped, tiles: 0)], last: first)
    let isOfArchive = { (line: Substring) in !line.contains("last_run_") }
    #expect(samples(second).filter(isOfArchive) == samples(first).filter(isOfArchive))
    let third = text(
      [report("a", .unchanged, tiles: 0), report("b", .published, tiles: 5)], last: second)
    let planned = samples(third).filter { $0.contains("kind=\"planned\"") }.map { $0.suffix(3) }
    #expect(planned.sorted() == ["} 3", "} 5"], "\(third)")
    #expect(third.contains("archive_bytes{pipeline=\"x\",archive=\"a\"} 0\n"))
    let fourth = text([report("b", .published, tiles: 6)], last: third)
    #expect(!fourth.contains("archive=\"a\""))
  }

  @Test("metrics never have a sample twice, however often a file is named")
  func repeated() {
    let text = RunMetrics(Array(repeating: outcome("x"), count: 4), last: "", time: 1).text
    #expect(Set(samples(text)).count == samples(text).count)
  }

  @Test("metrics have 0 for a success that never was, and redact secrets")
  func never() {
    var list = RedactionList()
    list.add("hushhush")
    let text = RunMetrics(
      [outcome("hushhush", code: 69)], last: "", time: 3, redactions: list
    ).text
    #expect(text.contains("last_success_timestamp_seconds{pipeline=\"***\"} 0\n"))
    #expect(!text.contains("hushhush"))
  }
}
