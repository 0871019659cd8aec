import TestSupport
import Testing
import Tiling

@testable import Overlays

@Suite struct FramesManifestTests {
  private let box = GeoBounds(west: -12, south: 48, east: 5, north: 61)

  private func manifest(
    _ minutes: [Int], keep: Int? = nil, box: GeoBounds? = nil, input: String = "",
    name: String = "rain", _ change: (inout FramePresentation) -> Void = { _ in }
  ) throws -> FramesManifest {
    let entries = try minutes.map { minute in
      let time = try #require(FrameTime(seconds: 1_390_111_200 + Int64(minute) * 60))
      return FrameEntry(time: time, location: .file("\(minute).png"))
    }
    var options = SeriesOptions()
    options.onMissing = .hold
    options.keep = keep
    let series = try FrameSeries(entries, options: options)
    let names = try FrameNames(series: name)
    var presentation = FramePresentation()
    change(&presentation)
    let archives = series.entries.map { entry in
      FrameArchive(
        file: names.archive(of: entry.time), sha256: String(repeating: "0", count: 64),
        input: entry.place + input, bounds: box ?? self.box, minZoom: 3, maxZoom: 9)
    }
    return try FramesManifest(
      series, archives: archives, names: names, presentation: presentation)
  }

  @Test func `a frames manifest has the documented form`() throws {
    let zeros = String(repeating: "0", count: 64)
    #expect(
      try manifest([0, 15, 45]) { $0.layer = "RADAR \"UK\"\u{1}" }.json == """
        {
          "version": 1,
          "name": "rain",
          "layer": "RADAR \\"UK\\"\\u0001",
          "bounds": [-12, 48, 5, 61],
          "minzoom": 3,
          "maxzoom": 9,
          "frameDuration": 1000,
          "loop": true,
          "default": "2014-01-19T06:45:00Z",
          "latest": "rain/latest.mbtiles",
          "every": 900,
          "frames": [
            {"time": "2014-01-19T06:00:00Z", "file": "rain/2014-01-19T0600Z.mbtiles", \
        "sha256": "\(zeros)", "bounds": [-12, 48, 5, 61], "minzoom": 3, "maxzoom": 9, \
        "duration": 1000, "input": "0.png"},
            {"time": "2014-01-19T06:15:00Z", "file": "rain/2014-01-19T0615Z.mbtiles", \
        "sha256": "\(zeros)", "bounds": [-12, 48, 5, 61], "minzoom": 3, "maxzoom": 9, \
        "duration": 2000, "input": "15.png"},
            {"time": "2014-01-19T06:45:00Z", "file": "rain/2014-01-19T0645Z.mbtiles", \
        "sha256": "\(zeros)", "bounds": [-12, 48, 5, 61], "minzoom": 3, "maxzoom": 9, \
        "duration": 1000, "input": "45.png"}
          ],
          "gaps": [
            {"from": "2014-01-19T06:15:00Z", "to": "2014-01-19T06:45:00Z", "missing": 1, \
        "policy": "hold"}
          ],
          "unusable": []
        }

        """)
  }

  @Test(arguments: [[0], [0, 15], [0, 15, 60, 75], Array(stride(from: 0, to: 5000, by: 5))])
  func `a frames manifest is parsed from its own text`(minutes: [Int]) throws {
    let written = try manifest(minutes, box: GeoBounds(west: 0.1, south: -1e-7, east: 1, north: 2))
    {
      $0.loops = minutes.count == 1
      $0.defaultFrame = .first
    }
    let read = try FramesManifest(try seriesJSON(written.json), name: "rain.frames.json")
    #expect(read.json == written.json)
    #expect(read.frames == written.frames)
    #expect(read.gaps == written.gaps)
  }

  @Test func `a manifest has a forecast's run and hours, and every archive's size`() throws {
    let honest = try manifest([0, 90])
    var frames = honest.frames
    for index in frames.indices {
      frames[index].run = try time("2014-01-19T03:00")
      frames[index].archive.bytes = 4096
    }
    let forecast = FramesManifest(
      names: honest.names, presentation: honest.presentation, defaultFrame: honest.defaultFrame,
      cadence: nil, frames: frames, gaps: [], unusable: [])
    #expect(
      forecast.json.contains(
        "\"time\": \"2014-01-19T07:30:00Z\", \"run\": \"2014-01-19T03:00:00Z\", \"step\": 4.5, "
          + "\"file\""))
    #expect(forecast.json.contains("\"bytes\": 4096, \"bounds\""))
    let read = try FramesManifest(try seriesJSON(forecast.json), name: "rain.frames.json")
    #expect(read.frames == frames)
  }

  @Test func `frames with equal inputs are reused, others are not`() throws {
    let old = try manifest([0, 15, 30])
    for frame in old.frames {
      #expect(old.archive(of: frame.time, input: frame.archive.input) == frame.archive)
      #expect(old.archive(of: frame.time, input: "other") == nil)
    }
    #expect(old.archive(of: try time("2014-01-19T05:00"), input: "0.png") == nil)
  }

  @Test func `files that the manifest no longer names are removed`() throws {
    let old = try manifest([0, 15, 30, 45])
    let new = try manifest([0, 15, 30, 45, 60], keep: 3)
    #expect(
      new.expired(since: old) == ["rain/2014-01-19T0600Z.mbtiles", "rain/2014-01-19T0615Z.mbtiles"])
    #expect(old.expired(since: old) == [])
    let files = old.frames.map(\.archive.file)
    #expect(new.leftovers(among: files) == new.expired(since: old))
    #expect(try manifest([0], name: "wind").expired(since: old) == [])
  }

  @Test(arguments: [
    "/etc/passwd", "../rain/2014-01-19T0600Z.mbtiles", "rain/../x.mbtiles", "rain/latest.mbtiles",
    "rain/mine.mbtiles", "rain/2014-01-19T0600Z.mbtiles/", "wind/2014-01-19T0600Z.mbtiles",
    "rain//2014-01-19T0600Z.mbtiles", "rain/2014-01-19T06:00Z.mbtiles",
    "rain/2014-01-19T060000Z.mbtiles", "rain/20140119T0600Z.mbtiles", "", "rain", "rain/.mbtiles",
  ])
  func `a tampered manifest removes no other files`(file: String) throws {
    let honest = try manifest([0, 15])
    var frames = honest.frames
    frames[0].archive.file = file
    let tampered = FramesManifest(
      names: honest.names, presentation: honest.presentation, defaultFrame: honest.defaultFrame,
      cadence: nil, frames: frames, gaps: [], unusable: [])
    #expect(try manifest([15]).expired(since: tampered) == [])
    #expect(try manifest([15]).leftovers(among: [file]) == [])
  }

  @Test func `frame names have seconds only if they are not 0`() throws {
    let names = try FrameNames(series: "rain@2x")
    #expect(
      names.archive(of: try time("2014-01-19T06:00:30"))
        == "rain@2x/2014-01-19T060030Z.mbtiles")
    for minute in [0, 1, 59, 100_000] {
      let time = try #require(FrameTime(seconds: Int64(minute) * 61))
      #expect(names.isArchive(names.archive(of: time)))
    }
  }

  @Test(arguments: ["", ".rain", "a/b", "é", "a b", String(repeating: "a", count: 201)])
  func `series names that a reader could not open are refused`(name: String) {
    #expect(throws: SeriesError.self) { try FrameNames(series: name) }
  }

  @Test func `the frame to show first must exist`() throws {
    #expect(
      try manifest([0, 15]) { $0.defaultFrame = .first }.defaultFrame.seconds == 1_390_111_200)
    let there = try time("2014-01-19T06:15")
    #expect(try manifest([0, 15]) { $0.defaultFrame = .at(there) }.defaultFrame == there)
    #expect(throws: SeriesError.self) {
      let absent = try time("2014-01-19T06:10")
      return try manifest([0, 15]) { $0.defaultFrame = .at(absent) }
    }
  }

  @Test func `frames over the antimeridian have a box of all longitudes`() throws {
    let across = GeoBounds(west: 170, south: -10, east: -170, north: 10)
    #expect(
      try manifest([0], box: across).bounds
        == GeoBounds(west: -180, south: -10, east: 180, north: 10))
  }

  @Test func `a frames manifest damaged anywhere is refused`() throws {
    let text = try manifest([0, 15, 45]).json
    for (old, new) in [
      ("\"version\": 1", "\"version\": 2"), ("\"loop\": true", "\"loop\": 1"),
      ("06:15:00Z", "06:75:00Z"), ("\"hold\"", "\"held\""), ("[-12, 48, 5, 61]", "[1]"),
      ("\"name\": \"rain\"", "\"name\": \"../x\""), ("\"duration\": 2000", "\"duration\": 0"),
      ("\"missing\": 1", "\"missing\": 1e300"), ("\"sha256\"", "\"md5\""),
      ("\"every\": 900", "\"every\": -1"), ("\"frames\"", "\"frame\""),
    ] {
      let parts = text.split(separator: old, omittingEmptySubsequences: false)
      #expect(parts.count > 1, "\(old)")
      let document = try seriesJSON(parts.joined(separator: new))
      let message = refusal { () throws(SeriesError) in
        try FramesManifest(document, name: "rain.frames.json")
      }
      #expect(message.hasPrefix("rain.frames.json: "), "\(old)")
    }
  }

  @Test func `wherever a publication is killed, the manifest names existing files`() throws {
    var random = SplitMix64(seed: 9)
    var (files, inPlace): (Set<String>, FramesManifest?) = ([], nil)
    for round in 0..<200 {
      let minutes = (0..<20).filter { _ in random.below(3) > 0 }.map { 15 * ($0 + round % 7) }
      guard !minutes.isEmpty else { continue }
      let new = try manifest(minutes, keep: 1 + random.below(12))
      let steps = new.publication(over: inPlace)
      // Two runs of three die after some step.
      for step in steps.prefix(round % 3 == 0 ? steps.count : random.below(steps.count + 1)) {
        switch step {
        case .place(let file): files.insert(file)
        case .alias(let file):
          #expect(files.contains(file))
          files.insert(new.names.latest)
        case .manifest: inPlace = new
        case .remove(let file): files.remove(file)
        }
        if let inPlace {
          #expect(inPlace.frames.allSatisfy { files.contains($0.archive.file) })
          #expect(files.contains(inPlace.names.latest))
        }
      }
    }
  }

  @Test func `only changed frames are published`() throws {
    let old = try manifest([0, 15])
    #expect(old.publication(over: old) == [])
    let longer = try manifest([0, 15, 30])
    #expect(
      longer.publication(over: old) == [
        .place(file: "rain/2014-01-19T0630Z.mbtiles"),
        .alias(of: "rain/2014-01-19T0630Z.mbtiles"), .manifest,
      ])
    #expect(
      try manifest([15, 30]).publication(over: longer) == [
        .manifest, .remove(file: "rain/2014-01-19T0600Z.mbtiles"),
      ])
    #expect(old.publication(over: nil).count == 4)
    #expect(try manifest([0, 15]) { $0.loops = false }.publication(over: old) == [.manifest])
  }
}
