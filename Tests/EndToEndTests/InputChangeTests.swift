import Foundation
import TestSupport
import Testing

@Suite("An input that something writes to during a build")
struct InputChangeTests {
  @Test("a build whose input changes ends with 74, its archive stays, the next run reads all of it")
  func appended() throws {
    var settings = Sample.Settings()
    settings.source = "cluster: false"
    settings.tiles = "maxzoom: 11"
    let sample = try Sample(rows: 4000, settings)
    try sample.folder.write("old", to: "out.mbtiles")
    let run = try Program.Run(["build", "-q", sample.pipeline], in: sample.folder)
    while run.process.isRunning,
      try !sample.folder.names().contains(where: { $0.contains(".mbtiles.tmp-") })
    {
      usleep(2000)
    }
    let file = try FileHandle(forWritingTo: sample.folder.url.appendingPathComponent("places.csv"))
    try file.seekToEnd()
    try file.write(contentsOf: Data("\n7,8,late,1\n".utf8))
    try file.close()
    let outcome = try run.finish()
    #expect(outcome.status == 74, "\(outcome.errors)")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("places.csv: changed while it was read; run again"))
    #expect(try sample.folder.bytes("out.mbtiles") == Array("old".utf8))
    #expect(try !sample.folder.names().contains { $0.contains("tmp") })
    settings.tiles = "maxzoom: 1"
    try sample.folder.write(Sample.yaml(settings), to: "sample.yml")
    let again = try Program.run("build", sample.pipeline, in: sample.folder)
    #expect(again.status == 0 && again.output.contains("4,001"), "\(again.errors)")
  }
}
