import Foundation
import TestSupport
import Testing

@Suite("Two runs over one archive")
struct LockTests {
  @Test("two runs over several archives wait for each other on request, whatever names they cross")
  func crossing() throws {
    var settings = Sample.Settings()
    settings.tiles = "minzoom: 0\n  maxzoom: 2\n  scale: [1, 2]"
    let sample = try Sample(settings)
    let runs = try ["a", "a@2x", "a", "a@2x"].map { name in
      try Program.Run(
        [
          "build", sample.pipeline, "-q", "--force", "--if-locked", "wait", "-o",
          sample.folder.path("\(name).mbtiles"),
        ])
    }
    for run in runs {
      let outcome = try run.finish()
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
    let names = try sample.folder.names().filter { $0.contains("mbtiles") }
    #expect(names == ["a.mbtiles", "a@2x.mbtiles", "a@2x@2x.mbtiles"])
  }

  @Test("a run waits until the lock is free, and no longer than --max-seconds")
  func waiting() throws {
    let sample = try Sample()
    let lock = try FileLockHolder(sample.folder.path(".out.mbtiles.lock"))
    let limited = try Program.run(
      "build", sample.pipeline, "--if-locked", "wait", "--max-seconds", "0.2")
    #expect(limited.status == 75 && limited.errorLines.count == 1, "\(limited.errors)")
    let skipping = try Program.run("build", sample.pipeline, "-q", "--if-locked", "skip")
    #expect(skipping.status == 0 && skipping.errors.isEmpty && skipping.output.isEmpty)
    let run = try Program.Run(["build", sample.pipeline, "-q", "--if-locked", "wait"])
    Thread.sleep(forTimeInterval: 0.3)
    #expect(run.process.isRunning)
    lock.release()
    #expect(try run.finish().status == 0)
    #expect(try sample.folder.names().contains("out.mbtiles"))
  }

  @Test("a rollback undoes a build, and the next build is refused without --accept-changes")
  func rollback() throws {
    var settings = Sample.Settings()
    settings.output = "path: out.mbtiles\n  keepArchives: 1"
    let sample = try Sample(settings)
    try sample.build()
    let good = try sample.folder.bytes("out.mbtiles")
    try sample.folder.write(Sample.csv(Sample.rows(401)), to: "places.csv")
    try sample.build()
    let run = try Program.run("rollback", sample.archive)
    #expect(run.status == 0 && run.output.contains("rolled back to"), "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == good)
    let refused = try Program.run("build", sample.pipeline)
    #expect(refused.status == 65 && refused.errorLines.count == 1, "\(refused.errors)")
    #expect(try Program.run("rollback", sample.pipeline).status == 66)
    try sample.build("--accept-changes")
    #expect(try sample.folder.bytes("out.mbtiles.1") == good)
  }
}
