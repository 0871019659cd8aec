import Crypto
import Dispatch
import Synchronization
import Tiling

/// The two fingerprints of an archive's tiles.
package struct TileHashes: Hashable, Sendable {
  /// Upper-case MD5 over decimal zoom, column, TMS row and the bytes of every tile, the text
  /// without separators; rows in order of zoom, column, TMS row. Readers know it as
  /// `agg_tiles_hash`; source: martin's `mbtiles validate`.
  package let aggTilesHash: String

  /// Lower-case SHA-256 over every tile in the same order: `z/x/y\n` in decimal ASCII with the XYZ
  /// row, the byte count as eight little-endian bytes, the bytes. Equal digests mean equal tiles,
  /// however the archive stores them.
  package let digest: String
}

/// Computes ``TileHashes`` on a thread of its own while another one reads or writes the rows.
///
/// At most ``batchesInFlight`` batches wait, so memory is bounded and the faster side waits.
final class TileHasher: Sendable {
  private static let batchesInFlight = 4

  private let queue = DispatchQueue(label: "quadrille.archive.hash")
  private let slots = DispatchSemaphore(value: TileHasher.batchesInFlight)
  private let state = State()
  private let spare = Mutex<[TileBatch]>([])

  /// An empty batch to fill and ``submit(_:)``.
  func batch() -> TileBatch {
    spare.withLock { $0.popLast() } ?? TileBatch()
  }

  /// Hands over a batch, whose tiles follow those of the batch before; waits while too many wait.
  func submit(_ batch: TileBatch) {
    slots.wait()
    queue.async { [self] in
      state.hash(batch)
      batch.removeAll()
      spare.withLock { $0.append(batch) }
      slots.signal()
    }
  }

  /// Waits for all batches.
  func wait() {
    queue.sync {}
  }

  /// Waits for all batches and returns the hashes. Call it once.
  func finish() -> TileHashes {
    queue.sync { state.finish() }
  }

  /// The running hashes; only the queue touches them.
  private final class State: @unchecked Sendable {
    private var md5 = Insecure.MD5()
    private var sha256 = SHA256()
    private let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 16)

    deinit { text.deallocate() }

    func hash(_ batch: TileBatch) {
      for row in batch.rows {
        let tile = TileCoord(archiveKey: row.archiveKey)
        let data = UnsafeRawBufferPointer(start: row.address, count: row.count)
        var end = write(tile.z, at: 0)
        end = write(tile.x, at: end)
        end = write(tile.tmsRow, at: end)
        md5.update(bufferPointer: UnsafeRawBufferPointer(rebasing: text[..<end]))
        md5.update(bufferPointer: data)

        end = write(tile.z, at: 0)
        text[end] = UInt8(ascii: "/")
        end = write(tile.x, at: end + 1)
        text[end] = UInt8(ascii: "/")
        end = write(tile.y, at: end + 1)
        text[end] = UInt8(ascii: "\n")
        text.storeBytes(of: UInt64(row.count).littleEndian, toByteOffset: end + 1, as: UInt64.self)
        sha256.update(bufferPointer: UnsafeRawBufferPointer(rebasing: text[..<(end + 9)]))
        sha256.update(bufferPointer: data)
      }
    }

    func finish() -> TileHashes {
      TileHashes(
        aggTilesHash: MD5Digest(md5.finalize()).description,
        digest: lowercaseHexadecimal(sha256.finalize()))
    }

    /// Writes a number that is not negative in decimal and returns the end.
    private func write(_ number: Int, at start: Int) -> Int {
      var digits = 1
      var bound = 10
      while number >= bound {
        digits += 1
        bound *= 10
      }
      var rest = number
      for place in stride(from: start + digits - 1, through: start, by: -1) {
        text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      return start + digits
    }
  }
}

/// Some bytes in lower-case hexadecimal digits.
package func lowercaseHexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
