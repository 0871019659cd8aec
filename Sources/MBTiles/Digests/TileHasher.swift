package import Columns
import Dispatch
import Hashing
import Synchronization
import Tiling
import Workers

/// The fingerprints of an archive's tiles.
package struct TileHashes: Hashable, Sendable {
  /// The root of the hash tree over all tiles (``DigestTree``), in lower-case hexadecimal digits.
  /// Equal digests mean equal tiles, however the archive stores them.
  package let digest: String

  /// Upper-case MD5 over decimal zoom, column, TMS row and the bytes of every tile, without
  /// separators; rows in order of zoom, column, TMS row. Readers know it as `agg_tiles_hash`;
  /// source: martin's `mbtiles validate`. `nil` where it was not asked for: it takes a pass over
  /// all bytes, whatever has changed.
  package let aggTilesHash: String?

  package init(digest: String, aggTilesHash: String? = nil) {
    self.digest = digest
    self.aggTilesHash = aggTilesHash
  }
}

/// A hasher that computes the hash tree over tiles on a thread of its own, while another one reads
/// or writes the rows.
///
/// At most ``batchesInFlight`` batches are pending, so memory is bounded and the faster side waits.
package final class TileHasher: Sendable {
  private static let batchesInFlight = 4

  private let queue = SerialWork()
  private let slots = DispatchSemaphore(value: TileHasher.batchesInFlight)
  private let state: State
  private let spare = Mutex<[TileBatch]>([])

  /// - Parameter scratch: decides where the hashes lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    state = State(in: scratch)
  }

  /// Returns an empty batch to fill and ``submit(_:)``.
  package func batch() -> TileBatch {
    spare.withLock { $0.popLast() } ?? TileBatch()
  }

  /// Submits a batch, whose tiles follow those of the batch before; blocks while too many are
  /// pending.
  package func submit(_ batch: TileBatch) {
    slots.wait()
    queue.submit { [self] in
      state.hash(batch)
      batch.removeAll()
      spare.withLock { $0.append(batch) }
      slots.signal()
    }
  }

  /// Waits for all batches.
  func wait() { queue.wait() }

  /// Waits for all batches and returns the hashes of the blocks. Call it once.
  package func finish() -> BlockHashes {
    wait()
    return state.finish()
  }

  /// The running tree; only its queue accesses it.
  private final class State: @unchecked Sendable {
    private var tree: DigestTree

    /// The hashes of numbered images so far.
    private var images: Column<SHA256Digest>

    init(in scratch: Scratch?) {
      tree = DigestTree(in: scratch)
      images = Column(in: scratch)
    }

    func hash(_ batch: TileBatch) {
      for row in batch.rows {
        let number = row.image.map { Int($0) }
        if let number, number < images.count {
          tree.add(TileCoord(archiveKey: row.archiveKey), images[number])
          continue
        }
        let hash = SHA256Digest(of: UnsafeRawBufferPointer(start: row.address, count: row.count))
        if number != nil { images.append(hash) }
        tree.add(TileCoord(archiveKey: row.archiveKey), hash)
      }
    }

    func finish() -> BlockHashes { tree.finish() }
  }
}
