import Testing

@testable import sample_data

@Suite struct BasemapSampleTests {
  @Test func `tiles are numbered along the Hilbert curve, zoom after zoom`() {
    let first = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0), (2, 0, 0)]
    for (number, tile) in first.enumerated() {
      #expect(TilePack.number(zoom: tile.0, x: tile.1, y: tile.2) == UInt64(number))
    }
    var numbers: Set<UInt64> = []
    var last: (x: Int, y: Int)?
    let places = (0..<16).flatMap { x in (0..<16).map { (x: x, y: $0) } }
    for tile in places.sorted(by: { Self.number($0) < Self.number($1) }) {
      numbers.insert(Self.number(tile))
      if let last { #expect(abs(last.x - tile.x) + abs(last.y - tile.y) == 1) }
      last = tile
    }
    #expect(numbers.min() == 85 && numbers.max() == 340 && numbers.count == 256)
  }

  private static func number(_ tile: (x: Int, y: Int)) -> UInt64 {
    TilePack.number(zoom: 4, x: tile.x, y: tile.y)
  }

  @Test func `a feature is cut at the tile's buffer and rounded to its grid`() throws {
    let square: [SIMD2<Double>] = [.zero, SIMD2(0.75, 0), SIMD2(0.75, 0.75), SIMD2(0, 0.75)]
    let area = WorldFeature(kind: .polygon, parts: [square], properties: [])
    let cut = try #require(TileCutter(zoom: 1, x: 0, y: 0).cut(area))
    #expect(Set(cut.parts[0]) == [SIMD2(0, 0), SIMD2(4160, 0), SIMD2(4160, 4160), SIMD2(0, 4160)])

    let line = WorldFeature(
      kind: .line, parts: [[SIMD2(0.25, 0.25), SIMD2(0.75, 0.25)]], properties: [])
    #expect(
      TileCutter(zoom: 1, x: 1, y: 0).cut(line)?.parts == [[SIMD2(-64, 2048), SIMD2(2048, 2048)]])
    #expect(TileCutter(zoom: 1, x: 1, y: 1).cut(line) == nil)
  }

  @Test func `a tile has the bytes of the specification`() {
    var encoder = VectorTileEncoder()
    encoder.append(
      layer: "l",
      [
        .init(kind: 1, parts: [[SIMD2(25, 17)]], properties: [("k", .number(1))]),
        .init(kind: 3, parts: [[SIMD2(0, 0), SIMD2(0, 0), SIMD2(1, 1)]], properties: []),
      ])
    // The point (25, 17) has the commands 9 50 34 in the specification's example.
    #expect(
      encoder.bytes == [
        0x1A, 0x1C, 0x78, 2, 0x0A, 1, 0x6C, 0x12, 0x0B, 0x12, 2, 0, 0, 0x18, 1, 0x22, 3, 9, 50, 34,
        0x1A, 1, 0x6B, 0x22, 2, 0x30, 2, 0x28, 0x80, 0x20,
      ])
    encoder.append(layer: "none", [])
    #expect(encoder.bytes.count == 30)
  }

  @Test func `the base map is an archive with its tiles in order, the same on every run`() {
    let bytes = BasemapSample().bytes()
    #expect(bytes.starts(with: Array("PMTiles".utf8) + [3]) && bytes == BasemapSample().bytes())
    func number(at place: Int) -> Int {
      (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    // The directory follows the header, the metadata the directory, and the tiles the metadata.
    #expect(number(at: 8) == 127 && number(at: 24) == 127 + number(at: 16))
    #expect(number(at: 24) + number(at: 32) == number(at: 56))
    #expect(number(at: 56) + number(at: 64) == bytes.count)
    #expect(number(at: 16) < 16_257 && number(at: 72) > 100)
  }
}
