import JSON
import Runs
import SQLite
import TapBlocks
import Testing

@testable import Preview

/// The box with which a map opens.
@Suite("The box of the data")
struct DataFocusTests {
  private func focus(_ sample: PreviewSample) throws -> [Double] {
    let catalogue = try sample.router("a.mbtiles").get("/catalogue.json").content.bytes
    guard case .array(let tilesets)? = ReportJSON(catalogue)?["tilesets"],
      case .array(let numbers)? = tilesets.first?["focus"]
    else { return [] }
    return numbers.compactMap { Double($0.line) }
  }

  /// An archive of one zoom with tiles at some columns and rows.
  private func archive(zoom: Int, _ tiles: [(x: Int, y: Int)]) throws -> PreviewSample {
    let sample = try PreviewSample()
    let path = try sample.archive(
      "a.mbtiles",
      metadata: ["minzoom": "\(zoom)", "maxzoom": "\(zoom)", "bounds": "-170,-80,170,80"])
    let database = try Database(path: path, mode: .readWrite)
    try database.execute("DELETE FROM tiles")
    for (x, y) in tiles {
      try database.execute(
        "INSERT INTO tiles VALUES (\(zoom), \(x), \((1 << zoom) - 1 - y), x'00')")
    }
    return sample
  }

  @Test("few tiles far away do not shrink the first view")
  func outliers() throws {
    let near = (0..<99).map { (x: 512 + $0 % 10, y: 500 + $0 / 10) }
    let box = try focus(archive(zoom: 10, near + [(x: 3, y: 900)]))
    #expect(box.count == 4 && box[0] > -1 && box[2] < 4 && box[1] > 0 && box[3] < 5, "\(box)")
  }

  @Test("evenly spread data open with the box of their tiles, within the bounds")
  func even() throws {
    let tiles = (0..<256).map { (x: $0 % 16 * 60, y: $0 / 16 * 60) }
    let box = try focus(archive(zoom: 10, tiles))
    #expect(box.first == -170 && box.last == 80)
    #expect(abs(box[2] - (901.0 / 1024 * 360 - 180)) < 1e-6 && box[1] < -70 && box[1] > -80)
  }

  @Test("one tile opens with its box, which low zooms push the bounds beyond; none with the bounds")
  func few() throws {
    let box = try focus(archive(zoom: 4, [(x: 5, y: 5)]))
    #expect(box[0] == -67.5 && box[2] == -45 && box[1] > 40 && box[3] < 60)
    #expect(try focus(archive(zoom: 4, [])) == [-170, -80, 170, 80])
  }

  @Test("data on both sides of the antimeridian open together")
  func antimeridian() throws {
    let box = try focus(archive(zoom: 6, [(x: 63, y: 30), (x: 0, y: 31)]))
    #expect(box[0] == 360.0 * 63 / 64 - 180 && box[2] == 180 + 360.0 / 64)
  }

  @Test("compact taps count records, not tiles")
  func records() throws {
    let sample = try PreviewSample()
    let path = try sample.archive("a.mbtiles", metadata: ["maxzoom": "0", "minzoom": "0"])
    var block = TapBlock(tileSide: 256)
    block.tiles = 1
    block.stacks = [
      [
        TapPrint(
          layer: 0, isDisc: false, isOnPixel: false, left: -256, top: -256, right: 256, bottom: 256)
      ]
    ]
    for number in 0..<100 {
      // One far in the south-west, the others around 90° E, 0° N.
      let (x, y) = number == 0 ? (16, 250) : (190 + number % 5, 126 + number % 4)
      block.symbols.append(
        stack: 0, x: Int32(x * 16), y: Int32(y * 16), feature: UInt64(number + 3))
    }
    var page = TapEntryPage()
    page.append(3, TapEntry(key: Array("k3".utf8), fields: []))
    try sample.addTaps(block, page, to: path)
    let box = try focus(sample)
    #expect(box.count == 4 && box[0] > 80 && box[2] < 100 && box[1] > -10 && box[3] < 10, "\(box)")
  }
}
