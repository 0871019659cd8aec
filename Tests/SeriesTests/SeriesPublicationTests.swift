import Foundation
import MBTiles
import Overlays
import PipelineSamples
import SystemPackage
import TestSupport
import Testing

@testable import Reports
@testable import Runs

@Suite("A killed publication of a series")
struct SeriesPublicationTests {
  private struct Death: Error {}

  @Test(
    "a killed publication of a series leaves a complete manifest, and the next run repairs the rest"
  )
  func dies() throws {
    // One frame is new, one changed, one expires: every kind of step.
    let whole = try changed()
    try whole.build()
    var step = 0
    while true {
      let sample = try SeriesSample(hours: [5, 6, 7], source: ", keep: 3")
      try sample.build()
      let before = try sample.manifest().frames.map(\.time)
      try change(sample)
      var count = 0
      do {
        try sample.build { _ in
          if count == step { throw Death() }
          count += 1
        }
      } catch {}
      if count < step { break }
      #expect(try sample.missingFiles().isEmpty, "step \(step)")
      let frames = try sample.manifest().frames.map(\.time)
      let after = ["2014-01-19T06:00:00Z", "2014-01-19T07:00:00Z", "2014-01-19T08:00:00Z"]
      #expect(frames == before || frames == after, "step \(step)")
      try sample.build()
      #expect(try sample.outputs() == whole.outputs(), "step \(step)")
      #expect(
        try sample.folder.names().filter { $0.contains("tmp") || $0.contains(".lock") }.isEmpty)
      step += 1
    }
    // Two archives, the alias, the manifest, one removal; then a run that lived.
    #expect(step == 6)
  }

  private func changed() throws -> SeriesSample {
    let sample = try SeriesSample(hours: [5, 6, 7], source: ", keep: 3")
    try change(sample)
    return sample
  }

  private func change(_ sample: SeriesSample) throws {
    try sample.write(8)
    try sample.write(6, SeriesSample.picture(14))
  }

  @Test("leftovers of a killed run of a series are removed by the next run, but no other files")
  func leftovers() throws {
    let sample = try SeriesSample()
    try sample.build()
    try sample.write([1, 2, 3], to: "rain/2014-01-19T0500Z.mbtiles")
    try sample.write([1, 2, 3], to: "rain/.2014-01-19T0500Z.mbtiles.tmp-1")
    try sample.write([1, 2, 3], to: "rain/notes.mbtiles")
    try sample.write(9)
    try sample.build()
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path("rain"))
    #expect(
      names.sorted() == [
        "2014-01-19T0600Z.mbtiles", "2014-01-19T0700Z.mbtiles", "2014-01-19T0800Z.mbtiles",
        "2014-01-19T0900Z.mbtiles", "latest.mbtiles", "notes.mbtiles",
      ])
  }

  @Test("what a killed run left of a frame goes, although no frame is made anew")
  func temporaryArchives() throws {
    let sample = try SeriesSample()
    try sample.build()
    for mark in ["", "-delta", "-link"] {
      try sample.write([1, 2, 3], to: "rain/.2014-01-19T0600Z.mbtiles.tmp-1\(mark)")
    }
    #expect(try sample.build().result == .unchanged)
    let names = try FileManager.default.contentsOfDirectory(atPath: sample.folder.path("rain"))
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
  }

  @Test("an unreadable manifest makes the next run build every frame and remove none")
  func badManifest() throws {
    let sample = try SeriesSample()
    try sample.build()
    let whole = try sample.outputs()
    try sample.write(Array("{\"version\": 1,".utf8), to: "rain.frames.json")
    let report = try sample.build()
    #expect(report.series?.built == 3)
    #expect(try sample.outputs() == whole)
  }

  @Test("another run of the same series is refused")
  func locked() throws {
    let sample = try SeriesSample()
    let lock = try ArchivePublication(FilePath(sample.folder.path("rain.frames.json")))
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.exitCode == 75)
    withExtendedLifetime(lock) {}
  }
}
