import Files
import Foundation
import MBTiles
import Overlays
import PNG
import PipelineSamples
import Raster
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("An image series")
struct SeriesBuildTests {
  @Test("a frame of 24:00 is that of the next day's midnight, and does not end the series")
  func endOfDay() throws {
    let sample = try SeriesSample(hours: [22, 23, 24])
    #expect(try sample.build().series?.built == 3)
    let times = try sample.manifest().frames.map(\.time)
    #expect(times == ["2014-01-19T22:00:00Z", "2014-01-19T23:00:00Z", "2014-01-20T00:00:00Z"])
    try sample.write(1, name: "in/2014012000.png")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("are both the frame of 2014-01-20T00:00:00Z") == true)
  }

  @Test("a frame whose rows are stored turned has the size and the tiles of the upright one")
  func turned() throws {
    let sample = try SeriesSample()
    try sample.build()
    let expected = try sample.outputs()["rain/2014-01-19T0700Z.mbtiles"]
    let upright = SeriesSample.picture(7)
    let stored = Pixmap(width: upright.height, height: upright.width)
    for y in 0..<upright.height {
      for x in 0..<upright.width { stored[y, upright.width - 1 - x] = upright[x, y] }
    }
    let png = ExifSample.png(PNGEncoder().encode(stored), ExifSample.data(6))
    try sample.write(png, to: SeriesSample.name(7))
    let report = try sample.build()
    #expect(report.series?.frames == 3 && report.series?.built == 1)
    let archive = try #require(try sample.outputs()["rain/2014-01-19T0700Z.mbtiles"])
    // Only the digest of the input differs.
    #expect(try Self.tiles(archive) == Self.tiles(try #require(expected)))
  }

  /// Returns the digest of the tiles of an archive.
  private static func tiles(_ bytes: [UInt8]) throws -> String? {
    let folder = try TemporaryFolder()
    let path = folder.path("a.mbtiles")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try ArchiveReader(FilePath(path)).metadata[ArchiveMetadata.digestKey]
  }

  @Test(
    "an image series becomes archives, a manifest, an alias, an animation, a sheet and sidecars")
  func whole() throws {
    let sample = try SeriesSample()
    let report = try sample.build()
    #expect(report.result == .published)
    #expect(report.series?.built == 3 && report.series?.frames == 3)
    let files = try sample.outputs()
    #expect(
      files.keys.sorted() == [
        "rain.apng", "rain.contact.png", "rain.frames.json", "rain.legend.json", "rain.legend.png",
        "rain.style.json", "rain.tilejson", "rain/2014-01-19T0600Z.mbtiles",
        "rain/2014-01-19T0700Z.mbtiles", "rain/2014-01-19T0800Z.mbtiles", "rain/latest.mbtiles",
      ])
    #expect(files["rain/latest.mbtiles"] == files["rain/2014-01-19T0800Z.mbtiles"])
    let manifest = try sample.manifest()
    for frame in manifest.frames {
      let path = FilePath(sample.folder.path(frame.file))
      #expect(try FileDigest.sha256(of: path) == frame.sha256)
    }
    let summary = try PipelineRunner.verify(
      archive: sample.folder.path("rain.frames.json"), cancellation: Cancellation(),
      progress: { _ in })
    #expect(summary.faults.isEmpty && summary.conclusion == "sound: 3 archives")
    #expect(
      try PipelineRunner.inspect(archive: sample.folder.path("rain.frames.json")).contains(
        "2014-01-19T07:00:00Z"))
    // The animation begins as a PNG of the frame's place; one that does not animate shows it.
    #expect(try PNGDecoder().decode(try #require(files["rain.apng"])).width > 20)
  }

  @Test("each archive of an image series equals a pipeline of that image alone")
  func sameAsImage() throws {
    let sample = try SeriesSample(hours: [6, 7])
    try sample.build()
    let single = try sample.folder.write(
      """
      version: 1
      name: weather
      sources: {rain: {type: image, url: in/2014011907.png, bounds: [-12, 48, 5, 61]}}
      layers: [{id: r, type: raster, source: rain}]
      tiles: {minzoom: 0, maxzoom: 1}
      output: {path: one.mbtiles}
      """, to: "one.yml")
    let report = try PipelineRunner.build(
      PipelineDefinition(contentsOf: single, environment: { _ in nil }), options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })[0]
    let frame = try ArchiveReader(FilePath(sample.folder.path("rain/2014-01-19T0700Z.mbtiles")))
    #expect(try frame.blockHashes().digest == report.archive.digest)
    #expect(frame.metadata["quadrille:time"] == "2014-01-19T07:00:00Z")
  }

  @Test("an image series has the same bytes on any number of threads, and whatever came before")
  func order() throws {
    let sample = try SeriesSample(hours: [6, 7, 8, 9])
    try sample.build()
    let all = try sample.outputs()
    try sample.build(threads: 3, force: true)
    #expect(try sample.outputs() == all)
    // Late frames: the third and the first come after the others were published.
    let late = try SeriesSample(hours: [9, 7])
    try late.build()
    try late.write(8)
    try late.build()
    try late.write(6)
    let report = try late.build()
    #expect(report.series?.built == 1 && report.series?.unchanged == 3)
    #expect(try late.outputs() == all)
  }

  @Test("an unchanged image series touches no file")
  func unchanged() throws {
    let sample = try SeriesSample()
    try sample.build()
    let before = try times(sample)
    let report = try sample.build()
    #expect(report.result == .unchanged && report.series?.built == 0)
    #expect(try times(sample) == before)
  }

  /// When each file was last changed.
  private func times(_ sample: SeriesSample) throws -> [String: Date] {
    try sample.outputs().keys.reduce(into: [:]) { times, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: sample.folder.path(name))
      times[name] = attributes[.modificationDate] as? Date
    }
  }

  @Test("an image series builds only what was added or changed, and a lost archive again")
  func incremental() throws {
    let sample = try SeriesSample()
    try sample.build()
    try sample.write(9)
    var report = try sample.build()
    #expect(report.series?.built == 1 && report.series?.unchanged == 3)
    try sample.write(7, SeriesSample.picture(11))
    report = try sample.build()
    #expect(report.series?.built == 1 && report.series?.unchanged == 3)
    try sample.remove("rain/2014-01-19T0600Z.mbtiles")
    report = try sample.build()
    #expect(report.series?.built == 1)
    #expect(try sample.missingFiles().isEmpty)
    let whole = try SeriesSample(hours: [6, 8, 9])
    try whole.write(7, SeriesSample.picture(11))
    try whole.build()
    #expect(try sample.outputs() == whole.outputs())
  }

  @Test("an image series keeps the newest frames and removes expired ones")
  func keep() throws {
    let sample = try SeriesSample(hours: [5, 6, 7], source: ", keep: 3")
    try sample.build()
    try sample.write(8)
    let report = try sample.build()
    #expect(report.series?.built == 1 && report.series?.expired == 1)
    #expect(report.series?.leftOut == 1)
    let whole = try SeriesSample(hours: [6, 7, 8], source: ", keep: 3")
    try whole.build()
    #expect(try sample.outputs() == whole.outputs())
  }

  @Test(
    "an image series reports gaps, and shows the frame before longer if gaps are held",
    arguments: [("skip", 1000), ("hold", 3000)])
  func gap(policy: String, duration: Int) throws {
    let sample = try SeriesSample(hours: [4, 5, 6, 9], source: ", onMissing: \(policy)")
    let report = try sample.build()
    let manifest = try sample.manifest()
    #expect(manifest.gaps.map(\.missing) == [2] && manifest.gaps[0].policy == policy)
    #expect(manifest.frames[2].duration == duration)
    #expect(report.series?.gaps.count == 1)
    #expect(report.summary.contains("2 between 2014-01-19T06:00:00Z and 2014-01-19T09:00:00Z"))
  }

  @Test("an image series with a gap is refused if the policy says so")
  func refusedGap() throws {
    let sample = try SeriesSample(hours: [4, 5, 6, 9], source: ", onMissing: fail")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.code == .missingInput && error?.exitCode == 66)
    #expect(try sample.outputs().isEmpty)
  }

  @Test("an image series without rain is an archive of transparent tiles that readers can open")
  func dry() throws {
    let sample = try SeriesSample()
    let blank = Pixmap(width: 24, height: 30)
    blank.clear()
    try sample.write(7, blank)
    let report = try sample.build()
    #expect(report.series?.built == 3 && report.series?.unusable.isEmpty == true)
    let reader = try ArchiveReader(FilePath(sample.folder.path("rain/2014-01-19T0700Z.mbtiles")))
    let summary = try reader.summary()
    #expect(summary.tiles == summary.empty && summary.tiles >= 1)
    #expect(
      try ArchiveInspection(sample.folder.path("rain/2014-01-19T0700Z.mbtiles")).verify().faults
        .isEmpty)
  }

  @Test("an image series counts the tiles that two frames share")
  func identical() throws {
    let sample = try SeriesSample(hours: [6, 7])
    try sample.write(8, SeriesSample.picture(7))
    let report = try sample.build()
    let counts = try ["0600", "0700", "0800"].map {
      try ArchiveReader(FilePath(sample.folder.path("rain/2014-01-19T\($0)Z.mbtiles"))).summary()
        .tiles
    }
    #expect(report.series?.comparedTiles == counts[1] + counts[2])
    #expect((report.series?.identicalTiles ?? 0) >= counts[2])
  }

  @Test("an image series is drawn at two densities")
  func scales() throws {
    let sample = try SeriesSample(tiles: "{maxzoom: 1, scale: [1, 2]}")
    let reports = try sample.reports()
    #expect(reports.map(\.result) == [.published, .published])
    let files = try sample.outputs()
    #expect(files["rain@2x.frames.json"] != nil && files["rain@2x/latest.mbtiles"] != nil)
    #expect(files["rain@2x.apng"] == nil && files["rain.apng"] != nil)
    let reader = try ArchiveReader(FilePath(sample.folder.path("rain@2x/latest.mbtiles")))
    let tile = try #require(try reader.tile(TileCoord(z: 0, x: 0, y: 0)))
    #expect(try PNGInfo(tile).width == 512)
    let plain = try ArchiveReader(FilePath(sample.folder.path("rain/latest.mbtiles")))
    #expect(reader.metadata["bounds"] == plain.metadata["bounds"])
    #expect(try sample.reports().map(\.result) == [.unchanged, .unchanged])
  }

  @Test("an image series reports skipped and repaired sources like a build without series")
  func sharedNotes() throws {
    let server = try LocalServer { _, connection in connection.answer(404, [], "gone") }
    let sample = try SeriesSample(
      hours: [6],
      layers: """
        [{id: r, type: raster, source: rain}, {id: p, type: circle, source: places},
        {id: a, type: fill, source: areas}]
        """,
      more: """
        places: {type: csv, data: '\(server.url("/h.csv"))', onFetchError: skip}
          areas:
            type: geojson
            data: {type: Polygon, coordinates: [[[0, 50], [2, 50], [2, 52]]]}
        """)
    let definition = try sample.definition()
    func notes() throws -> [String] {
      try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in }
      )[0].notes
    }
    let first = try notes()
    #expect(first.count { $0.contains("'places' is left out") } == 1, "\(first)")
    #expect(first.count { $0.contains("'areas'") && $0.contains("they were closed") } == 1)
    // The frame stays and nothing is read, but the source is still missing.
    #expect(try notes().count { $0.contains("'places' is left out") } == 1)
  }

  @Test(
    "an image series lies under what other sources draw, and beside other series, never with them")
  func several() throws {
    let sample = try SeriesSample(
      layers: """
        [{id: r, type: raster, source: rain}, {id: c, type: raster, source: cloud},
        {id: p, type: circle, source: places, paint: {circle-color: red}}]
        """,
      tiles: "{minzoom: 3, maxzoom: 3}",
      more: """
        cloud: {type: image-series, frames: 'in/*6.png', time: '%Y%m%d%H', bounds: [0, 0, 9, 9]}
          places: {type: geojson, data: {type: Point, coordinates: [100, -40]}}
        """)
    let reports = try sample.reports()
    #expect(reports.map { $0.series?.frames } == [3, 1])
    let files = try sample.outputs()
    #expect(files["rain-rain.frames.json"] != nil && files["rain-cloud.frames.json"] != nil)
    #expect(reports[0].sources.map(\.name) == ["rain", "places"])
    // The dot is in both, each image in one.
    let cloud = try ArchiveReader(FilePath(sample.folder.path("rain-cloud/latest.mbtiles")))
    let rain = try ArchiveReader(FilePath(sample.folder.path("rain-rain/latest.mbtiles")))
    let dot = try #require(TileCoord("3/6/4"))
    #expect(try cloud.tile(dot) != nil)
    #expect(try cloud.tile(dot) == rain.tile(dot))
    let britain = try #require(TileCoord("3/3/2"))
    #expect(try rain.tile(britain) != nil && cloud.tile(britain) == nil)
  }
}
