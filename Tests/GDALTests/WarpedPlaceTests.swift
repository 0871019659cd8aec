import Files
import Foundation
import GDAL
import SystemPackage
import TestSupport
import Testing

@Suite(
  "Places of warped images",
  .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
struct WarpedPlaceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A grid of pixels: width, height, reference system, and west, north, east, south.
  struct Grid: CustomTestStringConvertible, Sendable {
    let name: String
    let width: Int
    let height: Int
    let system: String
    let edges: [Double]

    init(_ name: String, _ width: Int, _ height: Int, _ system: String, _ edges: [Double]) {
      (self.name, self.width, self.height) = (name, width, height)
      (self.system, self.edges) = (system, edges)
    }

    var testDescription: String { name }
  }

  private static let half = 20_037_508.342_789_244

  static let grids = [
    Grid("0 to 360", 1440, 720, "EPSG:4326", [0, 90, 360, -90]),
    Grid("0 to 360, few pixels", 256, 256, "EPSG:4326", [0, 90, 360, -90]),
    Grid("-180 to 180", 360, 180, "EPSG:4326", [-180, 90, 180, -90]),
    Grid(
      "cells around 0 to 359.75, the poles included", 1440, 721, "EPSG:4326",
      [-0.125, 90.125, 359.875, -90.125]),
    Grid("-180 to 180 inclusive", 361, 181, "EPSG:4326", [-180.5, 90.5, 180.5, -90.5]),
    Grid(
      "a strip around the world between two parallels", 720, 1, "EPSG:4326",
      [0, 10.25, 360, 9.75]),
    Grid("the rows from south to north", 360, 180, "EPSG:4326", [-180, -90, 180, 90]),
    Grid("across the antimeridian, 135 to 200", 650, 300, "EPSG:4326", [135, 20, 200, -10]),
    Grid("across the antimeridian, 165 to 185", 200, 100, "EPSG:4326", [165, 55, 185, 45]),
    Grid("across the antimeridian, -200 to -150", 200, 100, "EPSG:4326", [-200, 55, -150, 5]),
    Grid("more than half of the world, 20 to 300", 560, 100, "EPSG:4326", [20, 40, 300, -10]),
    Grid("up to the north pole", 100, 60, "EPSG:4326", [10, 90, 60, 60]),
    Grid("the Arctic", 300, 300, "EPSG:3995", [-3e6, 3e6, 3e6, -3e6]),
    Grid("the Antarctic", 300, 300, "EPSG:3031", [-3e6, 3e6, 3e6, -3e6]),
    Grid("beside the pole", 200, 200, "EPSG:3413", [-2e6, -1e5, 1e6, -3e6]),
    Grid("the pole in a corner", 200, 200, "EPSG:3413", [-5e4, 2e6, 3e6, -3e4]),
    Grid("Europe, equal areas", 140, 100, "EPSG:3035", [2.5e6, 4.5e6, 6.5e6, 1.5e6]),
    Grid("the last zone of UTM", 300, 300, "EPSG:32660", [6e5, 5.5e6, 9e5, 5.2e6]),
    Grid("Alaska", 300, 200, "EPSG:3338", [-2.5e6, 2.5e6, 1.5e6, 3e5]),
    Grid("New Zealand", 200, 300, "EPSG:2193", [1e6, 6.3e6, 2.8e6, 4.5e6]),
    Grid(
      "Mollweide", 500, 250, "ESRI:54009",
      [-18_040_096, 9_020_048, 18_040_096, -9_020_048]),
    Grid(
      "the round Earth from above", 400, 400, "+proj=geos +h=35785831 +lon_0=140.7",
      [-5.5e6, 5.5e6, 5.5e6, -5.5e6]),
    Grid(
      "a hemisphere", 300, 300, "+proj=ortho +lat_0=40 +lon_0=170",
      [-6.4e6, 6.4e6, 6.4e6, -6.4e6]),
    Grid(
      "the world from the North Pole", 400, 400, "+proj=aeqd +lat_0=90",
      [-2e7, 2e7, 2e7, -2e7]),
    Grid("Web Mercator", 512, 512, "EPSG:3857", [-half, half, half, -half]),
    Grid("Web Mercator, a part", 200, 100, "EPSG:3857", [-3e6, 2e6, 5e6, -1e6]),
    Grid("one pixel", 1, 1, "EPSG:4326", [8, 51, 9, 50]),
  ]

  @Test("all pixels that gdalwarp shows in the world are there, and no others", arguments: grids)
  func whole(grid: Grid) throws {
    try InstalledGDAL.run(
      "gdal_create",
      [
        "-q", "-of", "GTiff", "-outsize", "\(grid.width)", "\(grid.height)", "-bands", "3", "-burn",
        "200",
        "-a_srs", grid.system, "-a_ullr",
      ] + grid.edges.map { "\($0)" } + ["a.tif"],
      in: folder.url)
    var selection = RasterSelection()
    selection.finestZoom = 2
    let content = try RasterConversion(
      .file(RasterFile(folder.path("a.tif"))), name: "a.tif", selection,
      GDALSurroundings(folder: FilePath(folder.url.path))
    ).content()
    let side = 256 << content.grid.zoom
    let half = "\(Self.half)"
    try InstalledGDAL.run(
      "gdalwarp",
      [
        "-q", "-t_srs", "EPSG:3857", "-et", "0", "-te", "-" + half, "-" + half, half, half, "-ts",
        "\(side)", "\(side)", "-dstalpha", "-of", "ENVI", "-co", "INTERLEAVE=BSQ", "a.tif",
        "world.raw",
      ],
      in: folder.url)
    let world = try folder.bytes("world.raw")
    try #require(world.count == side * side * 4)
    let alphas = world[(side * side * 3)...]
    let columns = content.grid.columns
    let pixels = content.pixels.bytes
    var isShown = [Bool](repeating: false, count: side * side)
    for (line, row) in content.grid.rows.enumerated() {
      for (place, column) in columns.enumerated()
      where pixels[(line * columns.count + place) * 4 + 3] > 0 {
        isShown[row * side + (column + side) % side] = true
      }
    }
    var (expected, missing, surplus) = (0, 0, 0)
    for (index, alpha) in alphas.enumerated() {
      if alpha > 0 { expected += 1 }
      if alpha > 0, !isShown[index] { missing += 1 }
      if alpha == 0, isShown[index] { surplus += 1 }
    }
    #expect(expected > 0)
    #expect(missing == 0, "of \(expected)")
    #expect(surplus == 0, "besides \(expected)")
  }

  @Test(
    "a grid whose last column repeats the first is shown around the whole world",
    arguments: [("-0.5", "360.5", 361), ("0", "361", 361), ("-0.125", "360.125", 1441)])
  func repeatedColumn(west: String, east: String, width: Int) throws {
    try InstalledGDAL.run(
      "gdal_create",
      [
        "-q", "-of", "GTiff", "-outsize", "\(width)", "180", "-bands", "1", "-burn", "200",
        "-a_srs",
        "EPSG:4326", "-a_ullr", west, "90", east, "-90", "a.tif",
      ], in: folder.url)
    var selection = RasterSelection()
    selection.finestZoom = 1
    let content = try RasterConversion(
      .file(RasterFile(folder.path("a.tif"))), name: "a.tif", selection,
      GDALSurroundings(folder: FilePath(folder.url.path))
    ).content()
    #expect(content.grid.columns == 0..<512)
    #expect(content.grid.rows == 0..<512)
    let alphas = stride(from: 3, to: content.pixels.bytes.count, by: 4)
    #expect(alphas.allSatisfy { content.pixels.bytes[$0] == 255 })
  }

  @Test(
    "an image across the antimeridian has its own width and detail",
    arguments: [
      Grid("Fiji", 300, 300, "EPSG:32760", [6e5, 8.1e6, 9e5, 7.8e6]),
      Grid("degrees", 200, 100, "EPSG:4326", [178, -15, 182, -17]),
      Grid("Web Mercator", 200, 100, "EPSG:3857", [1.98e7, -1.7e6, 2.02e7, -1.9e6]),
    ])
  func width(grid: Grid) throws {
    try InstalledGDAL.run(
      "gdal_create",
      [
        "-q", "-of", "GTiff", "-outsize", "\(grid.width)", "\(grid.height)", "-bands", "1", "-burn",
        "200",
        "-a_srs", grid.system, "-a_ullr",
      ] + grid.edges.map { "\($0)" } + ["a.tif"],
      in: folder.url)
    let content = try RasterConversion(
      .file(RasterFile(folder.path("a.tif"))), name: "a.tif", RasterSelection(),
      GDALSurroundings(folder: FilePath(folder.url.path))
    ).content()
    let world = 256 << content.grid.zoom
    #expect(content.grid.columns.contains(world))
    #expect((grid.width..<4 * grid.width).contains(content.grid.columns.count))
  }
}
