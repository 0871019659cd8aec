import Foundation
import PNG
import Raster
import SQLite
import TestSupport
import Testing

@testable import Definition
@testable import Drafts
@testable import Reports
@testable import Styling

@Suite("A draft for raster tiles")
struct TilesetDraftTests {
  /// Writes an archive of one colour for each tile of zoom 0 and 1, as other programs do.
  private func write(_ sample: DraftSample, side: Int, metadata: [String: String] = [:]) throws {
    let database = try Database(path: sample.folder.path("photo.mbtiles"), mode: .create)
    try database.execute(
      """
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
      """)
    for (name, value) in metadata.sorted(by: { $0.key < $1.key }) {
      try database.execute("INSERT INTO metadata VALUES ('\(name)', '\(value)')")
    }
    let picture = Pixmap(width: side, height: side)
    picture.clear(to: PremultipliedColor(bits: 0xFF00_80FF))
    let digits = PNGEncoder().encode(picture).map { String(format: "%02x", $0) }.joined()
    for (zoom, count) in [(0, 1), (1, 2)] {
      for x in 0..<count {
        for y in 0..<count {
          try database.execute("INSERT INTO tiles VALUES (\(zoom), \(x), \(y), x'\(digits)')")
        }
      }
    }
  }

  @Test("raster tiles get one layer at the size of their pictures", arguments: [256, 512])
  func size(side: Int) throws {
    let sample = try DraftSample()
    try write(sample, side: side, metadata: ["bounds": "-180,-85,180,85"])
    let draft = try sample.draft("photo.mbtiles")
    let definition = try sample.definition(draft)
    #expect(definition.sources.map(\.type) == ["raster"])
    #expect(definition.layers.map(\.type) == [.raster])
    #expect(definition.tiles.tileSize == side && definition.tiles.maxZoom == 1)
    #expect(draft.summary == "1 source, 1 layer, zoom 0 to 1")
    let report = try sample.build(draft)[0]
    #expect(report.result == .published && report.tiles.planned == 5)
  }

  @Test("tiles of double density are shown at half of their size")
  func density() throws {
    let sample = try DraftSample()
    try write(sample, side: 512, metadata: ["scale": "2"])
    let definition = try sample.definition(try sample.draft("photo.mbtiles"))
    #expect(definition.tiles.tileSize == 256)
    #expect(definition.sources[0].node["tileSize"]?.integer == 256)
  }
}
