import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Reports
@testable import Runs

@Suite("The background of a MapLibre style")
struct StyleBackgroundTests {
  /// A style that shows two places over a background.
  private func sample(
    places: String = "[32.5, 48], [32.75, 48.5]", more: String = ""
  ) throws -> BuildSample {
    let sample = try BuildSample(rows: 1)
    try sample.folder.write(
      #"{"type": "MultiPoint", "coordinates": [\#(places)]}"#, to: "places.geojson")
    try sample.folder.write(
      """
      {"version": 8, "name": "sample", "center": [0, 0], "zoom": 1, "pitch": 0, \(more)
       "sources": {"places": {"type": "geojson", "data": "places.geojson"}},
       "layers": [
         {"id": "ground", "type": "background", "paint": {"background-color": "#eee"}},
         {"id": "place", "type": "circle", "source": "places"}],
       "output": {"path": "out.mbtiles"}}
      """, to: "sample.yml")
    return sample
  }

  @Test("a background fills the tiles around the data, at all of the usual zooms")
  func around() throws {
    let sample = try sample()
    try sample.build()
    let archive = try ArchiveReader(FilePath(sample.archive))
    let zooms = try archive.summary().zooms
    #expect(zooms.map(\.zoom) == Array(0...14))
    #expect(zooms.reduce(0) { $0 + $1.tiles } < 2000)
    // A tenth of the longer side around the data: 0.075° or three tiles of zoom 14.
    for (column, isThere) in [(9668, true), (9685, true), (9663, false), (9690, false)] {
      let tile = TileCoord(z: 14, x: column, y: 5690)
      #expect((try archive.tile(tile) != nil) == isThere, "\(tile)")
    }
    let bounds = try #require(archive.metadata["bounds"].flatMap { GeoBounds($0) })
    #expect(
      bounds.west > 32.4 && bounds.west < 32.45 && bounds.east > 32.8 && bounds.east < 32.85,
      "\(bounds)")
    // Maps first look where the data is, although the style was written for another place.
    #expect(archive.metadata["center"]?.hasPrefix("32.625") == true)
  }

  @Test("bounds are kept where they are given")
  func bounds() throws {
    let sample = try sample(more: #""tiles": {"maxzoom": 6, "bounds": [20, 40, 40, 60]},"#)
    try sample.build()
    let archive = try ArchiveReader(FilePath(sample.archive))
    #expect(archive.metadata["bounds"] == "20,40,40,60")
  }

  @Test("bounds that hold none of the data have their first view within them")
  func elsewhere() throws {
    let sample = try sample(more: #""tiles": {"maxzoom": 3, "bounds": [0, 40, 20, 60]},"#)
    try sample.build()
    let archive = try ArchiveReader(FilePath(sample.archive))
    #expect(archive.metadata["center"]?.hasPrefix("20,48.25") == true)
  }

  @Test("data of the whole world has too many tiles, which is refused with a place")
  func world() throws {
    let sample = try sample(places: "[-179, -80], [179, 80]")
    let error = #expect(throws: PipelineError.self) { try sample.build() }
    #expect(error?.message.contains("the background would fill") == true, "\(error as Any)")
    #expect(error?.place?.line == 4)
  }

  @Test("another place beside the data gives the bytes of a build from nothing")
  func incremental() throws {
    let sample = try sample()
    try sample.build()
    try sample.folder.write(
      #"{"type": "MultiPoint", "coordinates": [[32.5, 48], [32.75, 48.5], [33.5, 48.2]]}"#,
      to: "places.geojson")
    try sample.build()
    let changed = try sample.folder.bytes("out.mbtiles")
    var options = BuildOptions()
    options.force = true
    try sample.build(options)
    #expect(try sample.folder.bytes("out.mbtiles") == changed)
  }
}
