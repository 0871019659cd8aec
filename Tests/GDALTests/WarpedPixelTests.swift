import Files
import Foundation
import GDAL
import PNG
import Raster
import SystemPackage
import TestSupport
import Testing

@Suite(
  "Pixels of warped images",
  .enabled(if: InstalledGDAL.isThere, Comment(rawValue: InstalledGDAL.comment)))
struct WarpedPixelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a picture as a GeoTIFF.
  ///
  /// - Parameter edges: west, north, east, south.
  private func write(_ picture: Pixmap, _ system: String, _ edges: [Double]) throws {
    try Data(PNGEncoder().encode(picture)).write(to: URL(fileURLWithPath: folder.path("a.png")))
    try InstalledGDAL.run(
      "gdal_translate",
      ["-q", "-a_srs", system, "-a_ullr"] + edges.map { "\($0)" } + ["a.png", "a.tif"],
      in: folder.url)
  }

  private func content(cache: Int = 128) throws -> RasterConversion.Content {
    var surroundings = GDALSurroundings(folder: FilePath(folder.url.path))
    surroundings.blockCache = cache
    return try RasterConversion(
      .file(RasterFile(folder.path("a.tif"))), name: "a.tif", .init(), surroundings
    )
    .content()
  }

  @Test("a cache of GDAL that runs over changes no pixel")
  func cache() throws {
    let noise = Pixmap(width: 900, height: 700)
    var random = SplitMix64(seed: 7)
    for index in noise.pixels.indices {
      noise.pixels[index] = UInt32.random(in: .min ... .max, using: &random) | 0xFF00_0000
    }
    try write(noise, "EPSG:3035", [2_500_000, 4_500_000, 6_500_000, 1_500_000])
    let (small, large) = (try content(cache: 1), try content())
    // Four planes of this size do not fit into one megabyte.
    #expect(large.pixels.bytes.count > 4 << 20)
    #expect(small.pixels.bytes.elementsEqual(large.pixels.bytes))
  }

  @Test(
    "the edges of a checkerboard lie where PROJ puts them, within 0.005 px of the image",
    arguments: [
      ("EPSG:32632", [260_000.0, 5_700_000, 740_000, 5_220_000]),
      ("EPSG:3035", [4_000_000.0, 3_300_000, 4_480_000, 2_820_000]),
      ("EPSG:3413", [-900_000.0, -2_300_000, -420_000, -2_780_000]),
    ])
  func checkerboard(system: String, edges: [Double]) throws {
    let (side, squares) = (32, 10)
    let board = Pixmap(width: side * squares, height: side * squares)
    for y in 0..<board.height {
      for x in 0..<board.width {
        board[x, y] = PremultipliedColor((x / side + y / side) % 2 == 0 ? .black : .white)
      }
    }
    try write(board, system, edges)
    let content = try content()
    let (grid, metres) = (content.grid, content.grid.metres)
    let pixel = (metres.east - metres.west) / Double(grid.columns.count)
    let places = (0..<grid.rows.count / 5).flatMap { row in
      (0..<grid.columns.count / 5).map { (x: $0 * 5 + 2, y: row * 5 + 2) }
    }
    let told = try InstalledGDAL.run(
      "gdaltransform", ["-s_srs", "EPSG:3857", "-t_srs", system, "-output_xy"], in: folder.url,
      input: places.map { place in
        "\(metres.west + (Double(place.x) + 0.5) * pixel) "
          + "\(metres.north - (Double(place.y) + 0.5) * pixel)\n"
      }.joined())
    let answers = told.split(separator: "\n").map {
      $0.split(separator: " ").compactMap { Double($0) }
    }
    try #require(answers.count == places.count && answers.allSatisfy { $0.count == 2 })
    let size = (edges[2] - edges[0]) / Double(board.width)
    var (compared, farthest) = (0, 0.0)
    for (place, answer) in zip(places, answers) {
      let (x, y) = ((answer[0] - edges[0]) / size - 0.5, (edges[1] - answer[1]) / size - 0.5)
      guard x > 1, y > 1, x < Double(board.width - 2), y < Double(board.height - 2) else {
        continue
      }
      func light(_ column: Int, _ row: Int) -> Double { Double(board[column, row].red) }
      let (left, top) = (Int(x), Int(y))
      let (across, down) = (x - Double(left), y - Double(top))
      let upper = light(left, top) * (1 - across) + light(left + 1, top) * across
      let lower = light(left, top + 1) * (1 - across) + light(left + 1, top + 1) * across
      let expected = upper * (1 - down) + lower * down
      let found = Double(content.pixels.bytes[(place.y * grid.columns.count + place.x) * 4])
      compared += 1
      farthest = max(farthest, abs(found - expected))
    }
    #expect(compared > 1000)
    // Black and white are 255 steps apart over one pixel of the image, so that each step tells of
    // 1/255 of it. Rounding takes half a step.
    #expect(farthest / 255 <= 0.005, "\(system)")
  }
}
