import Baking
import Features
import MBTiles
import Runs
import Shards
import SystemPackage
import Tiling

/// Damaged parts of a plan: a byte of options, then what to do to a good one, or with the highest bit
/// the whole content. The lowest bit leaves the checksum at the end as it was.
enum PartFuzz {
  /// Three rows of a zoom, the last of which shows the scene of the first.
  private static let rows: PlannedRows = {
    func hash(_ number: Int) -> StableHash {
      var hash = StableHash()
      hash.combine(number)
      return hash
    }
    let keys = (0..<3).map { TileKey(column: $0, row: 2).rawValue }
    return PlannedRows([
      PlannedRows.Zoom(
        zoom: 2, keys: Column(keys), hashes: [hash(1), hash(2), hash(1)],
        blanks: [TileKey(column: 3, row: 3).rawValue], hasAreas: false)
    ])
  }()

  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let options = input.byte()
    let base = good
    let content = options.has(bit: 7) ? input.rest : Damage.apply(&input, to: base, pageSize: 64)
    let checksum = ImageChecksum.of((options.has(bit: 0) ? base : content)[...])
    let scratch = try ScratchFile()
    try scratch.write(content + withUnsafeBytes(of: checksum.littleEndian) { Array($0) })
    guard let found = read(scratch.path) else {
      try require(content != base, "the good part is refused")
      return false
    }
    try require(read(scratch.path) == found, "another reading gives other images")
    return true
  }

  /// The images of the batch and the streams of the blocks; `nil` where the part is not sound.
  private static func read(_ path: FilePath) -> [[UInt8]]? {
    guard let part = try? PartFile(path, Cancellation()) else { return nil }
    var rows = TileRows(rows, in: 0..<rows.count)
    var batches = part.records(.batch, archive: 0)
    var found: [[UInt8]] = []
    do {
      while let batch = rows.next() {
        guard var content = try batches.next() else { return nil }
        let painted = try content.batch(batch)
        found.append(painted.pictures.bytes)
        found += painted.grids.keys.joined()
      }
      var blocks = part.records(.block, archive: 0)
      while var content = try blocks.next() { found.append(try content.block().stream) }
      return found
    } catch {
      return nil
    }
  }

  /// A part with a batch, a block and an end, without its checksum.
  private static var good: [UInt8] {
    var batch = PartBytes()
    batch.append(counted: [4, 6] as [UInt64])
    batch.append(counted: [MD5Digest(high: 1, low: 2), MD5Digest(high: 3, low: 4)])
    batch.append(counted: [5, 6] as [UInt64])
    batch.append(counted: [10, 20, 30, 40, 50, 60] as [UInt8])
    batch.append(counted: [0, -1, 0, -1] as [Int32])
    batch.append(counted: [3] as [UInt64])
    batch.append(counted: [MD5Digest(high: 7, low: 8)])
    batch.append(counted: [1, 2, 3] as [UInt8])
    batch.append(1 as UInt64)
    batch.append(counted: Array("key".utf8))
    var block = PartBytes()
    for number: UInt64 in [2, 0, 0, 3, 8, 9] { block.append(number) }
    block.append(counted: [1, 4] as [UInt32])
    block.append(counted: [1, 2, 3, 4, 5] as [UInt8])
    var part = PartBytes()
    part.append(PartFormat.header(plan: [UInt8](repeating: 7, count: 32), shard: 1))
    for (kind, content) in [
      (PartFormat.Kind.batch, batch), (.block, block), (.end, PartBytes()),
    ] {
      part.append(kind.rawValue)
      part.append(0)
      part.append(counted: content.bytes)
    }
    return part.bytes
  }
}
