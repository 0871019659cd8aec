import MBTiles
import PMTiles
import SystemPackage
import Tiling

/// Damaged PMTiles files: a byte of options, then what to do to a small good one, or with the highest
/// bit the whole file. The lowest bit takes the good one whose directories are not compressed.
enum PMTilesFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let base = good(isCompressed: !form.has(bit: 0))
    let file = form.has(bit: 7) ? input.rest : Damage.apply(&input, to: base, pageSize: 64)
    let scratch = try ScratchFile()
    try scratch.write(file)
    guard let tiles = read(scratch.path) else {
      try require(file != base, "the good file is refused")
      return false
    }
    try require(read(scratch.path) == tiles, "another reading gives other tiles")
    return true
  }

  /// Entries and the first bytes of some; `nil` where the file is not sound.
  private static func read(_ path: FilePath) -> [PMTilesEntry: [UInt8]]? {
    do throws(ArchiveError) {
      let reader = try PMTilesReader(path)
      _ = try reader.metadata()
      let check = try PMTilesCheck(reader)
      guard check.faults.isEmpty else { return nil }
      var entries: [PMTilesEntry] = []
      try reader.forEachEntry { if entries.count < 64 { entries.append($0) } }
      var found: [PMTilesEntry: [UInt8]] = [:]
      for entry in entries {
        let bytes = try reader.bytes(of: entry)
        found[entry] = bytes
        for number in [entry.tile, entry.tile + UInt64(entry.runLength) - 1] {
          guard let tile = HilbertTile(rawValue: number).tile else { return nil }
          // Each entry that the walk finds is found from the root, too.
          let again = try reader.tile(tile)
          precondition(again == bytes, "tile \(tile) is another one")
        }
      }
      return found
    } catch {
      return nil
    }
  }

  /// Six tiles in a root with an entry of its own and a leaf.
  private static func good(isCompressed: Bool) -> [UInt8] {
    func packed(_ bytes: [UInt8]) -> [UInt8] {
      isCompressed ? bytes.withUnsafeBytes { Gzip.compress($0) } ?? [] : bytes
    }
    func directory(_ entries: [PMTilesEntry]) -> [UInt8] {
      packed(PMTilesDirectory.bytes(of: entries[...]))
    }
    let leaf = directory([
      PMTilesEntry(tile: 1, offset: 3, length: 2, runLength: 1),
      PMTilesEntry(tile: 2, offset: 0, length: 3, runLength: 2),
      PMTilesEntry(tile: 7, offset: 5, length: 1, runLength: 2),
    ])
    let root = directory([
      PMTilesEntry(tile: 0, offset: 0, length: 3, runLength: 1),
      PMTilesEntry(tile: 1, offset: 0, length: UInt32(leaf.count), runLength: 0),
    ])
    let metadata = packed(Array(#"{"name":"Fuzz"}"#.utf8))
    var header = PMTilesHeader()
    var end = UInt64(PMTilesHeader.size)
    func place(_ count: Int) -> PMTilesHeader.Section {
      defer { end += UInt64(count) }
      return PMTilesHeader.Section(offset: end, length: UInt64(count))
    }
    header.root = place(root.count)
    header.metadata = place(metadata.count)
    header.leaves = place(leaf.count)
    header.tiles = place(6)
    (header.addressedTiles, header.tileEntries, header.tileContents) = (6, 4, 3)
    header.internalCompression = isCompressed ? .gzip : .none
    header.maxZoom = 2
    return header.bytes + root + metadata + leaf + [1, 2, 3, 4, 5, 6]
  }
}
