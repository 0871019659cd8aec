import Definition
import DefinitionSamples
import Features
import JSON
import MBTiles
import Reports
import Runs
import Testing

@Suite("Reports")
struct ReportTests {
  private var report: BuildReport {
    var ledger = SourceLedger()
    ledger.read = 87_003
    ledger.used = 87_000
    ledger.noGeometry = 1
    for line in [12, 40] {
      ledger.reject(
        .init(
          reason: .latitudeOutOfRange, line: line, column: 9,
          message: "latitude 91 is beyond 85.0511"),
        as: .latitudeOutOfRange)
    }
    var report = BuildReport(
      pipeline: "us-hotels", result: .published,
      archive: ArchiveReport(
        path: "output/us-hotels.mbtiles", bytes: 152_300_000, sha256: "ab", digest: "cd"))
    report.sources = [SourceReport(name: "hotels", file: "data/hotels.csv", ledger: ledger)]
    report.stages = [
      StageTime(name: "ingest", seconds: 0.0061), StageTime(name: "paint", seconds: 1.6005),
    ]
    var zoom = ZoomReport(zoom: 0)
    (zoom.clusters, zoom.tiles, zoom.distinct, zoom.bytes) = (12, 1, 1, 4321)
    var deep = ZoomReport(zoom: 1)
    (deep.points, deep.clusters, deep.tiles, deep.empty) = (3, 40, 4, 1)
    (deep.distinct, deep.bytes) = (4, 9876)
    report.zooms = [zoom, deep]
    (report.tiles.planned, report.tiles.rendered, report.tiles.reused) = (5, 4, 1)
    (report.tiles.distinct, report.tiles.bytes) = (4, 14_000)
    report.memory = MemoryUse(anonymous: 98_765_432, mapped: 1_234_567)
    return report
  }

  @Test("the report's JSON has the documented keys in the documented order")
  func json() {
    #expect(
      report.json.pretty == """
        {
          "pipeline": "us-hotels",
          "result": "published",
          "sources": {
            "hotels": {
              "read": 87003,
              "used": 87000,
              "filtered": 0,
              "noGeometry": 1,
              "beyondMap": 0,
              "limited": 0,
              "rejected": {"latitude_out_of_range": 2},
              "examples": [
                {"reason": "latitude_out_of_range", "line": 12, "column": 9, "message": "latitude 91 is beyond 85.0511"},
                {"reason": "latitude_out_of_range", "line": 40, "column": 9, "message": "latitude 91 is beyond 85.0511"}
              ]
            }
          },
          "stages": [
            {"name": "ingest", "seconds": 0.006},
            {"name": "paint", "seconds": 1.601}
          ],
          "zooms": [
            {"zoom": 0, "points": 0, "clusters": 12, "tiles": 1, "empty": 0, "distinct": 1, "bytes": 4321, "limited": 0},
            {"zoom": 1, "points": 3, "clusters": 40, "tiles": 4, "empty": 1, "distinct": 4, "bytes": 9876, "limited": 0}
          ],
          "tiles": {"planned": 5, "rendered": 4, "reused": 1, "distinct": 4, "bytes": 14000},
          "archive": {"path": "output/us-hotels.mbtiles", "bytes": 152300000, "sha256": "ab", "digest": "cd"},
          "peakAnonymousBytes": 98765432,
          "peakMappedBytes": 1234567
        }

        """)
  }

  @Test("the summary accounts for every record and shows the first of each reason")
  func summary() {
    #expect(
      report.summary == """
        us-hotels: published

          source    read    used  filtered  no geometry  limited  rejected
          hotels  87,003  87,000         0            1        0         2

          rejected from hotels, each reason with its first record:
          2  latitude_out_of_range  data/hotels.csv:12:9: latitude 91 is beyond 85.0511

          zoom  points  features  tiles  empty  distinct   bytes
             0       0        12      1      0         1   4,321
             1       3        40      4      1         4   9,876
           all                        5      1         4  14,000

          stage   seconds
          ingest    0.006
          paint     1.601
          all       1.607

          archive  output/us-hotels.mbtiles
          size     152.3 MB
          digest   cd
          memory   98.8 MB at most, besides 1.2 MB of mapped files
        """)
  }

  @Test("the plan counts exactly and estimates roughly")
  func plan() {
    var plan = PlanSummary(pipeline: "a", archive: "a.mbtiles", layout: .dedup)
    var zoom = PlanSummary.Zoom(zoom: 3)
    (zoom.points, zoom.clusters, zoom.tiles, zoom.empty) = (5, 2, 1200, 7)
    plan.zooms = [zoom]
    plan.estimatedBytes = 1_234_567
    plan.estimatedSeconds = 0.25
    #expect(plan.tileCount == 1200)
    #expect(plan.summary.hasPrefix("a: 1,200 tiles, about 1.2 MB and 0.250 s\n"))
    #expect(plan.summary.hasSuffix("  archive  a.mbtiles (dedup)"))
    #expect(
      plan.json.line
        == "{\"pipeline\": \"a\", \"zooms\": [{\"zoom\": 3, \"points\": 5, \"clusters\": 2, "
        + "\"tiles\": 1200, \"empty\": 7}], \"tiles\": {\"planned\": 1200, \"estimatedBytes\": "
        + "1234567}, \"estimatedSeconds\": 0.25, \"archive\": {\"path\": \"a.mbtiles\", "
        + "\"layout\": \"dedup\"}}")
  }

  @Test("report strings are escaped and numbers unchanged")
  func escapes() throws {
    let json = ReportJSON.members([
      "a\"\\\n\u{1}é": .string("\t\r"), "n": .number(.infinity), "s": .seconds(1.00049),
      "e": .array([]), "o": .object([]), "b": .bool(false), "z": .null,
    ])
    #expect(
      json.line
        == "{\"a\\\"\\\\\\n\\u0001é\": \"\\t\\r\", \"n\": null, \"s\": 1.0, \"e\": [], \"o\": {}, "
        + "\"b\": false, \"z\": null}")
    let back = try document(json.pretty, file: "x.json").root
    #expect(back.members?.first?.key == "a\"\\\n\u{1}é")
  }

  @Test(
    "numbers are formatted the same everywhere",
    arguments: [
      (ReportNumber.count(0), "0"), (ReportNumber.count(999), "999"),
      (ReportNumber.count(1000), "1,000"), (ReportNumber.count(-1_234_567), "-1,234,567"),
      (ReportNumber.count(.min), "-9,223,372,036,854,775,808"),
      (ReportNumber.bytes(999), "999 bytes"), (ReportNumber.bytes(1000), "1.0 kB"),
      (ReportNumber.bytes(999_949), "999.9 kB"), (ReportNumber.bytes(999_950), "1.0 MB"),
      (ReportNumber.bytes(.max), "9223372.0 TB"),
      (ReportNumber.seconds(0), "0.000 s"), (ReportNumber.seconds(1.0426), "1.043 s"),
      (ReportNumber.seconds(125.2), "2 min 5 s"), (ReportNumber.seconds(7260), "2 h 1 min"),
      (ReportNumber.decimal(-0.05, 1), "-0.1"), (ReportNumber.decimal(2.5, 0), "3"),
    ])
  func numbers(written: String, expected: String) {
    #expect(written == expected)
  }

  @Test("progress shows share, rate and remaining time")
  func progress() {
    var meter = ProgressMeter()
    meter.update(.began(stage: "paint", total: 1000, unit: .tiles), now: 10)
    #expect(meter.line(now: 10) == "paint  0 %  0 of 1,000 tiles")
    meter.update(.advanced(stage: "paint", done: 250, zoom: 7), now: 12)
    #expect(
      meter.line(now: 12) == "paint z7  25 %  250 of 1,000 tiles  125 tiles/s  6 s to go")
    #expect(meter.bar(now: 12, width: 90).hasPrefix("███████░░░░"))
    #expect(meter.bar(now: 12, width: 30).count <= 29)
    #expect(
      meter.json(now: 12).line
        == "{\"stage\": \"paint\", \"done\": 250, \"total\": 1000, \"unit\": \"tiles\", "
        + "\"seconds\": 2.0, \"zoom\": 7}")
    meter.update(.ended(StageTime(name: "paint", seconds: 3)), now: 13)
    #expect(meter.share == 1)
    meter.update(.began(stage: "read", total: nil, unit: .bytes), now: 20)
    meter.update(.advanced(stage: "read", done: 3_000_000, zoom: nil), now: 22)
    #expect(meter.line(now: 22) == "read  3.0 MB  1.5 MB/s")
  }

  @Test("a report is written beside its archive")
  func reportPath() {
    #expect(ReportFile.path(besideArchive: "a/b.mbtiles") == "a/b.report.json")
    #expect(ReportFile.path(besideArchive: "a/b@2x.mbtiles") == "a/b@2x.report.json")
  }

  @Test("a log has no progress line when a stage only begins or ends, however long it takes")
  func pace() {
    let begin = ProgressEvent.began(stage: "verify", total: nil, unit: .tiles)
    let advance = ProgressEvent.advanced(stage: "verify", done: 5, zoom: nil)
    let end = ProgressEvent.ended(StageTime(name: "verify", seconds: 100))
    for (form, events, expected) in [
      (
        ProgressPace(.lines),
        [
          (begin, 1000), (end, 1100), (begin, 1101), (advance, 1102), (advance, 1111),
          (advance, 1112),
        ],
        [false, false, false, true, false, true]
      ),
      (ProgressPace(.lines), [(advance, 1000), (advance, 1009)], [false, false]),
      (ProgressPace(.bar), [(begin, 1), (advance, 1.05), (end, 1.2)], [true, false, true]),
      (
        ProgressPace(.json), [(begin, 1), (advance, 1.5), (end, 1.6), (advance, 2.7)],
        [true, false, true, true]
      ),
      (ProgressPace(.none), [(advance, 1), (advance, 1000)], [false, false]),
    ] as [(ProgressPace, [(ProgressEvent, Double)], [Bool])] {
      var pace = form
      let found = events.map { pace.isDue($0.0, now: $0.1) }
      #expect(found == expected)
    }
  }
}
