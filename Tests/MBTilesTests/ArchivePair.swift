import MBTiles
import SystemPackage
import TestSupport
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
    var random = SplitMix64(seed: seed)
    var tiles: [UInt64: [UInt8]] = [:]
    for z in zooms {
      // A tile of each zoom stays, so that no zoom is missing.
      tiles[TileCoord(z: z, x: 0, y: 0).archiveKey] = Sample.red
      for x in 0..<(1 << z) {
        for y in 0..<(1 << z) where random.next() % 3 == 0 {
          tiles[TileCoord(z: z, x: x, y: y).archiveKey] = Self.image(images, &random)
        }
      }
    }
    old = Self.sorted(tiles)
    Self.edit(&tiles, zooms, edits: edits, images: images, &random)
    new = Self.sorted(tiles)
  }

  /// What comes after a pair: its new archive is the old one, edited again.
  init(after pair: ArchivePair, seed: UInt64, zooms: ClosedRange<Int> = 0...5, edits: Int) {
    var random = SplitMix64(seed: seed)
    var tiles = Dictionary(pair.new.map { ($0.tile.archiveKey, $0.image) }) { $1 }
    old = pair.new
    Self.edit(&tiles, zooms, edits: edits, images: 40, &random)
    new = Self.sorted(tiles)
  }

  private static func image(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
    let number = Int(random.next() % UInt64(count))
    guard number > 0 else { return Sample.blank }
    return samplePNG(pixels: (0..<(number % 9 * 40 + 3)).map { UInt8(($0 * 7 + number) & 255) })
  }

  /// Takes tiles away, gives others to them, and adds some, a third each.
  private static func edit(
    _ tiles: inout [UInt64: [UInt8]], _ zooms: ClosedRange<Int>, edits: Int, images: Int,
    _ random: inout SplitMix64
  ) {
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    for _ in 0..<edits {
      let z = zooms.lowerBound + below(zooms.count)
      let tile = TileCoord(z: z, x: below(1 << z), y: below(1 << z))
      guard tile.x > 0 || tile.y > 0 else { continue }
      switch below(3) {
      case 0: tiles[tile.archiveKey] = nil
      case 1: tiles[tile.archiveKey] = image(images, &random)
      default:
        tiles[tile.archiveKey] = samplePNG(
          pixels: (0..<(50 + below(900))).map { _ in UInt8(below(256)) })
      }
    }
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
