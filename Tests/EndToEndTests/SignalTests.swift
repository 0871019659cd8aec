import Foundation
import TestSupport
import Testing

@Suite("A signal during a build")
struct SignalTests {
  @Test(
    "a signal ends a build in any stage, leaves nothing behind, and keeps the old archive",
    arguments: [
      ("ingest", SIGTERM), ("cluster", SIGINT), ("scene", SIGTERM), ("tiles", SIGTERM),
      ("tiles", SIGINT), ("tiles", SIGHUP), ("index", SIGINT), ("verify", SIGTERM),
    ])
  func ends(stage: String, signal: Int32) throws {
    let sample = try Sample.withWork()
    let before = try sample.folder.bytes("out.mbtiles")
    let run = try Program.Run(
      ["build", sample.pipeline, "--progress", "json"], in: sample.folder)
    try run.wait(forStage: stage)
    kill(run.process.processIdentifier, signal)
    let outcome = try run.finish()
    #expect(outcome.status == 128 + signal, "\(outcome.errors)")
    let said = outcome.errorLines.filter { $0.hasPrefix("error: ") }
    #expect(said.count == 1 && said.first?.contains("signal \(signal)") == true)
    #expect(outcome.output.isEmpty)
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    #expect(try sample.leftovers().isEmpty)
  }

  @Test("a build that was started with SIGHUP ignored, as by nohup, goes on after it")
  func hangup() throws {
    let sample = try Sample.withWork()
    let run = try Program.Run(
      ["build", sample.pipeline, "--progress", "json"], in: sample.folder,
      launcher: ["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"])
    try run.wait(forStage: "ingest")
    kill(run.process.processIdentifier, SIGHUP)
    try run.wait(forStage: "tiles")
    kill(run.process.processIdentifier, SIGTERM)
    #expect(try run.finish().status == 143)
  }

  @Test("a signal ends a build's waiting for a server")
  func fetching() throws {
    let server = try LocalServer { _, connection in
      // Nothing is ever answered.
      connection.wait(milliseconds: 5000)
    }
    let sample = try Sample()
    let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
    try sample.folder.write(
      text.replacing("data: places.csv", with: "data: http://127.0.0.1:\(server.port)/places.csv"),
      to: "sample.yml")
    let run = try Program.Run(["build", sample.pipeline, "--progress", "json"], in: sample.folder)
    try run.wait(forStage: "fetch")
    kill(run.process.processIdentifier, SIGTERM)
    let outcome = try run.finish()
    #expect(outcome.status == 143, "\(outcome.errors)")
    #expect(try sample.leftovers().isEmpty)
  }

  @Test("a signal ends the verification of an archive")
  func verification() throws {
    let sample = try Sample.withWork()
    #expect(try Program.run("build", "-q", sample.pipeline, "-z", "13").status == 0)
    let run = try Program.Run(["verify", sample.archive, "--progress", "json"], in: sample.folder)
    try run.wait(forStage: "verify")
    kill(run.process.processIdentifier, SIGTERM)
    #expect(try run.finish().status == 143)
  }
}

@Suite("A build with --max-seconds")
struct TimeLimitTests {
  @Test(
    "--max-seconds ends a build cleanly with 75, reports its progress, and keeps the old archive")
  func ends() throws {
    let sample = try Sample.withWork()
    let before = try sample.folder.bytes("out.mbtiles")
    // A slow machine may come to no stage at first.
    var limits = ["0.3", "1.5", "8", "40"][...]
    var limit = limits.removeFirst()
    func build() throws -> Program.Outcome {
      try Program.run(
        "build", sample.pipeline, "--max-seconds", limit, "--metrics", "out.prom",
        in: sample.folder)
    }
    var run = try build()
    while run.errors.contains("--max-seconds \(limit); "), let longer = limits.popFirst() {
      limit = longer
      run = try build()
    }
    #expect(run.status == 75)
    #expect(
      run.errorLines.count == 1 && run.errors.contains("--max-seconds \(limit) "),
      "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    #expect(try sample.leftovers() == ["out.prom"])
    let metrics = String(decoding: try sample.folder.bytes("out.prom"), as: UTF8.self)
    #expect(metrics.contains("quadrille_last_run_exit_code{pipeline=\"sample\"} 75\n"))
  }

  @Test("a build within --max-seconds publishes")
  func inTime() throws {
    let sample = try Sample()
    #expect(try Program.run("build", "-q", sample.pipeline, "--max-seconds", "600").status == 0)
    #expect(try Program.run("verify", "-q", sample.archive).status == 0)
  }
}

extension Sample {
  /// A sample with a small archive in place and many seconds of work ahead: each of 8,000 points
  /// alone down to zoom 16.
  static func withWork() throws -> Sample {
    var settings = Settings()
    let sample = try Sample(settings)
    try sample.build()
    settings.source = "cluster: true\n    clusterMaxZoom: 4"
    settings.tiles = "maxzoom: 16"
    try sample.folder.write(yaml(settings), to: "sample.yml")
    try sample.folder.write(csv(rows(8_000)), to: "places.csv")
    return sample
  }

  /// Files that are neither the sample's, nor its archive or what stands beside that, nor of a cache.
  func leftovers() throws -> [String] {
    let known = [
      "sample.yml", "places.csv", "out.mbtiles", "out.report.json", "out.tilejson",
      "out.style.json", "out.legend.json", "out.legend.png", ".quadrille-cache",
    ]
    return try folder.names().filter { !known.contains($0) }
  }
}

extension Program.Run {
  /// Returns when a line of progress tells that a stage has begun.
  func wait(forStage stage: String) throws {
    while process.isRunning {
      if errorsSoFar.contains("\"stage\": \"\(stage)\"") { return }
      usleep(1000)
    }
    throw SampleFailure(message: "the run ended before stage \(stage): \(errorsSoFar)")
  }
}
