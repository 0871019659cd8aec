import Foundation
import TestSupport
import Testing

/// Records through a pipe, as `psql … | quadrille build` sends them.
@Suite("Standard input")
struct StandardInputTests {
  private static func piped(_ settings: Sample.Settings = Sample.Settings()) throws -> Sample {
    let sample = try Sample(rows: 600, settings)
    try sample.folder.write(
      Sample.yaml(settings).replacing("data: places.csv", with: "data: \"-\""), to: "piped.yml")
    return sample
  }

  /// Runs the program behind a pipe from a command of the shell.
  private static func run(
    _ source: String, _ arguments: String, in folder: TemporaryFolder
  ) throws -> Program.Outcome {
    try Program.Run(
      ["-c", "\(source) | '\(Program.url.path)' \(arguments)"], in: folder, program: "/bin/sh"
    ).finish()
  }

  @Test("a build from a pipe makes the tiles of a build from the file, on any number of threads")
  func build() throws {
    let sample = try Self.piped()
    try sample.build()
    let fromFile = try sample.report()
    for threads in ["1", "2"] {
      let run = try Self.run(
        "cat places.csv", "build piped.yml -q --force --no-cache -j \(threads)", in: sample.folder)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try sample.report().archive.digest == fromFile.archive.digest)
    }
    let report = try sample.report()
    #expect(report.sources["places"]?.read == 600)
  }

  @Test("the same bytes piped again are an unchanged build, and others are not")
  func unchanged() throws {
    let sample = try Self.piped()
    let first = try Self.run("cat places.csv", "build piped.yml", in: sample.folder)
    #expect(first.status == 0, "\(first.errors)")
    let archive = try sample.folder.bytes("out.mbtiles")
    let again = try Self.run(
      "{ sleep 0.1; cat places.csv; }", "build piped.yml", in: sample.folder)
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("sample: unchanged"), "\(again.output)")
    #expect(try sample.folder.bytes("out.mbtiles") == archive)
    let fewer = try Self.run("head -n 100 places.csv", "build piped.yml", in: sample.folder)
    #expect(fewer.status == 0, "\(fewer.errors)")
    #expect(!fewer.output.contains("sample: unchanged"))
    #expect(try sample.report().sources["places"]?.read == 99)
  }

  @Test(
    "other commands read the pipe, too",
    arguments: ["check piped.yml", "plan piped.yml", "query piped.yml --format csv"])
  func commands(_ command: String) throws {
    let sample = try Self.piped()
    let run = try Self.run("cat places.csv", command, in: sample.folder)
    #expect(run.status == 0, "\(run.errors)")
    let fromFile = try Self.run(
      "true", command.replacing("piped", with: "sample"), in: sample.folder)
    func lines(_ run: Program.Outcome) -> [String] {
      // Times and names differ.
      run.output.replacing("places.csv", with: "standard input").split(separator: "\n")
        .map(String.init).filter { !$0.contains(" s") }
    }
    #expect(lines(run) == lines(fromFile))
  }

  @Test("shards are painted without the pipe, and their merge is the archive of one build")
  func shards() throws {
    let sample = try Self.piped()
    let build = try Self.run("cat places.csv", "build piped.yml -q", in: sample.folder)
    #expect(build.status == 0, "\(build.errors)")
    let single = try sample.folder.bytes("out.mbtiles")
    let plan = try Self.run("cat places.csv", "plan piped.yml --shards 2 -o dir", in: sample.folder)
    #expect(plan.status == 0, "\(plan.errors)")
    for shard in ["0", "1"] {
      let run = try Program.run("build", "--shard", shard, "dir", in: sample.folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    let merge = try Program.run("merge", "dir", "-o", "merged.mbtiles", in: sample.folder)
    #expect(merge.status == 0, "\(merge.errors)")
    #expect(try sample.folder.bytes("merged.mbtiles") == single)
  }

  @Test("a sequence of GeoJSON texts is read from a pipe")
  func sequence() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      version: 1
      sources: {places: {type: geojsonseq, data: "-"}}
      layers: [{id: disc, type: circle, source: places, paint: {circle-radius: 4}}]
      tiles: {maxzoom: 2}
      output: {path: out.mbtiles}
      """, to: "lines.yml")
    let feature =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,50]},"properties":{"a":1}}"#
    try folder.write("\(feature)\n\(feature)\n", to: "places.geojsonl")
    let run = try Self.run("cat places.geojsonl", "query lines.yml --count", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("2"), "\(run.output)")
  }

  @Test("a broken record is placed in standard input")
  func broken() throws {
    let sample = try Self.piped()
    let run = try Self.run("echo 'lng,lat\\n1'", "build piped.yml -q", in: sample.folder)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("standard input:2"), "\(run.errors)")
    let empty = try Program.run("build", "piped.yml", "-q", in: sample.folder)
    #expect(empty.status != 0 && empty.errors.contains("standard input"), "\(empty.errors)")
  }

  @Test("a run that waits for its input ends when its time is over")
  func waiting() throws {
    let sample = try Self.piped()
    let run = try Self.run(
      "{ echo lng,lat; sleep 6; }", "build piped.yml -q --max-seconds 1", in: sample.folder)
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.errors.contains("in stage spool"), "\(run.errors)")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var name: String
    var sources: String
    var sentence: String

    var testDescription: String { name }
  }

  @Test(
    "what would need the input twice, or another format, is one sentence",
    arguments: [
      Refusal(
        name: "two sources", sources: "{a: {type: csv, data: \"-\"}, b: {type: csv, data: \"-\"}}",
        sentence: "sources 'a' and 'b' both read standard input"),
      Refusal(
        name: "GeoJSON", sources: "{a: {type: geojson, data: \"-\"}}",
        sentence: "'type: csv' or 'geojsonseq'"),
      Refusal(
        name: "an image",
        sources: "{a: {type: image, url: \"-\", bounds: [0, 0, 1, 1]}}",
        sentence: "'url: -' is standard input"),
      Refusal(
        name: "a series",
        sources: "{a: {type: csv, data: \"-\"}, r: {type: image-series, frames: \"x/*.png\", "
          + "time: \"%Y\", bounds: [0, 0, 1, 1]}}",
        sentence: "a series is built run after run"),
    ])
  func refusals(_ refusal: Refusal) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "version: 1\nsources: \(refusal.sources)\nlayers: []\noutput: {path: out.mbtiles}\n",
      to: "two.yml")
    let run = try Program.run("check", "two.yml", in: folder)
    #expect(run.status == 78, "\(run.errors)")
    #expect(run.errors.contains(refusal.sentence), "\(run.errors)")
    #expect(run.errorLines.count == 1, "\(run.errors)")
  }
}
