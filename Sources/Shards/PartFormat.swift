package import Baking
import Features
import MBTiles
import TapBlocks

/// The layout of a part: what a shard painted, in one file. Numbers are little-endian.
///
/// | bytes | content |
/// |---|---|
/// | 0 ..< 8 | ``magic`` |
/// | 8 ..< 40 | SHA-256 of the plan's `plan.json` |
/// | 40 ..< 48 | the number of the shard |
/// | … | records, each: kind, 8 bytes; archive, 8 bytes; length of the content, 8 bytes; content |
/// | last 8 | checksum of everything before (`ImageChecksum`) |
package enum PartFormat {
  /// The signature; not text in any encoding.
  static let magic: [UInt8] = [0x89, 0x51, 0x50, 0x52, 0x54, 0x0D, 0x0A, 0x1A]
  static let headerSize = 48
  static let checksumSize = 8

  /// The kind of a record.
  package enum Kind: UInt64 {
    /// The images and grids of a batch of rows.
    case batch = 1
    /// A block of compact taps.
    case block = 2
    /// The end of the records.
    case end = 3
    /// The archive of a frame of a series.
    case frame = 4
  }

  /// Returns the header of a part.
  package static func header(plan: [UInt8], shard: Int) -> [UInt8] {
    var bytes = PartBytes()
    bytes.append(magic)
    bytes.append(plan)
    bytes.append(UInt64(shard))
    return bytes.bytes
  }
}

/// A buffer to which the values of a part are appended.
package struct PartBytes {
  package init() {}

  package private(set) var bytes: [UInt8] = []

  package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  package mutating func append(_ number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends a count, then a column of values as they lie in memory: all machines of a plan have one
  /// architecture.
  package mutating func append<Value: BitwiseCopyable>(counted column: [Value]) {
    append(UInt64(column.count))
    column.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }
}

/// A reader of the values of a part; it never reads beyond them.
package struct PartCursor {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  package mutating func number() throws(PartDamage) -> UInt64 {
    let bytes = try take(8)
    return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
  }

  /// Reads a count of values that follow.
  ///
  /// - Parameter width: the least bytes of one.
  package mutating func count(of width: Int = 1) throws(PartDamage) -> Int {
    guard let count = Int(exactly: try number()), count <= (bytes.count - offset) / max(width, 1)
    else { throw PartDamage() }
    return count
  }

  /// Reads a column of values of which any bytes are one.
  package mutating func column<Value: BitwiseCopyable>(
    of value: Value.Type
  ) throws(PartDamage) -> [Value] {
    let count = try count(of: MemoryLayout<Value>.stride)
    let bytes = try take(count * MemoryLayout<Value>.stride)
    return Array(unsafeUninitializedCapacity: count) { buffer, filled in
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
      filled = count
    }
  }

  package mutating func counted() throws(PartDamage) -> [UInt8] { try column(of: UInt8.self) }

  /// Reads all bytes that are left.
  mutating func rest() throws(PartDamage) -> UnsafeRawBufferPointer {
    try take(bytes.count - offset)
  }

  /// Returns the next bytes.
  package mutating func take(_ count: Int) throws(PartDamage) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - offset else { throw PartDamage() }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
  }
}

/// The error for a part whose content does not fit together.
package struct PartDamage: Error {}

// MARK: Records

extension PartBytes {
  /// Appends the images and grids of a batch, without what follows from the plan's rows.
  package mutating func append(_ batch: PaintedBatch) {
    append(counted: batch.pictures.ends)
    append(counted: batch.pictures.digests)
    append(counted: batch.pictures.checksums)
    append(counted: batch.pictures.bytes)
    let grids = batch.grids
    append(counted: grids.rows)
    append(counted: grids.ends)
    append(counted: grids.digests)
    append(counted: grids.bytes)
    for keys in grids.keys {
      append(UInt64(keys.count))
      for key in keys { append(counted: key) }
    }
  }

  package mutating func append(_ block: CompactTapStage.Block) {
    append(UInt64(block.coord.zoom))
    append(UInt64(block.coord.column))
    append(UInt64(block.coord.row))
    append(UInt64(block.tiles))
    append(block.hash.high)
    append(block.hash.low)
    append(counted: block.features.map { UInt32(truncatingIfNeeded: $0) })
    append(counted: block.stream)
  }
}

extension PartCursor {
  /// Reads the images of a batch.
  ///
  /// - Throws: ``PartDamage`` unless there is an image for every new scene of the batch, and grids
  ///   for rows that it has.
  package mutating func batch(_ planned: TileRows.Batch) throws(PartDamage) -> PaintedBatch {
    let ends = try column(of: Int.self)
    let digests = try column(of: MD5Digest.self)
    let checksums = try column(of: UInt64.self)
    let bytes = try counted()
    guard ends.count == planned.fresh.count, digests.count == ends.count,
      checksums.count == ends.count, Self.areEnds(ends, of: bytes)
    else { throw PartDamage() }
    var batch = PaintedBatch(
      of: planned, Pictures(bytes: bytes, ends: ends, digests: digests, checksums: checksums))
    batch.grids = try grids(rows: planned.rows.count)
    guard isAtEnd else { throw PartDamage() }
    return batch
  }

  private mutating func grids(rows: Int) throws(PartDamage) -> PaintedGrids {
    var grids = PaintedGrids()
    grids.rows = try column(of: Int32.self)
    grids.ends = try column(of: Int.self)
    grids.digests = try column(of: MD5Digest.self)
    grids.bytes = try counted()
    guard grids.rows.isEmpty || grids.rows.count == rows, grids.digests.count == grids.ends.count,
      Self.areEnds(grids.ends, of: grids.bytes),
      grids.rows.allSatisfy({ $0 < grids.ends.count })
    else { throw PartDamage() }
    for _ in grids.ends {
      // Each key has its length before it.
      let count = try count(of: 8)
      var keys: [[UInt8]] = []
      for _ in 0..<count { keys.append(try counted()) }
      grids.keys.append(keys)
    }
    return grids
  }

  package mutating func block() throws(PartDamage) -> CompactTapStage.Block {
    let place = [try number(), try number(), try number()].compactMap { Int(exactly: $0) }
    guard place.count == 3, place.allSatisfy({ $0 < 1 << 22 }),
      let tiles = Int(exactly: try number())
    else { throw PartDamage() }
    var hash = StableHash()
    (hash.high, hash.low) = (try number(), try number())
    let features = try column(of: UInt32.self).map { UInt64($0) }
    let stream = try counted()
    guard isAtEnd else { throw PartDamage() }
    return CompactTapStage.Block(
      coord: TapBlockCoord(zoom: place[0], column: place[1], row: place[2]), stream: stream,
      tiles: tiles, features: features, hash: hash)
  }

  /// Whether numbers are the ends of pieces into which bytes are cut.
  private static func areEnds(_ ends: [Int], of bytes: [UInt8]) -> Bool {
    ends.first ?? 0 >= 0 && ends.last ?? 0 == bytes.count
      && zip(ends, ends.dropFirst()).allSatisfy { $0 <= $1 }
  }
}
