import SystemPackage
import TapBlocks
import TestSupport
import Tiling

@testable import ArchiveDeltas
@testable import MBTiles

/// What the tiles of a sample answer, made up of numbers.
struct SampleTaps: Hashable {
  /// How often the answers of a tile were edited, by its `archiveKey`.
  private var tileEdits: [UInt64: Int] = [:]

  /// How often what a key stands for was edited.
  private var entryEdits: [Int: Int] = [:]

  /// Different keys that there are at most.
  private static let keyCount = 90

  /// What comes after other taps: some tiles answer by other keys, some keys stand for something else.
  init(
    after taps: SampleTaps? = nil, tiles: ArchivePair.Tiles = [], seed: UInt64 = 0, edits: Int = 0
  ) {
    if let taps { self = taps }
    var random = SplitMix64(seed: seed ^ 77)
    for _ in 0..<(tiles.isEmpty ? 0 : edits) {
      let tile = tiles[Int(random.next() % UInt64(tiles.count))].tile
      tileEdits[tile.archiveKey, default: 0] += 1
      if random.next() % 4 == 0 {
        entryEdits[Int(random.next() % UInt64(Self.keyCount)), default: 0] += 1
      }
    }
  }

  /// Numbers of the keys by which a tile answers, ascending as text; none where it does not.
  func keys(of tile: TileCoord) -> [Int] {
    var random = SplitMix64(
      seed: tile.archiveKey &* 0x9E37_79B9 &+ UInt64(tileEdits[tile.archiveKey, default: 0]))
    switch random.next() % 4 {
    case 0: return []
    // Many tiles have one of few grids.
    case 1: return [1 + Int(random.next() % 6)]
    default:
      let count = 1 + random.next() % (tile.x == 1 ? 12 : 5)
      return Set((0..<count).map { _ in Int(random.next() % UInt64(Self.keyCount)) }).sorted()
    }
  }

  func name(_ key: Int) -> [UInt8] { Array("aW5ucw..\(String(1000 + key))".utf8) }

  func json(_ key: Int) -> [UInt8] {
    let text = String(repeating: "ä\(key)", count: 1 + key % 30)
    return Array(#"{"name":"\#(text)","edits":\#(entryEdits[key, default: 0])}"#.utf8)
  }

  private func entry(_ key: Int) -> TapEntry {
    TapEntry(key: name(key), fields: Array(json(key).dropFirst().dropLast()))
  }

  /// A grid that names some keys, each in some cells.
  func grid(_ keys: [Int]) -> [UInt8] {
    var cells = [UInt16](repeating: 0, count: 4096)
    for number in 0..<(4 * keys.count) { cells[number * 70] = UInt16(number % keys.count + 1) }
    var bytes: [UInt8] = []
    _ = UTFGridEncoder().append(cells: cells, keys: keys.map(name), to: &bytes)
    return bytes
  }

  /// What a look at every tile of two archives finds, besides what the pictures tell.
  func changes(to new: SampleTaps, _ pair: ArchivePair) -> [TileChange] {
    let pictures = Dictionary(pair.changes.map { ($0.tile, $0) }) { $1 }
    let both = Set(pair.old.map(\.tile)).intersection(pair.new.map(\.tile))
    let answers = both.compactMap { tile -> TileChange? in
      guard pictures[tile] == nil else { return nil }
      let (before, after) = (keys(of: tile), new.keys(of: tile))
      if before != after { return TileChange(tile: tile, kind: .changed, part: .grid) }
      if before.contains(where: { json($0) != new.json($0) }) {
        return TileChange(tile: tile, kind: .changed, part: .entries)
      }
      return nil
    }
    return (pair.changes + answers).sorted { $0.tile.archiveKey < $1.tile.archiveKey }
  }

  /// What a grid's text holds, by the form in which the encoder writes it.
  static func text(_ text: UnsafeRawBufferPointer) -> GridText {
    guard text.count > 2, let start = text.lastIndex(of: UInt8(ascii: "[")) else {
      return .fault("is none")
    }
    let names = text[(start + 1)...].dropLast(2).split(separator: UInt8(ascii: ","))
    return .keys(
      names.dropFirst().map { String(decoding: $0.dropFirst().dropLast(), as: UTF8.self) })
  }

  /// Writes an archive whose tiles answer.
  func write(
    _ path: FilePath, _ form: DeltaForm = DeltaForm(.dedup, taps: .grids), tiles: ArchivePair.Tiles,
    metadata: (_ taps: String) throws -> ArchiveMetadata
  ) throws {
    if form.hasBlocks {
      return try writeBlocks(path, form.layout, tiles: tiles, metadata: metadata)
    }
    let writer = try ArchiveWriter(path: path, layout: .dedup, hasGrids: true)
    var numbers: [[UInt8]: Int] = [:]
    for (tile, image) in tiles {
      let ref = try image.withUnsafeBytes {
        try writer.addImage($0, md5: MD5Digest(of: $0))
      }
      let keys = keys(of: tile)
      var grid: GridRef?
      if !keys.isEmpty {
        for key in keys { numbers[name(key)] = key }
        grid = try self.grid(keys).withUnsafeBytes {
          try writer.addGrid($0, md5: MD5Digest(of: $0), keys: keys.map(name), by: tile)
        }
      }
      try writer.addTile(tile, ref, grid: grid)
    }
    for (key, number) in numbers.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try writer.addEntry(key: key, json: json(number))
    }
    _ = try writer.finish(metadata: try metadata(writer.taps?.digest ?? ""))
  }

  /// Writes an archive with compact taps: each key of a tile is a symbol in it.
  private func writeBlocks(
    _ path: FilePath, _ layout: ArchiveLayout, tiles: ArchivePair.Tiles,
    metadata: (_ taps: String) throws -> ArchiveMetadata
  ) throws {
    let writer = try ArchiveWriter(path: path, layout: layout, hasTaps: true)
    var blocks: [TapBlockCoord: TapBlock] = [:]
    var features: Set<Int> = []
    for (tile, image) in tiles {
      let ref = try image.withUnsafeBytes { try writer.addImage($0, md5: MD5Digest(of: $0)) }
      try writer.addTile(tile, ref, grid: nil)
      let keys = keys(of: tile)
      guard !keys.isEmpty else { continue }
      features.formUnion(keys)
      var block = blocks[TapBlockCoord(tile)] ?? Self.emptyBlock
      block.tiles |= 1 << UInt64(TapBlockCoord.index(of: tile))
      for (place, key) in keys.enumerated() {
        block.symbols.append(
          stack: 0, x: Int32((tile.x % 8 * 256 + place) * 16), y: Int32(tile.y % 8 * 4096),
          feature: UInt64(key))
      }
      blocks[TapBlockCoord(tile)] = block
    }
    let deflater = TapDeflater()
    let coords = blocks.keys.sorted {
      ($0.zoom, $0.column, $0.row) < ($1.zoom, $1.column, $1.row)
    }
    for coord in coords {
      guard let block = blocks[coord] else { continue }
      try writer.addTaps(
        coord, deflater.compress(block.encoded()), tiles: block.tiles.nonzeroBitCount)
    }
    let numbers = features.sorted()
    for start in stride(from: 0, to: numbers.count, by: 16) {
      var page = TapEntryPage()
      for key in numbers[start..<min(start + 16, numbers.count)] {
        page.append(UInt64(key), entry(key))
      }
      try writer.addTapEntries(
        first: UInt64(numbers[start]), deflater.compress(page.encoded()),
        count: page.entries.count)
    }
    _ = try writer.finish(metadata: try metadata(writer.taps?.digest ?? ""))
  }

  private static let emptyBlock: TapBlock = {
    var block = TapBlock(tileSide: 256)
    block.stacks = [
      [
        TapPrint(
          layer: 0, isDisc: true, isOnPixel: false, left: -256, top: -256, right: 256, bottom: 256)
      ]
    ]
    return block
  }()
}

extension DeltaForm {
  /// The zooms of samples: fewer where each tile has a grid, which takes a millisecond to make.
  var sampleZooms: ClosedRange<Int> { hasGrids ? 0...3 : 0...5 }
}
