import Foundation
import TestSupport
import Testing

@Suite("Determinism of builds")
struct DeterminismTests {
  /// A richer sample: overlapping discs, labels, single points with colours from data.
  private static func sample(rows: [String] = Sample.rows(600)) throws -> Sample {
    var settings = Sample.Settings()
    settings.layers = """
        - id: disc
          type: circle
          source: places
          paint:
            circle-radius: [+, 6, [ln, [coalesce, [get, point_count], 1]]]
            circle-color: [match, [get, kind], 1, "rgba(200, 0, 0, 0.5)", "#ff5f2a"]
        - id: count
          type: symbol
          source: places
          filter: [has, point_count]
          layout:
            text-field: [get, point_count_abbreviated]
            text-font: [DejaVu Sans Bold]
            text-size: 10
            text-allow-overlap: true
      """
    let sample = try Sample(settings)
    try sample.folder.write(Sample.csv(rows), to: "places.csv")
    return sample
  }

  @Test("builds have equal bytes on one thread and on several")
  func threads() throws {
    let sample = try Self.sample()
    var archives: [[UInt8]] = []
    for threads in ["1", "2", "5"] {
      try sample.build("-j", threads, "--force")
      archives.append(try sample.folder.bytes("out.mbtiles"))
    }
    #expect(archives[0] == archives[1])
    #expect(archives[0] == archives[2])
  }

  @Test("builds have equal bytes in another time zone, language and folder")
  func surroundings() throws {
    let sample = try Self.sample()
    try sample.build()
    let first = try sample.folder.bytes("out.mbtiles")
    let elsewhere = try TemporaryFolder()
    let environment = ["TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "LC_ALL": "de_DE.UTF-8"]
    let run = try Program.run(
      "build", "-q", "--force", sample.pipeline, in: elsewhere, environment: environment)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == first)
    // A pipeline of the same name in another folder makes the same archive.
    let copy = try Self.sample()
    let relative = try Program.run("build", "-q", "sample.yml", in: copy.folder)
    #expect(relative.status == 0, "\(relative.errors)")
    #expect(try copy.folder.bytes("out.mbtiles") == first)
  }

  @Test(
    "builds with grid clusters have equal bytes in any order of the rows, but not for other rows")
  func shuffled() throws {
    let rows = Sample.rows(600)
    let digest = try Self.sample(rows: rows).build().archive.digest
    var random = SplitMix64(seed: 99)
    let shuffled = rows.shuffled(using: &random)
    #expect(shuffled != rows)
    #expect(try Self.sample(rows: shuffled).build().archive.digest == digest)
    #expect(try Self.sample(rows: Sample.rows(600, seed: 2)).build().archive.digest != digest)
  }
}
