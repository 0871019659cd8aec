import Features
import Testing
import Tiling
import VectorTileSamples
import VectorTiles

@Suite("Layers of vector tiles as records")
struct VectorTileReaderTests {
  private static let road = CutSample.Shape(
    type: .line, parts: [[GridPoint(1000, 1000), GridPoint(7000, 2000)]],
    properties: [("name", .string("road"))])

  private static func place(_ x: Double, _ name: String) -> CutSample.Shape {
    CutSample.Shape(
      type: .point, parts: [[GridPoint(x, 10)]], properties: [(name, .int(Int64(x)))])
  }

  /// Reads all batches.
  private func read(
    _ tiles: [(tile: TileCoord, bytes: [UInt8])], isPainted: Bool = true, layer: String = "layer"
  ) throws -> (reader: VectorTileReader, batches: [FeatureBatch]) {
    let contents = Dictionary(tiles.map { ($0.tile, $0.bytes) }, uniquingKeysWith: { $1 })
    var reader = VectorTileReader(
      layer: layer, tiles: tiles.map(\.tile).reversed(), isPainted: isPainted
    ) { (tile) throws(SourceError) in contents[tile].map { .bytes($0) } ?? .absent }
    var batches: [FeatureBatch] = []
    var batch = FeatureBatch()
    while try reader.read(into: &batch) { batches.append(batch) }
    #expect(batch.count == 0)
    return (reader, batches)
  }

  @Test("a reader of vector tiles has the features of each tile on their own")
  func tileByTile() throws {
    let tiles = CutSample().tiles([Self.road, Self.place(10, "a"), Self.place(5000, "b")])
    for isPainted in [true, false] {
      let (reader, batches) = try read(tiles, isPainted: isPainted)
      #expect(batches.map(\.count) == [2, 2])
      #expect(batches.flatMap(\.lines) == [1, 2, 3, 4])
      #expect(reader.propertyNames == ["name", "a", "b"])
      #expect(reader.bytesRead == tiles.map(\.bytes.count).reduce(0, +))
      // Columns keep their places although the second tile lacks 'a'.
      let second = batches[1]
      #expect(second.columns.map(\.name) == ["name", "a", "b"])
      #expect(second.columns.map { $0.text(1) } == [nil, nil, "5000"])
      #expect(second.columns.map { $0.text(0) } == ["road", nil, nil])
    }
  }

  @Test("features are whole, with what is in the buffer of their tile")
  func whole() throws {
    let tiles = CutSample().tiles([Self.road, Self.place(4090, "a")])
    let read = try read(tiles).batches.map(\.geometry)
    #expect(read.map(\.count) == [2, 1])
    let keys = tiles.map { TileKey($0.tile).rawValue }
    #expect(read.map { $0.tile(of: 0) } == keys)
    // The border is at 90° of the 360° of 16 tiles' 4,096 units; a buffer has 64.
    let border = 4096 / (16 * 4096.0) * 360 - 180
    let buffer = 64 / (16 * 4096.0) * 360
    let ends = read.map { geometry in
      geometry.positions[geometry.positionRange(0)].map(\.longitude)
    }
    #expect(abs((ends[0].last ?? 0) - border - buffer) < 1e-6)
    #expect(abs((ends[1].first ?? 0) - border + buffer) < 1e-6)
  }

  @Test(
    "a feature that lies in the buffer of a tile alone is a record of it only where it is drawn")
  func bufferAlone() throws {
    let shape = CutSample.Shape(
      type: .line, parts: [[GridPoint(4100, 1000), GridPoint(4120, 2000)]])
    let tiles = CutSample().tiles([shape])
    #expect(tiles.count == 2)
    #expect(try read(tiles, isPainted: false).batches.map(\.count) == [1])
    #expect(try read(tiles).batches.map(\.count) == [1, 1])
  }

  @Test("a layer that no tile has is read as no records")
  func absentLayer() throws {
    let tiles = CutSample().tiles([Self.road])
    let (reader, batches) = try read(tiles, layer: "water")
    #expect(batches.isEmpty && reader.ledger.read == 0)
    #expect(try read([]).batches.isEmpty)
  }

  @Test("damaged tiles and features of vector tiles are counted with their places")
  func damage() throws {
    var tiles = CutSample().tiles([Self.road])
    tiles.append((TileCoord(z: 4, x: 9, y: 9), [0x1A, 0x7F]))
    tiles.append(
      (
        TileCoord(z: 4, x: 9, y: 10),
        TileSample.tile([.init("layer", [.init(.line, [[(1, 1)]]), .init(.line, [[(2, 2)]])])])
      ))
    for isPainted in [true, false] {
      let (reader, batches) = try read(tiles, isPainted: isPainted)
      #expect(batches.map(\.count).reduce(0, +) == 2)
      #expect(reader.ledger.read == 3 && reader.ledger.rejectedTotal == 3)
      let tiles = reader.ledger.examples(of: .invalidTile).map(\.message)
      #expect(tiles.count == 1 && tiles.allSatisfy { $0.hasPrefix("tile 4/9/9, byte 1: ") })
      let features = reader.ledger.examples(of: .invalidGeometry).map(\.message)
      #expect(features.count == 2)
      #expect(features.contains { $0.hasPrefix("tile 4/9/10, layer 'layer', feature 2, byte ") })
    }
  }

  @Test("many features of vector tiles come in several batches")
  func batches() throws {
    let points = (0..<10_000).map { index in
      TileSample.Feature(.point, [[(index % 4096, index / 4096)]], id: UInt64(index))
    }
    let tile = TileCoord(z: 2, x: 1, y: 1)
    let bytes = TileSample.tile([TileSample.Layer("layer", points)])
    let (_, batches) = try read([(tile, bytes)])
    #expect(batches.map(\.count) == [4096, 4096, 1808])
    #expect(
      batches.flatMap { batch in (0..<batch.count).map { batch.ids.text($0) } }
        == (0..<10_000).map { "\($0)" })
    #expect(batches.flatMap(\.lines) == Array(1...10_000))
  }

  @Test("a tile that cannot be unpacked is counted, and an absent one is none")
  func content() throws {
    var reader = VectorTileReader(
      layer: "layer", tiles: [TileCoord(z: 1, x: 0, y: 0), TileCoord(z: 1, x: 1, y: 0)],
      isPainted: true
    ) { (tile) throws(SourceError) in tile.x == 0 ? .damaged : .absent }
    var batch = FeatureBatch()
    #expect(try !reader.read(into: &batch))
    #expect(reader.ledger.read == 1)
    #expect(
      reader.ledger.examples.first?.message.hasPrefix(
        "tile 1/0/0, byte 0: its bytes cannot be unpacked") == true)
  }

  @Test("an error of the container ends the reading")
  func containerError() {
    let error = SourceError(code: .io, file: "a.mbtiles", message: "is gone")
    var reader = VectorTileReader(
      layer: "layer", tiles: [TileCoord(z: 0, x: 0, y: 0)], isPainted: true
    ) { (_) throws(SourceError) in throw error }
    var batch = FeatureBatch()
    #expect(throws: error) { try reader.read(into: &batch) }
  }
}
