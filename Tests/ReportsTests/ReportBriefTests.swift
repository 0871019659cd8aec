import Features
import Reports
import Runs
import Testing

@Suite("The lines of a report")
struct ReportBriefTests {
  private func report(_ path: String, _ result: BuildReport.Result = .published) -> BuildReport {
    BuildReport(
      pipeline: "hotels", result: result, archive: ArchiveReport(path: path, bytes: 152_300_000))
  }

  @Test("are the outcome, notes, archive, tiles, records and the next command")
  func lines() {
    var report = report("out/my hotels.mbtiles")
    var ledger = SourceLedger()
    (ledger.read, ledger.used, ledger.noGeometry) = (87_003, 87_000, 1)
    for line in [12, 40] {
      ledger.reject(
        .init(
          reason: .latitudeOutOfRange, line: line, column: 9,
          message: "latitude 91 is beyond 85.0511"), as: .latitudeOutOfRange)
    }
    report.sources = [SourceReport(name: "hotels", file: "data/hotels.csv", ledger: ledger)]
    report.stages = [
      StageTime(name: "ingest", seconds: 0.5), StageTime(name: "tiles", seconds: 1.6),
    ]
    var (first, last) = (ZoomReport(zoom: 0), ZoomReport(zoom: 5))
    (first.tiles, last.tiles) = (1, 1200)
    report.zooms = [first, last]
    report.notes = ["old data is in use."]
    #expect(
      [report].brief == """
        hotels: published in 2.100 s
          note: old data is in use.
          archive  out/my hotels.mbtiles, 152.3 MB
          tiles    1,201 in zooms 0 to 5
          records  87,003 read, 87,000 used, 1 without geometry, 2 rejected, the first is \
        data/hotels.csv:12:9: latitude 91 is beyond 85.0511
          next     quadrille preview 'out/my hotels.mbtiles'
        """)
  }

  @Test("say only what is known of an archive that stays or is skipped")
  func unchanged() {
    #expect(
      [report("a.mbtiles", .unchanged), report("a@2x.mbtiles", .unchanged)].brief == """
        hotels: unchanged
          archive  a.mbtiles, 152.3 MB
        hotels: unchanged
          archive  a@2x.mbtiles, 152.3 MB
          next     quadrille preview a.mbtiles
        """)
    #expect(
      [report("a.mbtiles", .skipped)].brief
        == "hotels: skipped, since another run is building a.mbtiles")
  }

  @Test("name the frames of a series and what is missing")
  func series() {
    var report = report("rain.frames.json")
    var series = SeriesReport()
    (series.frames, series.built, series.unchanged) = (7, 3, 4)
    (series.first, series.latest) = ("2014-01-19T00:00Z", "2014-01-19T07:00Z")
    series.gaps = [.init(from: "a", to: "b", missing: 2, policy: "skip")]
    series.unusable = ["rain/x.png: this is no image"]
    report.series = series
    #expect(
      [report].brief.contains(
        """
          series   rain.frames.json, 152.3 MB
          frames   7, 2014-01-19T00:00Z to 2014-01-19T07:00Z; 3 built, 4 unchanged, 2 missing, \
        1 rejected: rain/x.png: this is no image
        """))
  }

  @Test(
    "a path is one word of a shell",
    arguments: [
      ("out/a@2x.mbtiles", "out/a@2x.mbtiles"), ("", "''"), ("my map", "'my map'"),
      ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("Ägypten-3", "Ägypten-3"),
    ])
  func words(text: String, word: String) {
    #expect(text.shellWord == word)
  }
}
