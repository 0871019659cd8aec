import Features
import Foundation
import TestSupport
import Testing
import Tiling

@testable import Overlays

@Suite struct FrameSourceTests {
  @Test func `frames are files of a folder, timed by their names`() throws {
    let folder = try TemporaryFolder()
    for name in ["2014-01-19T0615Z.png", "2014-01-19T0600Z.png", "notes.txt"] {
      try folder.write("x", to: "rain/\(name)")
    }
    let source = FrameSource.files(
      try FileGlob("rain/*.png"), folder: folder.url.path,
      pattern: try TimePattern("%Y-%m-%dT%H%MZ"))
    let entries = try source.entries()
    #expect(
      entries.map(\.location.description) == [
        "rain/2014-01-19T0600Z.png", "rain/2014-01-19T0615Z.png",
      ])
    #expect(
      entries.map(\.time) == [try time("2014-01-19T06:00"), try time("2014-01-19T06:15")])
    let all = FrameSource.files(
      try FileGlob("rain/*"), folder: folder.url.path, pattern: try TimePattern("%Y-%m-%dT%H%MZ"))
    #expect(
      refusal { () throws(SeriesError) in try all.entries() }.hasPrefix("'rain/notes.txt' holds no")
    )
  }

  @Test func `frames are names in the pipeline file, with times or a pattern`() throws {
    let source = FrameSource.list(
      [
        ListedFrame(image: "a.png", time: "2014-01-19T06:00:00", place: "rain.yml:4"),
        ListedFrame(image: "https://x.org/201401190615.png"),
      ], pattern: try TimePattern("%Y%m%d%H%M"))
    let entries = try source.entries()
    #expect(entries.map(\.time.fileName) == ["2014-01-19T0600Z", "2014-01-19T0615Z"])
    #expect(entries.map(\.place) == ["rain.yml:4", "https://x.org/201401190615.png"])
    guard case .url(let url) = entries[1].location else {
      Issue.record("an address is an address")
      return
    }
    #expect(url.revealed() == "https://x.org/201401190615.png")
  }

  @Test(arguments: [
    (ListedFrame(image: "a.png", place: "rain.yml:4"), "rain.yml:4: the frame 'a.png' has no time"),
    (ListedFrame(image: "", time: "2014-01-19", place: "p"), "p: a frame has an empty name"),
    (ListedFrame(image: "a", time: "soon", place: "p"), "p: 'soon' is no time"),
  ])
  func `a listed frame without a time is refused at its place`(frame: ListedFrame, start: String) {
    let message = refusal { () throws(SeriesError) in
      try FrameSource.list([frame], pattern: nil).entries()
    }
    #expect(message.hasPrefix(start))
  }

  @Test(arguments: [
    (#"{"frames": [{"file": "a.png", "time": "2014-01-19T06:00:00Z", "wet": 3}]}"#, "a.png"),
    (#"{"frames": [{"image": "a.png", "date": "2014-01-19T06:00Z"}]}"#, "a.png"),
    (#"[{"path": "/v2/1390111200", "time": 1390111200}]"#, "/v2/1390111200"),
    (#"[{"url": "https://x.org/a", "instant": "2014-01-19T06"}]"#, "https://x.org/a"),
    (#"["20140119T0600.png"]"#, "20140119T0600.png"),
    (#"{"frames": [{"file": "20140119T0600.png", "time": null}]}"#, "20140119T0600.png"),
  ])
  func `a document of frames is read in its usual forms`(text: String, location: String) throws {
    let source = FrameSource.document(
      try seriesJSON(text), name: "frames.json", pattern: try TimePattern("%Y%m%dT%H%M"))
    let entry = try #require(try source.entries().first)
    #expect(entry.time.fileName == "2014-01-19T0600Z")
    #expect(entry.location.description == location)
    #expect(entry.place.hasPrefix("frames.json: "))
  }

  @Test(arguments: [
    ("{}", "the document has no 'frames'"), (#"{"frames": {}}"#, "frames is object"),
    ("3", "the document has no 'frames'"), (#"[{"time": "2014-01-19"}]"#, "[0] has no 'image'"),
    (#"[{"image": 3}]"#, "[0].image is number"),
    (#"[{"image": "a"}]"#, "[0]: the frame 'a' has no"),
    (#"[{"image": "a", "time": 1390111200000}]"#, "[0].time is no whole number of seconds"),
    (#"[{"image": "a", "time": 0.5}]"#, "[0].time is no whole number"),
    (#"[{"image": "a", "time": "x"}]"#, "[0].time: 'x' is no time"),
    (#"[[]]"#, "[0] has no 'image'"), (#"{"frames": [], "bbox": [1, 2, 3]}"#, "bbox is no box"),
    (#"{"frames": [], "bbox": [1, 9, 3, 2]}"#, "bbox is no box"),
    (#"{"frames": [], "size": [1]}"#, "size is no list"),
    (#"{"frames": [], "size": [1, 0.5]}"#, "size[1] is no whole number"),
    (#"{"frames": [{"time": "2014-01-19", "sha256": ""}]}"#, "a manifest of built archives"),
  ])
  func `an invalid document of frames is refused with its place`(text: String, reason: String)
    throws
  {
    let document = try seriesJSON(text)
    let message = refusal { () throws(SeriesError) in
      try FramesDocument(document, name: "frames.json")
    }
    #expect(message.hasPrefix("frames.json: "))
    #expect(message.contains(reason), "\(message)")
  }

  @Test func `a JSON file beside an image gives its time`() throws {
    let plain = try seriesJSON(#"{"date": "2016-11-20T00:00Z", "width": 360}"#)
    let entry = try FrameEntry(sidecar: plain, name: "gfs/2016112000.json")
    #expect(entry.location == .file("gfs/2016112000.png"))
    #expect(entry.time.fileName == "2016-11-20T0000Z")
    let named = try seriesJSON(#"{"time": "2016-11-20", "image": "x.jpg"}"#)
    #expect(try FrameEntry(sidecar: named, name: "gfs/a.json").location == .file("gfs/x.jpg"))
    let message = refusal { () throws(SeriesError) in
      try FrameEntry(sidecar: .null, name: "a.json")
    }
    #expect(message == "a.json: the document has no 'time'.")
  }

  @Test(
    .enabled(if: SharedData.isThere, "needs ../shared/data"),
    arguments: [
      ("metoffice_uk/frames.json", 13, 10_800, 500),
      ("metoffice_uk/rain/frames.json", 13, 10_800, 500),
      ("mrms_conus_se/frames.json", 8, 600, 625),
    ])
  func `real series have every frame`(name: String, count: Int, cadence: Int64, width: Int) throws {
    let path = SharedData.path("images/\(name)")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    // Texts with spaces in them are not needed here.
    let document = try FramesDocument(try seriesJSON(text), name: name)
    let series = try FrameSeries(document.entries, options: SeriesOptions())
    #expect(series.entries.count == count)
    #expect(series.cadence == cadence)
    #expect(series.gaps == [])
    #expect(document.size?.width == width)
    #expect(document.bounds?.contains(LngLat(longitude: -7, latitude: 50)) == (width == 500))
    let folder = SharedData.path("images/" + name.dropLast("/frames.json".count))
    for entry in series.entries {
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(entry.location)"))
    }
  }

  @Test(.enabled(if: SharedData.isThere, "needs ../shared/data"))
  func `times of real names and of the files beside them agree`() throws {
    let folder = SharedData.path("images/gfs_wind_global")
    let images = FrameSource.files(
      try FileGlob("*.png"), folder: folder, pattern: try TimePattern("%Y%m%d%H"))
    let byName = try images.entries()
    #expect(byName.count == 9)
    // Some of these files write the hour as `T600`, which is no time.
    var read = 0
    for (name, frame) in zip(try FileGlob("*.json").files(in: folder), byName) {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      guard !text.contains("T600:"), !text.contains("T1200:"), !text.contains("T1800:") else {
        let json = try seriesJSON(text)
        #expect(throws: SeriesError.self) { try FrameEntry(sidecar: json, name: name) }
        continue
      }
      let beside = try FrameEntry(sidecar: try seriesJSON(text), name: name)
      #expect(beside.time == frame.time)
      #expect(beside.location == frame.location)
      read += 1
    }
    #expect(read > 0)
  }
}
