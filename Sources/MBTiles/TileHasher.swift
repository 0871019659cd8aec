import Dispatch
import Files
import Hashing
import Synchronization
import Tiling
import Workers

/// The two fingerprints of an archive's tiles.
package struct TileHashes: Hashable, Sendable {
  /// Upper-case MD5 over decimal zoom, column, TMS row and the bytes of every tile, without
  /// separators; rows in order of zoom, column, TMS row. Readers know it as `agg_tiles_hash`;
  /// source: martin's `mbtiles validate`.
  package let aggTilesHash: String

  /// Lower-case SHA-256 over every tile in the same order: `z/x/y\n` in decimal ASCII with the XYZ
  /// row, the byte count as eight little-endian bytes, the bytes. Equal digests mean equal tiles,
  /// however the archive stores them.
  package let digest: String

  package init(aggTilesHash: String, digest: String) {
    self.aggTilesHash = aggTilesHash
    self.digest = digest
  }
}

/// A hasher that computes ``TileHashes`` on two threads, one per hash, while another one reads or
/// writes the rows.
///
/// At most ``batchesInFlight`` batches are pending, so memory is bounded and the faster side waits.
final class TileHasher: Sendable {
  private static let batchesInFlight = 4

  private let md5Queue = SerialWork()
  private let sha256Queue = SerialWork()
  private let slots = DispatchSemaphore(value: TileHasher.batchesInFlight)
  private let md5 = MD5State()
  private let sha256 = SHA256State()
  private let spare = Mutex<[TileBatch]>([])

  /// Returns an empty batch to fill and ``submit(_:)``.
  func batch() -> TileBatch {
    spare.withLock { $0.popLast() } ?? TileBatch()
  }

  /// Submits a batch, whose tiles follow those of the batch before; blocks while too many are
  /// pending.
  func submit(_ batch: TileBatch) {
    slots.wait()
    batch.readers.store(2, ordering: .releasing)
    md5Queue.submit { [self] in
      md5.hash(batch)
      release(batch)
    }
    sha256Queue.submit { [self] in
      sha256.hash(batch)
      release(batch)
    }
  }

  /// Releases a batch; the second hash to do so makes it ready for reuse.
  private func release(_ batch: TileBatch) {
    guard batch.readers.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    batch.removeAll()
    spare.withLock { $0.append(batch) }
    slots.signal()
  }

  /// Waits for all batches.
  func wait() {
    md5Queue.wait()
    sha256Queue.wait()
  }

  /// Waits for all batches and returns the hashes. Call it once.
  func finish() -> TileHashes {
    wait()
    return TileHashes(aggTilesHash: md5.finish(), digest: sha256.finish())
  }

  /// The running MD5; only its queue accesses it.
  private final class MD5State: @unchecked Sendable {
    private var md5 = MD5()
    private var text = DecimalText()

    func hash(_ batch: TileBatch) {
      for row in batch.rows {
        let tile = TileCoord(archiveKey: row.archiveKey)
        text.removeAll()
        text.append(tile.z)
        text.append(tile.x)
        text.append(tile.tmsRow)
        text.withBytes { md5.update(bufferPointer: $0) }
        md5.update(bufferPointer: UnsafeRawBufferPointer(start: row.address, count: row.count))
      }
    }

    func finish() -> String { MD5Digest(md5.finalize()).description }
  }

  /// The running SHA-256; only its queue accesses it.
  private final class SHA256State: @unchecked Sendable {
    private var sha256 = SHA256()
    private var text = DecimalText()

    func hash(_ batch: TileBatch) {
      for row in batch.rows {
        let tile = TileCoord(archiveKey: row.archiveKey)
        text.removeAll()
        text.append(tile.z)
        text.append(byte: UInt8(ascii: "/"))
        text.append(tile.x)
        text.append(byte: UInt8(ascii: "/"))
        text.append(tile.y)
        text.append(byte: UInt8(ascii: "\n"))
        text.append(littleEndian: UInt64(row.count))
        text.withBytes { sha256.update(bufferPointer: $0) }
        sha256.update(bufferPointer: UnsafeRawBufferPointer(start: row.address, count: row.count))
      }
    }

    func finish() -> String { Hexadecimal.text(sha256.finalize()) }
  }
}

/// A buffer of numbers as ASCII text, built in place.
private struct DecimalText: ~Copyable {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 16)
  private var count = 0

  deinit { bytes.deallocate() }

  mutating func removeAll() { count = 0 }

  /// Calls `body` with the text.
  func withBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
    body(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
  }

  mutating func append(byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  mutating func append(littleEndian word: UInt64) {
    bytes.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  /// Appends a non-negative number in decimal.
  mutating func append(_ number: Int) {
    var digits = 1
    var bound = 10
    while number >= bound {
      digits += 1
      bound *= 10
    }
    var rest = number
    for place in stride(from: count + digits - 1, through: count, by: -1) {
      bytes[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    count += digits
  }
}
