import Foundation
import TestSupport
import Testing

@Suite("Metrics of runs")
struct MetricsTests {
  @Test("metrics have the outcome of every run, and keep what still holds of the archive in place")
  func outcomes() throws {
    let sample = try Sample()
    func run(_ options: String...) throws -> Metrics {
      _ = try Program.Run(
        ["build", "-q", sample.pipeline, "--metrics", "out.prom"] + options, in: sample.folder
      ).finish()
      #expect(try sample.leftovers() == ["out.prom"])
      return try Metrics(sample.folder.bytes("out.prom"))
    }
    let first = try run()
    let report = try sample.report()
    #expect(first["last_run_exit_code"] == 0 && first["last_run_unchanged"] == 0)
    #expect(first["last_run_timestamp_seconds"] == first["last_success_timestamp_seconds"])
    let now = Date().timeIntervalSince1970
    #expect(abs((first["last_run_timestamp_seconds"] ?? 0) - now) < 600)
    #expect(first["source_records", "source=\"places\",outcome=\"used\""] == 400)
    #expect(
      first["tiles", "archive=\"\(sample.archive)\",kind=\"planned\""]
        == Double(report.tiles.planned))
    #expect(
      first["archive_bytes", "archive=\"\(sample.archive)\""] == Double(report.archive.bytes))
    #expect((first["last_run_stage_seconds", "stage=\"tiles\""] ?? -1) >= 0)

    let second = try run()
    #expect(second["last_run_unchanged"] == 1 && second["last_run_exit_code"] == 0)
    #expect(second["source_records", "source=\"places\",outcome=\"used\""] == 400)
    #expect(second["last_run_stage_seconds", "stage=\"tiles\""] == nil)

    let row = ["1,95,North,1"]
    try sample.folder.write(Sample.csv(Sample.rows(400) + row), to: "places.csv")
    let third = try run()
    #expect(third["last_run_exit_code"] == 65 && third["last_run_unchanged"] == 0)
    #expect(third["last_success_timestamp_seconds"] == second["last_success_timestamp_seconds"])
    #expect(
      (third["last_run_timestamp_seconds"] ?? 0) > (second["last_run_timestamp_seconds"] ?? 0))
    #expect(third["source_records", "source=\"places\",outcome=\"used\""] == 400)
    #expect(
      third["archive_bytes", "archive=\"\(sample.archive)\""] == Double(report.archive.bytes))

    // A file that cannot be read has no name; the last metrics know it.
    try sample.folder.write("sources: [", to: "sample.yml")
    let fourth = try run()
    #expect(fourth["last_run_exit_code"] == 78)
    #expect(fourth["last_success_timestamp_seconds"] == second["last_success_timestamp_seconds"])
  }

  @Test("metrics of an unchanged archive are its own, whatever the last metrics and its report say")
  func standing() throws {
    let sample = try Sample()
    let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
    try sample.folder.write(
      text.replacing("data: places.csv", with: "data: places.csv\n    onError: {max: 9}"),
      to: "sample.yml")
    func run(_ options: String...) throws {
      let run = try Program.Run(["build", "-q", sample.pipeline] + options, in: sample.folder)
      #expect(try run.finish().status == 0)
    }
    func metrics() throws -> Metrics {
      try run("--metrics", "out.prom")
      return try Metrics(sample.folder.bytes("out.prom"))
    }
    let places = "source=\"places\",outcome="
    #expect(try metrics()["source_records", places + "\"used\""] == 400)
    try sample.folder.write(Sample.csv(Sample.rows(300) + ["1,95,North,1"]), to: "places.csv")
    try run()
    let report = try sample.report()
    for lost in [[], ["out.prom"], ["out.report.json"], ["out.prom", "out.report.json"]] {
      for name in lost {
        try FileManager.default.removeItem(atPath: sample.folder.path(name))
      }
      let now = try metrics()
      #expect(now["last_run_unchanged"] == 1)
      #expect(now["source_records", places + "\"used\""] == 300)
      #expect(now["source_records", places + "\"rejected\""] == 1)
      let planned = now["tiles", "archive=\"\(sample.archive)\",kind=\"planned\""]
      #expect(planned == Double(report.tiles.planned))
    }
    // The report was made anew from the archive.
    let again = try sample.report()
    #expect(again.result == "unchanged" && again.sources["places"]?.used == 300)
    #expect(again.sources["places"]?.balances == true)
    #expect(again.zooms.map(\.tiles) == report.zooms.map(\.tiles))
    #expect(again.zooms.map(\.bytes) == report.zooms.map(\.bytes))
    #expect(again.tiles.planned == report.tiles.planned)
    #expect(again.tiles.distinct == report.tiles.distinct)
    // Nothing of it is rejected any more.
    try sample.folder.write(Sample.csv(Sample.rows(200)), to: "places.csv")
    _ = try metrics()
    let prom = String(decoding: try sample.folder.bytes("out.prom"), as: UTF8.self)
    #expect(!prom.contains("quadrille_source_rejected_records"))
  }

  @Test(
    "metrics of several pipelines are in one file; one that the run did not reach keeps its own")
  func several() throws {
    let sample = try Sample()
    let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
    try sample.folder.write(
      text.replacing("name: sample", with: "name: 'a \"quoted\" \\ name'").replacing(
        "path: out", with: "path: a"), to: "a.yml")
    func run() throws -> Metrics {
      _ = try Program.run(
        "build", "-q", "sample.yml", "a.yml", "--metrics", "out.prom", in: sample.folder)
      return try Metrics(sample.folder.bytes("out.prom"))
    }
    let first = try run()
    let quoted = #"a \"quoted\" \\ name"#
    #expect(first["last_run_exit_code"] == 0)
    #expect(first["last_run_exit_code", "", pipeline: quoted] == 0)
    try sample.folder.write(
      text.replacing("name: sample", with: "name: 'a \"quoted\" \\ name'").replacing(
        "data: places.csv", with: "data: none.csv"
      ).replacing("path: out", with: "path: a"), to: "a.yml")
    let second = try run()
    #expect(second["last_run_exit_code", "", pipeline: quoted] == 66)
    #expect(second["last_run_exit_code"] == 0)
    #expect(second["last_run_timestamp_seconds"] == first["last_run_timestamp_seconds"])
  }

  @Test("metrics have the exit code of a run that skipped all archives or cannot write its report")
  func ends() throws {
    let sample = try Sample()
    func run(_ options: String...) throws -> (status: Int32, metrics: Metrics) {
      let run = try Program.Run(
        ["build", "-q", sample.pipeline, "--metrics", "out.prom"] + options, in: sample.folder
      ).finish()
      return (run.status, try Metrics(sample.folder.bytes("out.prom")))
    }
    let unreported = try run("--report", "no/such/r.json")
    #expect(unreported.status == 73 && unreported.metrics["last_run_exit_code"] == 73)
    let lock = try FileLockHolder(sample.folder.path(".out.mbtiles.lock"))
    let skipping = try run("--if-locked", "skip")
    lock.release()
    #expect(skipping.status == 0 && skipping.metrics["last_success_timestamp_seconds"] == 0)
    let label = "archive=\"\(sample.archive)\""
    let bytes = skipping.metrics["archive_bytes", label] ?? 0
    #expect(bytes > 0 && bytes == unreported.metrics["archive_bytes", label])
  }

  @Test("metrics replace a file of another program or a damaged one")
  func damaged() throws {
    let sample = try Sample()
    for text in ["", "other 1\n", "quadrille_archive_bytes{pipeline=\"sample\"", "\u{0}\u{1}"] {
      try sample.folder.write(text, to: "out.prom")
      let run = try Program.run(
        "build", "-q", sample.pipeline, "--metrics", "out.prom", in: sample.folder)
      #expect(run.status == 0)
      #expect(try Metrics(sample.folder.bytes("out.prom"))["last_run_exit_code"] == 0)
    }
  }
}

/// A file of metrics as a collector reads it: every line has its form, and no sample comes twice.
struct Metrics {
  private var values: [String: Double] = [:]

  init(_ bytes: [UInt8]) throws {
    var family = ""
    for line in String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: true)
    {
      if line.hasPrefix("# TYPE ") {
        family = String(line.split(separator: " ")[2])
        guard line.hasSuffix(" gauge") else { throw SampleFailure(message: "\(line)") }
      } else if !line.hasPrefix("# HELP ") {
        guard let end = line.lastIndex(of: "}"), line.hasPrefix("\(family){"),
          let value = Double(line[line.index(end, offsetBy: 2)...]),
          values.updateValue(value, forKey: String(line[...end])) == nil
        else { throw SampleFailure(message: "no sample of \(family): \(line)") }
      }
    }
    guard !values.isEmpty else { throw SampleFailure(message: "no metrics") }
  }

  /// The value of `quadrille_NAME{pipeline="…",LABELS}`.
  subscript(_ name: String, _ labels: String = "", pipeline pipeline: String = "sample") -> Double?
  {
    let rest = labels.isEmpty ? "" : ",\(labels)"
    return values["quadrille_\(name){pipeline=\"\(pipeline)\"\(rest)}"]
  }
}
