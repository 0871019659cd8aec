import TapBlocks
import TestSupport
import Testing
import Tiling

@Suite("A block of compact taps")
struct TapBlockTests {
  @Test("a block of compact taps is read as it was written")
  func roundTrip() throws {
    var random = SplitMix64(seed: 1)
    let (deflater, inflater) = (TapDeflater(), TapInflater())
    for _ in 0..<30 {
      let block = TapBlock.random(&random)
      let stream = deflater.compress(block.encoded())
      let bytes = try stream.withUnsafeBytes { try inflater.inflate($0) }
      #expect(try TapBlock(bytes) == block)
    }
  }

  @Test("a damaged or forged block of compact taps is refused or still gives answers")
  func damage() throws {
    var random = SplitMix64(seed: 2)
    var refused = 0
    for round in 0..<150 {
      var bytes = TapBlock.random(&random).encoded()
      switch round % 3 {
      case 0: bytes.removeLast(1 + random.below(bytes.count))
      case 1: bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      default:
        for _ in 0..<9 { bytes[random.below(bytes.count)] = [0xFF, 0x80, 0x7F][random.below(3)] }
      }
      do throws(TapFault) {
        let block = try TapBlock(bytes)
        _ = block.feature(x: random.number(in: 0..<600), y: random.number(in: 0..<600))
        _ = try block.grid(ofTile: random.below(64), side: 8)
      } catch {
        refused += 1
        #expect(!error.text.isEmpty)
      }
    }
    #expect(refused > 75)
  }

  @Test(
    "a block of compact taps with any other beginning is refused",
    arguments: [[], [1], [2], [3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]])
  func beginnings(bytes: [UInt8]) {
    #expect(throws: TapFault.self) { try TapBlock(bytes) }
  }

  @Test(
    "a part of a block of compact taps answers as the whole does in its tiles, and nowhere else")
  func part() throws {
    var random = SplitMix64(seed: 5)
    var answers = 0
    for _ in 0..<10 {
      let (block, wanted) = (TapBlock.random(&random), random.next())
      let part = try TapBlock(block.part(of: wanted).encoded())
      for _ in 0..<200 {
        let (x, y) = (random.number(in: 0..<512), random.number(in: 0..<512))
        let isWanted = wanted >> UInt64(Int(y) / 64 * 8 + Int(x) / 64) & 1 != 0
        let feature = part.feature(x: x, y: y)
        #expect(feature == (isWanted ? block.feature(x: x, y: y) : nil))
        if feature != nil { answers += 1 }
      }
    }
    #expect(answers > 200)
  }

  @Test(
    "a block with an impossible list of features is refused, with what is wrong",
    arguments: [
      // Count, steps of identifiers, no stacks, no symbols, shapes: one, whole, of a place.
      ([9, 1, 0, 0, 1, 0, 0, 0, 0], "has no room for 9 features"),
      ([2, 5, 0, 0, 0, 1, 0, 0, 0, 0], "has identifiers that do not ascend"),
      ([1, 5, 0, 0, 1, 0, 0, 0, 2], "names the place 1 of a list of 1 features"),
      ([1, 5, 0, 0, 1, 0, 0, 0, 1], "names the place -1 of a list of 1 features"),
      ([0, 0, 0, 1, 0, 0, 0, 0], "names the place 0 of a list of 0 features"),
      (
        [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 0, 0, 0],
        "has identifiers that do not ascend"
      ),
      (
        [1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 0, 0, 0],
        "has a number of too many bytes"
      ),
    ] as [([UInt8], String)])
  func hostileLists(rest: [UInt8], fault: String) throws {
    let start: [UInt8] = [2, 1, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02]
    let good = try TapBlock(start + [1, 5, 0, 0, 1, 0, 0, 0, 0])
    #expect(good.feature(x: 1, y: 1) == 5)
    #expect(throws: TapFault(fault)) { try TapBlock(start + rest) }
  }

  @Test("a block of version 1, whose features have numbers without a list, answers as ever")
  func earlierVersion() throws {
    let bytes: [UInt8] = [
      1, 1, 0, 0, 0, 0, 0, 0, 0, 0x80, 0x02, 1, 1, 1, 1, 0xFF, 0x21, 0xFF, 0x21, 0x80, 0x22, 0x80,
      0x22, 1, 0, 0x80, 0x19, 0x80, 0x19, 14, 1, 0, 0, 0, 18,
    ]
    let block = try TapBlock(bytes)
    #expect(block.feature(x: 100, y: 100) == 7 && block.feature(x: 10, y: 10) == 9)
    #expect(try TapBlock(block.encoded()) == block)
  }

  @Test("a block of compact taps with more work than a grid allows answers on fewer cells")
  func work() throws {
    var block = TapBlock(tileSide: 256)
    block.tiles = 1
    for index in 0..<Int32(20_000) {
      block.vertices.append(TapVertex(x: index % 2 * 4096, y: index * 4096 / 20_000))
    }
    block.runEnds = [20_000]
    block.shapes = [
      TapShape(tile: 0, kind: .line, layer: 0, feature: 7, half: 256, runs: 1)
    ]
    #expect(throws: TapFault("holds too much for a grid")) {
      try block.grid(ofTile: 0, side: 128)
    }
    #expect(try block.grid(ofTile: 0, side: 16).contains(7))
  }

  @Test("a block of compact taps answers on a grid as at the middles of its cells")
  func grid() throws {
    var random = SplitMix64(seed: 3)
    var (hits, misses) = (0, 0)
    for _ in 0..<4 {
      let block = TapBlock.random(&random)
      for tile in [0, 37] {
        let cells = try block.grid(ofTile: tile, side: 8)
        for (index, cell) in cells.enumerated() {
          let x = Double(tile % 8 * 64) + (Double(index % 8) + 0.5) * 8
          let y = Double(tile / 8 * 64) + (Double(index / 8) + 0.5) * 8
          #expect(block.feature(x: x, y: y) == cell)
          if cell == nil { misses += 1 } else { hits += 1 }
        }
      }
    }
    #expect(hits > 50 && misses > 50)
  }

  @Test("a tap hits the higher layer first, then areas before sub-pixel polygons and outlines")
  func order() {
    var block = TapBlock(tileSide: 100)
    block.tiles = 1
    func add(_ kind: TapShape.Kind, layer: Int32, feature: UInt64, _ places: [(Int32, Int32)]) {
      block.shapes.append(
        TapShape(
          tile: 0, kind: kind, layer: layer, feature: feature, half: kind.isStroke ? 512 : 0,
          runs: places.isEmpty ? 0 : 1))
      guard !places.isEmpty else { return }
      block.vertices += places.map { TapVertex(x: $0.0 * 16, y: $0.1 * 16) }
      block.runEnds.append(UInt32(block.vertices.count))
    }
    add(.wholeTile, layer: 0, feature: 1, [])
    add(.area, layer: 1, feature: 2, [(10, 10), (50, 10), (50, 50), (10, 50)])
    add(.area, layer: 1, feature: 3, [(40, 40), (80, 40), (80, 80), (40, 80)])
    add(.speck, layer: 1, feature: 4, [(50, 30)])
    add(.outline, layer: 1, feature: 5, [(50, 0), (50, 90)])
    add(.line, layer: 2, feature: 6, [(0, 20), (90, 20)])
    block.stacks = [
      [
        TapPrint(
          layer: 3, isDisc: true, isOnPixel: false, left: -1280, top: -1280, right: 1280,
          bottom: 1280)
      ]
    ]
    block.symbols.append(stack: 0, x: 1440, y: 1440, feature: 7)
    block.symbols.append(stack: 0, x: 1456, y: 1440, feature: 8)
    let places: [(Double, Double, UInt64?)] = [
      (5, 5, 1), (10, 30, 2), (45, 45, 3), (50.5, 30.5, 4), (50.5, 33, 5), (49, 33, 2),
      (30, 18.1, 6), (30, 17.9, 2), (86.5, 90, 8), (85.5, 90, 7), (84.9, 90, 1), (101, 50, nil),
      (-1, 3, nil),
    ]
    for (x, y, feature) in places { #expect(block.feature(x: x, y: y) == feature, "\(x), \(y)") }
    block.tiles = 2
    #expect(block.feature(x: 5, y: 5) == nil)
  }

  @Test(
    "a block of compact taps has a place for every tile of its square", arguments: [0, 1, 2, 3, 7])
  func coordinates(zoom: Int) {
    var seen: [TapBlockCoord: Set<Int>] = [:]
    let side = 1 << zoom
    for x in 0..<min(side, 20) {
      for y in 0..<min(side, 20) {
        let tile = TileCoord(z: zoom, x: x, y: y)
        let coord = TapBlockCoord(tile)
        let index = TapBlockCoord.index(of: tile)
        let first = coord.firstTile
        #expect(coord.isValid && first.x + index % 8 == x && first.y + index / 8 == y)
        let isNew = seen[coord, default: []].insert(index).inserted
        #expect(isNew)
      }
    }
    #expect(!TapBlockCoord(zoom: zoom, column: side, row: 0).isValid)
    #expect(!TapBlockCoord(zoom: 23, column: 0, row: 0).isValid)
  }
}
