import MBTiles
import SystemPackage
import Tiling

/// Two archives of which the second came from the first by random edits.
struct ArchivePair {
  typealias Tiles = [(tile: TileCoord, image: [UInt8])]

  var old: Tiles
  var new: Tiles

  /// - Parameters:
  ///   - seed: Equal seeds make equal pairs.
  ///   - edits: About how many tiles are not the same.
  ///   - images: How many different pictures there are at most; few make many equal tiles.
  init(seed: UInt64, zooms: ClosedRange<Int> = 0...5, edits: Int = 30, images: Int = 40) {
    var random = SplitMix64(state: seed)
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    func image() -> [UInt8] {
      let number = below(images)
      return number == 0
        ? Sample.blank
        : samplePNG(pixels: (0..<(number % 9 * 40 + 3)).map { UInt8(($0 * 7 + number) & 255) })
    }
    var tiles: [UInt64: [UInt8]] = [:]
    for z in zooms {
      // A tile of each zoom stays, so that no zoom is missing.
      tiles[TileCoord(z: z, x: 0, y: 0).archiveKey] = Sample.red
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) where below(3) == 0 {
          tiles[TileCoord(z: z, x: x, y: y).archiveKey] = image()
        }
      }
    }
    old = Self.sorted(tiles)
    for _ in 0..<edits {
      let z = zooms.lowerBound + below(zooms.count)
      let tile = TileCoord(z: z, x: below(1 << z), y: below(1 << z))
      guard tile.x > 0 || tile.y > 0 else { continue }
      switch below(3) {
      case 0: tiles[tile.archiveKey] = nil
      case 1: tiles[tile.archiveKey] = image()
      default: tiles[tile.archiveKey] = samplePNG(pixels: (0..<50).map { _ in UInt8(below(256)) })
      }
    }
    new = Self.sorted(tiles)
  }

  private static func sorted(_ tiles: [UInt64: [UInt8]]) -> Tiles {
    tiles.sorted { $0.key < $1.key }.map { (TileCoord(archiveKey: $0.key), $0.value) }
  }

  /// What a look at every tile finds, in archive order.
  var changes: [TileChange] {
    let before = Dictionary(old.map { ($0.tile, $0.image) }) { $1 }
    let after = Dictionary(new.map { ($0.tile, $0.image) }) { $1 }
    return Set(before.keys).union(after.keys).sorted { $0.archiveKey < $1.archiveKey }
      .compactMap { tile in
        switch (before[tile], after[tile]) {
        case (nil, _): TileChange(tile: tile, kind: .added)
        case (_, nil): TileChange(tile: tile, kind: .removed)
        case (let one, let other): one == other ? nil : TileChange(tile: tile, kind: .changed)
        }
      }
  }
}
