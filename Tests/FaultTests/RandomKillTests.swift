import Foundation
import Platform
import TestSupport
import Testing

/// Runs of some seconds, killed at random times, one after the other over one archive.
@Suite("A run that is killed at a random time", .enabled(if: runsSlowTests, "QUADRILLE_SLOW=1"))
struct RandomKillTests {
  @Test("a run killed at a random time leaves a whole archive; the next has a full build's bytes")
  func killed() throws {
    var settings = Sample.Settings()
    settings.source = "cluster: false"
    settings.tiles = "maxzoom: 8"
    let sample = try Sample(rows: 1500, settings)
    try sample.build()
    var random = SplitMix64(seed: 20)
    var good = try sample.folder.bytes("out.mbtiles")
    var kills = 0
    for round in 0..<20 {
      let rows = Sample.rows(1500) + Sample.rows(1 + round, seed: 77)
      try sample.folder.write(Sample.csv(rows), to: "places.csv")
      let full = try Sample(rows: 1, settings)
      try full.folder.write(Sample.csv(rows), to: "places.csv")
      let start = Date()
      try full.build("--no-cache")
      let duration = Date().timeIntervalSince(start)
      let expected = try full.folder.bytes("out.mbtiles")
      for _ in 0..<2 {
        let run = try Program.Run(["build", "-q", sample.pipeline])
        usleep(UInt32(random.number(in: 0..<duration) * 1e6))
        kill(run.process.processIdentifier, SIGKILL)
        if try run.finish().status == -9 { kills += 1 }
        let bytes = try sample.folder.bytes("out.mbtiles")
        #expect(bytes == good || bytes == expected, "round \(round)")
      }
      try sample.build()
      good = try sample.folder.bytes("out.mbtiles")
      #expect(good == expected, "round \(round)")
      let names = try sample.folder.names()
      #expect(names.allSatisfy { !$0.contains(".tmp-") && !$0.contains(".lock") }, "\(names)")
    }
    print("faults: killed at \(kills) random times")
    #expect(kills > 10)
  }
}
