import Foundation
import GeoPackages
import Ingest
import PNG
import PipelineSamples
import Raster
import SQLite
import TestSupport
import Testing
import Tiling

@testable import Reports
@testable import Runs

@Suite("Tiles of a GeoPackage")
struct TileTableTests {
  private static let edge = WorldPoint.maxLatitude

  @Test("tiles of a GeoPackage show the pixels of one image of the same place")
  func sameAsImage() throws {
    let image = try ImageSample(
      TileTable.world,
      source: "bounds: [-180, -\(Self.edge), 180, \(Self.edge)], resampling: nearest")
    let tiles = try TileTable.sample(TileTable.tiles("pics", TileTable.quarters))
    for zoom in 0...1 {
      let wanted = try image.world(zoom: zoom)
      #expect(wanted.colors.count == 16)
      #expect(try tiles.world(zoom: zoom).differences(from: wanted) == 0)
    }
    let report = try tiles.build()
    #expect(
      report.sources.map(\.image) == [ImageReport(format: "GeoPackage", width: 4, height: 4)])
    #expect(try tiles.build().result == .unchanged)
  }

  @Test("tiles of a GeoPackage come from the deepest zoom unless one is named, and may have gaps")
  func zooms() throws {
    let rows =
      TileTable.quarters + [
        "(3, 2, 5, \(TileTable.blob(TileTable.plain(7))))",
        "(3, 4, 6, \(TileTable.blob(TileTable.plain(9))))",
      ]
    let deep = try TileTable.sample(TileTable.tiles("pics", rows)).world(zoom: 0)
    #expect(deep.colors == [0, TileTable.color(7).bits, TileTable.color(9).bits])
    // Tiles of zoom 3 are 32 px wide at zoom 0.
    for y in 0..<256 {
      for x in 0..<256 {
        let wanted: UInt32 =
          switch (x / 32, y / 32) {
          case (2, 5): TileTable.color(7).bits
          case (4, 6): TileTable.color(9).bits
          default: 0
          }
        guard deep[x, y].bits != wanted else { continue }
        Issue.record("\(x), \(y) has another colour")
        return
      }
    }
    let named = try TileTable.sample(TileTable.tiles("pics", rows), source: "zoom: 1")
    #expect(try named.world(zoom: 0).colors.count == 16)
    let cut = try TileTable.sample(
      TileTable.tiles("pics", rows), source: "bounds: [1, -80, 2, -60]")
    #expect(try cut.world(zoom: 0).colors == [0, TileTable.color(9).bits])
  }

  @Test("tiles of a GeoPackage lose their nodata colours")
  func nodata() throws {
    let tiles = try TileTable.sample(
      TileTable.tiles("pics", TileTable.quarters), source: "nodata: '#0000ff'")
    let colors = try tiles.world(zoom: 0).colors
    #expect(colors.count == 16)
    #expect(colors.contains(0) && !colors.contains(TileTable.color(0).bits))
  }

  @Test("tiles of one of several GeoPackage tables are read if it is named")
  func table() throws {
    let two =
      TileTable.tiles("pics", TileTable.quarters)
      + TileTable.tiles("more", ["(1, 0, 0, \(TileTable.blob(TileTable.plain(3))))"])
    let more = try TileTable.sample(two, source: "table: more")
    #expect(try more.world(zoom: 0).colors == [0, TileTable.color(3).bits])
    #expect(
      Self.fault(try TileTable.sample(two)).contains("has 2 tables of tiles. Set 'table:' to"))
    #expect(Self.fault(try TileTable.sample(two)).contains("tables are more, pics"))
  }

  @Test(
    "unsupported tiles of a GeoPackage are refused with the remedy",
    arguments: [
      ("", "table: x", "definition", "has no table 'x'; tables are pics"),
      ("", "zoom: 2", "definition", "has no tiles of zoom 2; zooms are 1, 3"),
      ("", "zoom: 3", "definition", "'pics' has no tiles of zoom 3"),
      ("", "bearing: 3, bounds: [0, 0, 1, 1]", "definition", "Remove 'bearing'"),
      ("", "coordinates: [[0, 1], [1, 1], [1, 0], [0, 0]]", "definition", "Remove 'coordinates'"),
      ("", "projection: equirectangular", "definition", "Remove 'projection'"),
      ("", "bounds: [170, 0, -170, 1]", "definition", "one source for each side"),
      ("DELETE FROM pics", "", "definition", "'pics' has no tiles"),
      ("DELETE FROM gpkg_contents", "", "badData", "has no table of tiles"),
      (
        "UPDATE pics SET tile_data = X'524946460000000057454250'", "", "badData",
        "tile 1/0/0 of 'pics' is a WebP image, and only PNG and JPEG can be read"
      ),
      (
        "UPDATE pics SET tile_data = substr(tile_data, 1, 40)", "", "badData",
        "tile 1/0/0 of 'pics': "
      ),
      (
        "UPDATE gpkg_tile_matrix SET tile_width = 8000, tile_height = 8000, pixel_x_size = 1, "
          + "pixel_y_size = 1", "", "definition", "Set smaller 'bounds:'"
      ),
      (
        """
        UPDATE gpkg_tile_matrix SET tile_width = 8000, tile_height = 8000, pixel_x_size = 1,
          pixel_y_size = 1 WHERE zoom_level = 3;
        INSERT INTO pics VALUES (NULL, 3, 0, 0, NULL)
        """, "zoom: 3", "definition", "Set 'zoom: 1', the deepest that fits"
      ),
    ])
  func faults(change: String, source: String, code: String, words: String) throws {
    let fault = Self.fault(
      try TileTable.sample(TileTable.tiles("pics", TileTable.quarters) + change, source: source))
    #expect(fault.hasPrefix(code) && fault.contains(words), "\(fault)")
    #expect(!fault.contains("\n"))
  }

  @Test("a zoom that is too large is skipped if none is named")
  func passedOver() throws {
    let tiles = try TileTable.sample(
      TileTable.tiles("pics", TileTable.quarters)
        + """
        UPDATE gpkg_tile_matrix SET tile_width = 8000, tile_height = 8000, pixel_x_size = 1,
          pixel_y_size = 1 WHERE zoom_level = 3;
        INSERT INTO pics VALUES (NULL, 3, 0, 0, NULL)
        """)
    #expect(try tiles.world(zoom: 0).colors.count == 16)
  }

  @Test("a picture larger than its tile is refused before it is decoded")
  func largeTile() throws {
    let rows = ["(1, 0, 0, \(TileTable.blob(TileTable.plain(3, size: 500))))"]
    let fault = Self.fault(try TileTable.sample(TileTable.tiles("pics", rows)))
    #expect(fault.contains("tile 1/0/0 of 'pics': the PNG has 250000 pixels"), "\(fault)")
  }

  @Test("the keys of GeoPackages are refused for other images", arguments: ["table: x", "zoom: 3"])
  func otherImages(key: String) throws {
    let fault = Self.fault(try ImageSample(source: "bounds: [0, 0, 1, 1], \(key)"))
    #expect(fault.contains("is for a GeoPackage, but"), "\(fault)")
  }

  /// The code and the words of a build that fails.
  private static func fault(_ sample: ImageSample) -> String {
    do {
      _ = try sample.build()
      return "none"
    } catch let error as PipelineError {
      return "\(error.code.rawValue) \(error)"
    } catch {
      return "\(error)"
    }
  }
}
