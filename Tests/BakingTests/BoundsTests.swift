import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Reports

@Suite("Bounds of archives")
struct BoundsTests {
  private static let data = GeoBounds(west: 0.5, south: 49.29, east: 0.53, north: 49.31)

  /// A park and lines around it that spill over the tiles at its edges.
  private func sample(
    _ ring: String = "[0.5,49.29],[0.53,49.29],[0.53,49.31],[0.5,49.31],[0.5,49.29]",
    width: Int = 20, tiles: String = "maxzoom: 9, scale: [1, 2]", more: String = ""
  ) throws -> BuildSample {
    let sample = try BuildSample(rows: 1)
    try sample.folder.write(
      """
      {"type": "Feature", "properties": {},
       "geometry": {"type": "Polygon", "coordinates": [[\(ring)]]}}
      """, to: "park.geojson")
    try sample.folder.write(
      """
      version: 1
      name: sample
      sources: {park: {type: geojson, data: park.geojson}}
      layers:
        - {id: edge, type: line, source: park, paint: {line-color: "#040", line-width: \(width)}}
      tiles: {\(tiles)}
      output: {path: out.mbtiles}
      \(more)
      """, to: "sample.yml")
    return sample
  }

  private func bounds(_ sample: BuildSample, _ name: String) throws -> GeoBounds {
    let archive = try ArchiveReader(FilePath(sample.folder.path(name)))
    return try #require(archive.metadata["bounds"].flatMap { GeoBounds($0) })
  }

  @Test("bounds contain the data and only what leads into each stored tile")
  func smallest() throws {
    let sample = try sample(tiles: "maxzoom: 9")
    try sample.build()
    let box = try bounds(sample, "out.mbtiles")
    // The line is wider than the park's distance from the meridian at zooms 0 to 4; at zoom 9 it
    // spills into the tile in the south.
    let pixel = 360 / Double(256 << 9)
    #expect(abs(box.west + pixel) < 1e-6 && box.east == Self.data.east)
    #expect(box.south < Self.data.south && box.south > Self.data.south - 0.4)
    #expect(box.north >= Self.data.north && box.north < Self.data.north + 0.1)
  }

  @Test("bounds are the data's own if nothing extends into another tile")
  func dataItself() throws {
    let sample = try sample(
      "[8,47],[8.2,47],[8.2,47.1],[8,47.1],[8,47]", width: 1, tiles: "maxzoom: 6")
    try sample.build()
    #expect(
      try bounds(sample, "out.mbtiles") == GeoBounds(west: 8, south: 47, east: 8.2, north: 47.1))
  }

  @Test("bounds are the same at both pixel densities, even if one stores more tiles")
  func densities() throws {
    // The disc ends 0.35 px beyond the meridian, where the pixels of @2x alone have a middle.
    let sample = try BuildSample(rows: 1)
    try sample.folder.write("lng,lat\n3.2695,20\n", to: "places.csv")
    try sample.folder.write(
      """
      version: 1
      name: sample
      sources: {places: {type: csv, data: places.csv}}
      layers: [{id: disc, type: circle, source: places, paint: {circle-radius: 5}}]
      tiles: {minzoom: 1, maxzoom: 1, scale: [1, 2]}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    let reports = try sample.build()
    #expect(reports.map(\.tiles.planned) == [1, 2])
    let first = try ArchiveReader(FilePath(sample.folder.path("out.mbtiles")))
    let second = try ArchiveReader(FilePath(sample.folder.path("out@2x.mbtiles")))
    #expect(first.metadata["bounds"] == second.metadata["bounds"])
    #expect(first.metadata["center"] == second.metadata["center"])
    for name in ["out.mbtiles", "out@2x.mbtiles"] {
      let findings = ArchiveVerifier(level: .full).verify(FilePath(sample.folder.path(name)))
        .findings
      #expect(findings.isEmpty)
    }
  }

  @Test(
    "bounds reach as far as a background, whatever the data's box",
    arguments: [
      ("{}", "", GeoBounds.world), ("{background-color: '#fff0'}", "", nil),
      ("{background-opacity: [step, [zoom], 0, 2, 1]}", "", GeoBounds.world),
      ("{}", ", bounds: [-10, 40, 20, 60]", GeoBounds(west: -10, south: 40, east: 20, north: 60)),
      (
        "{}", ", bounds: [170, -60, -170, 60]",
        GeoBounds(west: -180, south: -60, east: 180, north: 60)
      ),
    ] as [(String, String, GeoBounds?)])
  func background(paint: String, tiles: String, expected: GeoBounds?) throws {
    let sample = try BuildSample(rows: 0)
    try sample.folder.write("lng,lat,name\n-5,45,a\n15,55,b\n", to: "places.csv")
    try sample.folder.write(
      """
      version: 1
      name: sample
      sources: {places: {type: csv, data: places.csv}}
      layers:
        - {id: sea, type: background, paint: \(paint)}
        - {id: disc, type: circle, source: places, paint: {circle-radius: 1}}
      tiles: {minzoom: 1, maxzoom: 2, fill: none\(tiles)}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    try sample.build()
    let box = try bounds(sample, "out.mbtiles")
    let data = GeoBounds(west: -5, south: 45, east: 15, north: 55)
    let wanted = expected ?? data
    for (found, edge) in [
      (box.west, wanted.west), (box.south, wanted.south), (box.east, wanted.east),
      (box.north, wanted.north),
    ] {
      #expect(abs(found - edge) < 1e-6, "\(box)")
    }
    let archive = try ArchiveReader(FilePath(sample.folder.path("out.mbtiles")))
    // Maps still look at the data first.
    #expect(archive.metadata["center"]?.hasPrefix("5,50,") == true)
  }

  @Test("bounds end at the box of the pipeline if the data continues")
  func cropped() throws {
    let sample = try sample(tiles: "maxzoom: 9, bounds: [0.51, 49.2, 0.52, 49.4], fill: none")
    try sample.build()
    let box = try bounds(sample, "out.mbtiles")
    #expect(box.east == 0.52)
  }
}
