import Archives
import Baking
import Features
import Foundation
import MBTiles
import PNG
import Raster
import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Preview
@testable import ReportPages
@testable import Reports
@testable import Runs

@Suite("Records through time")
struct RecordFramesTests {
  @Test("disjoint windows have every record once, and their clusters add up at every zoom")
  func sums() throws {
    let sample = try EventSample("every: 1d")
    let report = try sample.build()
    #expect(report.series?.frames == 10 && report.series?.built == 10)
    let manifest = try sample.manifest()
    #expect(manifest.frames.first?.time == "2024-03-01T00:00:00Z")
    #expect(manifest.frames.map(\.records).reduce(0, +) == sample.events.count)
    #expect(manifest.every == 86_400)
    for zoom in 0...2 {
      let counts = try manifest.frames.map { try sample.clusters(zoom, at: $0.time) }
      #expect(counts == manifest.frames.map(\.records))
    }
    let names = try sample.outputs().keys
    #expect(names.contains("events.apng") && names.contains("events/latest.mbtiles"))
    #expect(report.sources.map(\.ledger.used) == [sample.events.count])
    let summary = try PipelineRunner.verify(
      archive: sample.folder.path("events.frames.json"), cancellation: Cancellation(),
      progress: { _ in })
    #expect(summary.conclusion == "sound: 10 archives")
  }

  @Test("the order of the records makes no difference to any file")
  func shuffled() throws {
    let sample = try EventSample("every: 1d, window: 3d")
    try sample.build()
    let other = try EventSample("every: 1d, window: 3d", events: sample.events.reversed())
    try other.build()
    #expect(try sample.outputs() == other.outputs())
  }

  @Test(
    "a late record changes only the frames of its windows, and all files are those of a full build",
    arguments: [
      ("every: 1d", 1), ("every: 1d, window: 3d", 3), ("every: 1d, window: cumulative", 6),
    ])
  func late(keys: String, changed: Int) throws {
    let sample = try EventSample(keys)
    try sample.build()
    let before = try sample.outputs()
    let late = sample.events + [EventSample.Event(id: 1000, day: 5, hour: 12)]
    try sample.write(late)
    let report = try sample.build()
    #expect(report.series?.built == changed && report.series?.unchanged == 10 - changed)
    let full = try EventSample(keys, events: late)
    try full.build()
    #expect(try sample.outputs() == full.outputs())
    let after = try sample.outputs()
    let frames = after.filter { $0.key.hasPrefix("events/2024") && before[$0.key] != $0.value }
    #expect(frames.count == changed)
    #expect(try sample.build().result == .unchanged)
  }

  @Test("after edits, removals and additions at once all files are those of a full build")
  func edited() throws {
    let sample = try EventSample("every: 1d, window: 2d")
    try sample.build()
    var events = sample.events
    events[3].hour = 23
    events[17].day = 2
    events.remove(at: 40)
    events.append(EventSample.Event(id: 2000, day: 9, hour: 1))
    try sample.write(events)
    let report = try sample.build()
    #expect((report.series?.unchanged ?? 0) > 0)
    let full = try EventSample("every: 1d, window: 2d", events: events)
    try full.build()
    #expect(try sample.outputs() == full.outputs())
  }

  @Test("a frame has the tiles of an archive of its records alone")
  func alone() throws {
    let sample = try EventSample("every: 1d")
    try sample.build()
    let other = try EventSample("every: 1d", events: sample.events.filter { $0.day == 4 })
    let text = String(decoding: try other.folder.bytes("events.yml"), as: UTF8.self)
    try other.folder.write(
      text.replacing(", time: {property: when, every: 1d}", with: ""), to: "events.yml")
    try other.build()
    let frame = try ArchiveReader(
      FilePath(sample.folder.path("events/2024-03-04T0000Z.mbtiles")))
    var count = 0
    try ArchiveReader(FilePath(other.folder.path("events.mbtiles"))).forEachTile { tile, bytes in
      count += 1
      #expect((try? frame.tile(tile)).map { $0?.elementsEqual(bytes) } == true, "\(tile)")
    }
    #expect(count > 1)
  }

  @Test("tiles painted on demand are those of the last frame")
  func onDemand() throws {
    let sample = try EventSample("every: 1d")
    try sample.build()
    let last = try #require(try sample.manifest().frames.last)
    let name = last.time.replacing(":00Z", with: "Z").replacing(":", with: "")
    let frame = try ArchiveReader(FilePath(sample.folder.path("events/\(name).mbtiles")))
    let tiles = try PipelineRunner.tilesOnDemand(
      sample.definition(), cancellation: Cancellation(), progress: { _ in })
    var count = 0
    try frame.forEachTile { tile, bytes in
      count += 1
      #expect(
        (try? tiles.picture(tile, scale: 1)).map { $0?.elementsEqual(bytes) } == true, "\(tile)")
    }
    #expect(count > 3)
  }

  @Test("classes of frames are said to differ from frame to frame")
  func classes() throws {
    let sample = try EventSample("every: 1d", more: ", classes: {method: quantile, n: 3}")
    let notes = try sample.build().notes
    #expect(notes.count == 1, "\(notes)")
    #expect(notes.first?.contains("[step, [get, point_count], …] instead of [get, class]") == true)
    #expect(try EventSample("every: 1d").build().notes.isEmpty)
  }

  @Test("a cumulative window has all records up to the end of its frame's step")
  func cumulative() throws {
    let sample = try EventSample("every: 1d, window: cumulative")
    try sample.build()
    let frames = try sample.manifest().frames
    #expect(frames.last?.records == sample.events.count)
    #expect(try sample.clusters(1, at: nil) == sample.events.count)
    let days = sample.events.map(\.day)
    #expect(frames.map(\.records) == (1...10).map { last in days.count { $0 <= last } })
  }

  @Test("a step without records is a gap, which 'hold' bridges and 'fail' refuses")
  func gaps() throws {
    let events = [1, 2, 5].map { EventSample.Event(id: $0, day: $0, hour: 0) }
    let sample = try EventSample("every: 1d, onMissing: hold", events: events)
    let report = try sample.build()
    let manifest = try sample.manifest()
    #expect(report.series?.gaps.map(\.missing) == [2])
    #expect(manifest.frames.map(\.duration) == [1000, 3000, 1000])
    let other = try EventSample("every: 1d, onMissing: fail", events: events)
    #expect(throws: PipelineError.self) { try other.build() }
  }

  @Test("overlapping windows begin at the first record, and pass over steps that reach none")
  func overlapping() throws {
    let events = [1, 28].map { EventSample.Event(id: $0, day: $0, hour: 0) }
    let sample = try EventSample("every: 12h, window: 2d", events: events)
    try sample.build()
    #expect(
      try sample.manifest().frames.map(\.time) == [
        "2024-03-01T00:00:00Z", "2024-03-26T12:00:00Z", "2024-03-27T00:00:00Z",
        "2024-03-27T12:00:00Z", "2024-03-28T00:00:00Z",
      ])
  }

  @Test("weeks begin on Mondays, and 'keep' leaves the newest frames")
  func weeks() throws {
    let sample = try EventSample("every: 7d, keep: 1")
    let report = try sample.build()
    // 1 March 2024 is a Friday.
    #expect(try sample.manifest().frames.map(\.time) == ["2024-03-04T00:00:00Z"])
    #expect(report.series?.leftOut == 1)
  }

  @Test("a record without an instant is rejected with its line")
  func undated() throws {
    let sample = try EventSample("every: 1d", more: ", onError: {max: 1}")
    try sample.write(sample.events, last: "99,1,1,soon")
    let report = try sample.build()
    #expect(report.sources[0].ledger.rejected == [.noInstant: 1])
    try sample.write(sample.events, last: "99,1,1,soon\n98,1,1,")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.exitCode == 65)
    #expect(error?.description.contains("events.csv:62") == true, "\(String(describing: error))")
    #expect(error?.message.contains("'soon' in 'when' is no instant") == true)
  }

  @Test("records of which none has an instant make no frame")
  func noInstants() throws {
    let sample = try EventSample("every: 1d", more: ", onError: {max: 9}", events: [])
    try sample.write([], last: "99,1,1,soon")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("no point with an instant in 'when'") == true)
  }

  @Test(
    "wrong windows are refused with their key",
    arguments: [
      ("every: often", "'every' is a time such as 15m"), ("every: 1.5s", "'every' is a time"),
      ("every: 0d", "'every' is a time"), ("every: 2d, window: 1d", "'window' is shorter"),
      ("every: 1d, window: all", "or cumulative, but it is 'all'"),
    ])
  func wrong(keys: String, words: String) throws {
    let error = #expect(throws: PipelineError.self) { try EventSample(keys).definition() }
    #expect(error?.message.contains(words) == true, "\(String(describing: error))")
  }

  @Test("too many frames name the key to change")
  func tooMany() throws {
    let sample = try EventSample("every: 1s, window: 200000")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("more than 100,000 frames. Set a longer 'every'") == true)
  }

  @Test("check counts the frames, and pictures and answers show the one that is asked for")
  func commands() throws {
    let sample = try EventSample("every: 1d")
    let check = try PipelineRunner.check(sample.definition(), options: BuildOptions())
    #expect(check.refusal == nil && check.failure == nil)
    #expect(check.conclusion.contains("events has 10 frames of 2024-03-01T00:00:00Z"))
    try sample.build()
    var options = BuildOptions()
    options.frame = "2024-03-02"
    let tile = TileCoord(z: 0, x: 0, y: 0)
    let drawn = try PipelineRunner.tile(
      sample.definition(), tile: tile, scale: 1, options: options, cancellation: Cancellation(),
      progress: { _ in })
    let frame = try ArchiveReader(
      FilePath(sample.folder.path("events/2024-03-02T0000Z.mbtiles")))
    let stored = try #require(try frame.tile(tile))
    let pictures = try [drawn, stored].map { try PNGDecoder().decode($0) }
    #expect(pictures[0].pixels.elementsEqual(pictures[1].pixels))
    let error = #expect(throws: PipelineError.self) { try sample.clusters(1, at: "2024-04-02") }
    #expect(error?.message.contains("has no frame of 2024-04-02T00:00:00Z") == true)
    #expect(try sample.query { _ in }.count == sample.events.count)
  }

  @Test("the page of the report tells of the frames, and the preview serves them")
  func shown() throws {
    let sample = try EventSample("every: 1d")
    let report = try sample.build()
    let page = ReportPage([.init(definition: try sample.definition(), reports: [report])]).html
    #expect(page.contains("10, 2024-03-01T00:00:00Z to 2024-03-10T00:00:00Z"))
    for name in ["leaflet.js", "leaflet.css", "LICENSE"] {
      try sample.folder.write("", to: "leaflet/\(name)")
    }
    let router = PreviewRouter(
      try PreviewTileset.find([sample.folder.path("events.frames.json")]) { _ in [] },
      leaflet: try LeafletFiles(folders: [sample.folder.path("leaflet")]),
      hosts: PreviewRouter.hosts(port: 8080))
    func get(_ target: String) -> PreviewAnswer {
      router.answer(PreviewRequest(method: "GET", target: target, host: "127.0.0.1:8080"))
    }
    let catalogue = String(decoding: get("/catalogue.json").content.bytes, as: UTF8.self)
    for frame in try sample.manifest().frames { #expect(catalogue.contains(frame.time)) }
    let stored = try ArchiveReader(FilePath(sample.folder.path("events/latest.mbtiles")))
      .tile(TileCoord(z: 1, x: 0, y: 0))
    let tile = get("/tiles/events/1x/2024-03-10T0000Z/1/0/0.png")
    #expect(tile.status == 200 && stored?.elementsEqual(tile.content.bytes) == true)
  }

  @Test("a window without anything on the map is an archive of transparent tiles")
  func beyondBounds() throws {
    let sample = try EventSample(
      "every: 1d", tiles: "{minzoom: 2, maxzoom: 2, bounds: [100, 50, 101, 51]}")
    #expect(try sample.build().series?.built == 10)
  }
}
