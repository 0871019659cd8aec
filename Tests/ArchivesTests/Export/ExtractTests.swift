import Foundation
import MBTiles
import Pictures
import PipelineSamples
import SQLite
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Archives
@testable import Baking
@testable import Pipeline
@testable import Reuse
@testable import Runs

@Suite("Extracts of archives")
struct ExtractTests {
  @Test(
    "an extract of some zooms keeps their tiles, byte for byte, and the layout",
    arguments: ["dedup", "flat"])
  func zooms(layout: String) throws {
    let sample = try ExportSample(layout: layout)
    let summary = try sample.export(to: "small.mbtiles") {
      $0.minZoom = 2
      $0.maxZoom = 4
    }
    let expected = try sample.tiles().filter { (2...4).contains($0.key.z) }
    #expect(try sample.tiles("small.mbtiles") == expected)
    #expect(summary.tiles == expected.count && summary.zooms == 2...4)
    let metadata = try sample.metadata("small.mbtiles")
    #expect(metadata["minzoom"] == "2" && metadata["maxzoom"] == "4")
    #expect(metadata["name"] == "sample" && metadata["format"] == "png")
    let reader = try ArchiveReader(FilePath(sample.path("small.mbtiles")))
    #expect(reader.layout.rawValue == layout)
    #expect(try reader.blockHashes().digest == metadata[ArchiveMetadata.digestKey])
    #expect(ArchiveVerifier().verify(FilePath(sample.path("small.mbtiles"))).isSound)
  }

  @Test("a box takes the tiles that share more than an edge with it, also over the antimeridian")
  func box() throws {
    let sample = try ExportSample()
    for box in [
      GeoBounds(west: 10, south: -20, east: 60, north: 35),
      GeoBounds(west: 170, south: -20, east: -160, north: 35),
    ] {
      try sample.export(to: "small.mbtiles") { $0.bounds = box }
      let area = BoxArea(box)
      let expected = try sample.tiles().filter { area.meets($0.key) }
      #expect(!expected.isEmpty)
      #expect(try sample.tiles("small.mbtiles") == expected)
      let path = FilePath(sample.path("small.mbtiles"))
      #expect(ArchiveVerifier().verify(path).findings.map(\.message) == [])
    }
  }

  @Test("an extract has a digest and a seal, but neither a build's ledger nor its fingerprint")
  func ownKeys() throws {
    let sample = try ExportSample()
    try sample.export(to: "small.mbtiles") { $0.maxZoom = 2 }
    let old = try sample.metadata("out.mbtiles")
    let metadata = try sample.metadata("small.mbtiles")
    for key in [ArchiveMetadata.ledgerKey, ArchiveMetadata.inputsKey, Provenance.key] {
      #expect(old[key] != nil && metadata[key] == nil)
    }
    #expect(metadata[ArchiveMetadata.digestKey] != old[ArchiveMetadata.digestKey])
    let origin = try #require(metadata[TilesetDescription.originKey])
    #expect(origin.contains(try #require(old[ArchiveMetadata.digestKey])))
    let summary = try PipelineRunner.verify(
      archive: sample.path("small.mbtiles"), cancellation: Cancellation(), progress: { _ in })
    #expect(summary.faults == [] && summary.warnings == [])
  }

  @Test(
    "an extract of everything has the tiles of the archive, and equal extracts have equal bytes")
  func everything() throws {
    let sample = try ExportSample()
    try sample.export(to: "a.mbtiles")
    try sample.export(to: "b.mbtiles")
    #expect(try sample.tiles("a.mbtiles") == sample.tiles())
    #expect(
      try sample.metadata("a.mbtiles")[ArchiveMetadata.digestKey]
        == sample.metadata("out.mbtiles")[ArchiveMetadata.digestKey])
    #expect(try sample.sample.folder.bytes("a.mbtiles") == sample.sample.folder.bytes("b.mbtiles"))
  }

  @Test(
    "an extract by polygon leaves transparent tiles inside its box where readers would show parents"
  )
  func polygon() throws {
    let sample = try ExportSample()
    try sample.sample.folder.write(
      #"""
      {"type": "Polygon", "coordinates": [[[-120, -50], [100, -50], [-120, 55], [-120, -50]]]}
      """#, to: "area.geojson")
    let summary = try sample.export(to: "small.mbtiles") {
      $0.polygonFile = sample.path("area.geojson")
    }
    var area = try PolygonArea(contentsOf: sample.path("area.geojson"))
    let all = try sample.tiles()
    let small = try sample.tiles("small.mbtiles")
    let box = BoxArea(area.bounds)
    var cleared = 0
    for (tile, bytes) in all {
      if area.meets(tile) {
        #expect(small[tile] == bytes)
      } else if let got = small[tile] {
        cleared += 1
        #expect(got.withUnsafeBytes { try? PNGStructure($0).isBlank } == true)
      } else if box.meets(tile), let parent = tile.parent, area.meets(parent) {
        // A missing tile must have a parent that shows nothing.
        let drawn = all[parent].map { $0.withUnsafeBytes { try? PNGStructure($0).isBlank } }
        #expect(drawn != .some(false), "\(tile)")
      }
    }
    #expect(cleared > 0 && summary.notes.contains { $0.hasPrefix("\(cleared) tiles") })
    #expect(ArchiveVerifier().verify(FilePath(sample.path("small.mbtiles"))).isSound)
  }

  @Test("an extract keeps UTFGrids with their tiles, and their keys")
  func grids() throws {
    let sample = try ExportSample(
      tiles: "{maxzoom: 5, snap: 1, interactivity: {layers: [disc], fields: [name]}}")
    let box = GeoBounds(west: -60, south: -40, east: 60, north: 40)
    try sample.export(to: "small.mbtiles") { $0.bounds = box }
    let old = try ArchiveReader(FilePath(sample.archive))
    let new = try ArchiveReader(FilePath(sample.path("small.mbtiles")))
    let area = BoxArea(box)
    var count = 0
    for tile in try sample.tiles().keys where area.meets(tile) {
      let grid = try old.grid(of: tile)
      #expect(try new.grid(of: tile) == grid)
      if grid != nil { count += 1 }
    }
    let (whole, part) = (
      try #require(try old.gridSummary()), try #require(try new.gridSummary())
    )
    #expect(count > 0 && part.tiles == count)
    #expect(part.keys > 0 && part.keys < whole.keys)
    let verification = try PipelineRunner.verify(
      archive: sample.path("small.mbtiles"), cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
  }

  @Test("an extract keeps compact taps with their tiles, and the entries that they need")
  func compactTaps() throws {
    let sample = try ExportSample(
      tiles:
        "{maxzoom: 5, snap: 1, interactivity: {layers: [disc], fields: [name], format: compact}}")
    let box = GeoBounds(west: -60, south: -40, east: 60, north: 40)
    try sample.export(to: "small.mbtiles") { $0.bounds = box }
    let old = try ArchiveTap(FilePath(sample.archive))
    let new = try ArchiveTap(FilePath(sample.path("small.mbtiles")))
    let area = BoxArea(box)
    var (kept, lost) = (0, 0)
    for tile in try sample.tiles().keys.sorted(by: { $0.archiveKey < $1.archiveKey }) {
      for place in [(0.5, 0.5), (0.2, 0.7), (0.8, 0.1)] {
        let answer = try old.answer(in: tile, x: place.0, y: place.1)
        let part = try new.answer(in: tile, x: place.0, y: place.1)
        #expect(part == (area.meets(tile) ? answer : nil), "\(tile)")
        if part != nil { kept += 1 } else if answer != nil { lost += 1 }
      }
    }
    #expect(kept > 0 && lost > 0)
    let whole = try #require(try ArchiveReader(FilePath(sample.archive)).gridSummary())
    let part = try #require(
      try ArchiveReader(FilePath(sample.path("small.mbtiles"))).gridSummary())
    #expect(part.keys < whole.keys && part.tiles < whole.tiles)
    let verification = try PipelineRunner.verify(
      archive: sample.path("small.mbtiles"), cancellation: Cancellation(), progress: { _ in })
    #expect(verification.faults == [])
    let summary = try sample.export(to: "small.pmtiles") { $0.bounds = box }
    #expect(summary.notes.contains { $0.contains("taps") })
  }

  @Test(
    "an extract is taken from archives of other programs, too",
    .enabled(if: SharedData.isThere, "needs ../shared/data"),
    arguments: ["nodembtiles_plain_1", "nodembtiles_unindexed", "mbutil_one_tile"])
  func foreign(name: String) throws {
    let archive = SharedData.path("mbtiles/\(name).mbtiles")
    let folder = try TemporaryFolder()
    var options = ExportOptions(
      archive: archive, output: folder.path("small.mbtiles"), container: .mbtiles)
    options.maxZoom = 3
    let summary = try PipelineRunner.export(
      options, cancellation: Cancellation(), progress: { _ in })
    let old = try ArchiveReader(FilePath(archive))
    let new = try ArchiveReader(FilePath(options.output))
    var count = 0
    try old.forEachTile { tile, bytes throws(ArchiveError) in
      guard tile.z <= 3 else { return }
      count += 1
      let kept = try new.tile(tile)
      #expect(kept == Array(bytes))
    }
    #expect(count == summary.tiles && count > 0)
  }

  /// A foreign archive of vector tiles.
  private func foreign(_ columns: String, _ rows: String) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let path = folder.path("foreign.mbtiles")
    try Database(path: path, mode: .create).execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (\(columns));
      INSERT INTO metadata VALUES ('name', 'roads'), ('format', 'pbf');
      INSERT INTO tiles VALUES \(rows);
      """)
    return (folder, path)
  }

  @Test(
    "rows of other programs that are dropped are reported",
    arguments: [
      ("(0, 0, 0, x'1F8B0102'), (0, 0, 0, x'1A03')", "1 row was left out since the tile"),
      ("(0, 0, 0, x'1A'), (0, 0, 0, x'1B'), (0, 0, 0, x'1C')", "2 rows were left out since"),
      ("(0, 0, 0, x'1A03'), (1, 2, 0, x'1A'), (31, 0, 0, x'1A')", "2 rows were left out that name"),
      ("(0, 0, 0, x'1A03'), (NULL, 0, 0, x'1A')", "1 row was left out that names no tile"),
      ("(0, 0, 0, x'1A03'), (1, 0, 0, NULL), (1, 0, 1, x'')", "2 tiles without bytes"),
    ])
  func leftOut(rows: String, note: String) throws {
    let (folder, path) = try foreign(
      "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB", rows)
    for name in ["small.mbtiles", "small.pmtiles"] {
      let options = ExportOptions(
        archive: path, output: folder.path(name), container: TileContainer(ofPath: name))
      let summary = try PipelineRunner.export(
        options, cancellation: Cancellation(), progress: { _ in })
      #expect(summary.tiles == 1)
      #expect(summary.notes.filter { $0.contains("left out") }.count == 1)
      #expect(summary.notes.contains { $0.hasPrefix(note) }, "\(summary.notes)")
    }
  }

  @Test("the whole archive of another program gets a transparent tile in each zoom between others")
  func gap() throws {
    let (folder, path) = try foreign(
      "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB",
      "(0, 0, 0, x'1A03'), (2, 1, 1, x'1A03')")
    for name in ["whole.mbtiles", "whole.pmtiles"] {
      let summary = try PipelineRunner.export(
        ExportOptions(
          archive: path, output: folder.path(name), container: TileContainer(ofPath: name)),
        cancellation: Cancellation(), progress: { _ in })
      #expect(summary.tiles == 3 && summary.zooms == 0...2)
      #expect(summary.notes.contains { $0.hasPrefix("1 transparent tile was added") })
    }
    // Builds verify pictures only, but gaps of any tiles.
    func gaps(_ path: String) -> [String] {
      ArchiveVerifier().verify(FilePath(path)).findings.map(\.message).filter {
        $0.contains("no tiles between")
      }
    }
    #expect(gaps(path).count == 1 && gaps(folder.path("whole.mbtiles")).isEmpty)
  }

  @Test("a row without bytes does not hide a later one of the same tile")
  func hollowFirst() throws {
    let (folder, path) = try foreign(
      "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB",
      "(0, 0, 0, NULL), (0, 0, 0, x'1A03')")
    let summary = try PipelineRunner.export(
      ExportOptions(archive: path, output: folder.path("a.mbtiles"), container: .mbtiles),
      cancellation: Cancellation(), progress: { _ in })
    #expect(summary.tiles == 1)
  }

  @Test("coordinates that are not integers are reported as such", arguments: [nil, 0])
  func textCoordinates(minZoom: Int?) throws {
    let (folder, path) = try foreign(
      "zoom_level TEXT, tile_column TEXT, tile_row TEXT, tile_data BLOB", "(0, 0, 0, x'1A03')")
    var options = ExportOptions(
      archive: path, output: folder.path("a.mbtiles"), container: .mbtiles)
    options.minZoom = minZoom
    options.maxZoom = minZoom
    let error = #expect(throws: PipelineError.self) {
      try PipelineRunner.export(options, cancellation: Cancellation(), progress: { _ in })
    }
    #expect(error?.code == .badData && error?.message.contains("zoom_level is text") == true)
    #expect(error?.message.contains("Widen") == false)
  }

  @Test(
    "an empty extract, the archive as its own target, a missing one and a bad area are reported")
  func refusals() throws {
    let sample = try ExportSample()
    try sample.sample.folder.write(
      #"{"type": "Point", "coordinates": [1, 2]}"#, to: "point.geojson")
    func code(_ name: String, _ change: (inout ExportOptions) -> Void) -> PipelineError.Code? {
      do {
        try sample.export(to: name, change)
        return nil
      } catch {
        return (error as? PipelineError)?.code
      }
    }
    #expect(code("a.mbtiles") { $0.minZoom = 9 } == .badData)
    #expect(code("out.mbtiles") { _ in } == .usage)
    #expect(code("a.mbtiles") { $0.archive = sample.path("none.mbtiles") } == .missingInput)
    #expect(code("a.mbtiles") { $0.polygonFile = sample.path("point.geojson") } == .badData)
    #expect(code("a.mbtiles") { $0.polygonFile = sample.path("none.geojson") } == .missingInput)
    #expect(code("no/a.mbtiles") { _ in } == .cannotCreate)
    #expect(try !sample.sample.folder.names().contains { $0.hasPrefix("a.") || $0.contains("tmp") })
  }
}

@Suite("Polygons as areas")
struct PolygonAreaTests {
  private func area(_ rings: [[[Double]]]) throws -> PolygonArea {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      #"{"type": "Polygon", "coordinates": \#(rings)}"#, to: "area.geojson")
    return try PolygonArea(contentsOf: path)
  }

  @Test("a polygon meets the tiles with points of a fine grid inside it, and few others")
  func bruteForce() throws {
    var random = SplitMix64(seed: 17)
    for _ in 0..<3 {
      // A star around a middle, so that rings do not cross themselves.
      let middle = (random.number(in: -100..<100), random.number(in: -40..<40))
      var ring = (0..<12).map { index in
        let angle = Double(index) / 12 * 2 * Double.pi
        let radius = random.number(in: 5..<60)
        return [middle.0 + radius * cos(angle), middle.1 + 0.6 * radius * sin(angle)]
      }
      ring.append(ring[0])
      var area = try area([ring])
      let zoom = 4
      let count = 1 << zoom
      let steps = 12
      let vertices = try ring.map { position in
        let point = try #require(
          WorldPoint(LngLat(longitude: position[0], latitude: position[1])))
        let turns = ((position[0] + 180) / 360).rounded(.down)
        return (x: Double(point.x) / 4_294_967_296 + turns, y: Double(point.y) / 4_294_967_296)
      }
      func isInside(_ x: Double, _ y: Double) -> Bool {
        var inside = false
        for (one, other) in zip(vertices, vertices.dropFirst())
        where (one.x <= x) != (other.x <= x) {
          let share = (x - one.x) / (other.x - one.x)
          if one.y + (other.y - one.y) * share > y { inside.toggle() }
        }
        return inside
      }
      var (met, extra) = (0, 0)
      for x in 0..<count {
        for y in 0..<count {
          var hit = false
          search: for column in 0..<steps {
            for row in 0..<steps {
              let px = (Double(x) + (Double(column) + 0.5) / Double(steps)) / Double(count)
              let py = (Double(y) + (Double(row) + 0.5) / Double(steps)) / Double(count)
              if isInside(px, py) || isInside(px + 1, py) || isInside(px - 1, py) {
                hit = true
                break search
              }
            }
          }
          let answer = area.meets(TileCoord(z: zoom, x: x, y: y))
          if hit { #expect(answer, "\(zoom)/\(x)/\(y)") }
          if answer { met += 1 }
          // Slivers between the points of the grid.
          if answer, !hit { extra += 1 }
        }
      }
      #expect(extra * 4 <= met, "\(extra) of \(met)")
    }
  }

  @Test("holes are not met, and a polygon that ends at a tile's edge does not meet the next tile")
  func holes() throws {
    var area = try area([
      [[-90, -66], [90, -66], [90, 66], [-90, 66], [-90, -66]],
      [[-80, -60], [-80, 60], [80, 60], [80, -60], [-80, -60]],
    ])
    let middle = TileCoord(WorldPoint(x: 1 << 31, y: 1 << 31), z: 4)
    let meetsHole = area.meets(middle)
    #expect(!meetsHole)
    let columns = (0..<4).filter { area.meets(TileCoord(z: 2, x: $0, y: 1)) }
    #expect(columns == [1, 2])
  }

  @Test("a polygon over the antimeridian, cut there or not, meets both sides")
  func antimeridian() throws {
    var beyond = try area([[[170, -10], [190, -10], [190, 10], [170, 10], [170, -10]]])
    var jumping = try area([[[170, -10], [-170, -10], [-170, 10], [170, 10], [170, -10]]])
    for x in 0..<16 {
      let tile = TileCoord(z: 4, x: x, y: 8)
      let answers = [beyond.meets(tile), jumping.meets(tile)]
      #expect(answers == [Bool](repeating: [0, 15].contains(x), count: 2))
    }
  }

  @Test("the order in which tiles are tested against a polygon does not matter")
  func anyOrder() throws {
    let rings = [[[-120.0, -50], [100, -50], [-120, 55], [-120, -50]]]
    var (forth, back) = (try area(rings), try area(rings))
    let tiles = (0..<64).flatMap { x in (0..<64).map { TileCoord(z: 6, x: x, y: $0) } }
    let answers = tiles.map { forth.meets($0) }
    let reversed = tiles.reversed().map { back.meets($0) }
    #expect(reversed == answers.reversed())
    #expect(answers.contains(true) && answers.contains(false))
  }
}
