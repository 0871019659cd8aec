import Foundation
import TestSupport
import Testing

@Suite("A signal during a build")
struct SignalTests {
  @Test(
    "ends it, leaves nothing behind, and keeps the old archive", arguments: [SIGTERM, SIGINT])
  func ends(signal: Int32) throws {
    var settings = Sample.Settings()
    let sample = try Sample(settings)
    try sample.build()
    let before = try sample.folder.bytes("out.mbtiles")
    // Each of 20,000 points alone down to zoom 16: many seconds of work.
    settings.source = "cluster: false"
    settings.tiles = "maxzoom: 16"
    try sample.folder.write(Sample.yaml(settings), to: "sample.yml")
    try sample.folder.write(Sample.csv(Sample.rows(20_000)), to: "places.csv")
    let run = try Program.Run(["build", sample.pipeline], in: sample.folder)
    try waitForTemporaryFile(of: sample, while: run.process)
    kill(run.process.processIdentifier, signal)
    let outcome = try run.finish()
    #expect(outcome.status == 128 + signal, "\(outcome.errors)")
    #expect(outcome.errors.contains("signal \(signal)") && outcome.errorLines.count == 1)
    #expect(outcome.output.isEmpty)
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    #expect(try !sample.folder.names().contains { $0.contains("tmp") })
  }

  /// Returns as soon as tiles are being written.
  private func waitForTemporaryFile(of sample: Sample, while process: Process) throws {
    while process.isRunning {
      if try sample.folder.names().contains(where: { $0.contains(".tmp-") }) { return }
      usleep(2000)
    }
    throw SampleFailure(message: "the build ended before the signal")
  }
}
