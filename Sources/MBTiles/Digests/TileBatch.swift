/// A batch of some thousand tiles on their way to the ``TileHasher``, with or without their own
/// bytes.
///
/// Filled by one thread, then passed to its reader; never changed while it is read.
package final class TileBatch: @unchecked Sendable {
  /// Number of tiles in one batch: enough to make the hand-over free, few enough to stay in the
  /// cache.
  static let capacity = 4096

  /// Bytes that a batch stores itself.
  private static let byteCapacity = 4 << 20

  /// One tile.
  struct Row {
    /// The tile's `TileCoord.archiveKey`.
    var archiveKey: UInt64
    /// The bytes of the tile: in the batch itself, or kept by the code that filled it.
    var address: UnsafeRawPointer?
    var count: Int
    /// The number of its image where images are numbered from 0 in order of first use: the bytes
    /// are only hashed for the first tile that shows it.
    var image: Int32?
  }

  private(set) var rows = ContiguousArray<Row>()
  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var byteCount = 0

  init() {
    rows.reserveCapacity(Self.capacity)
  }

  deinit {
    bytes.deallocate()
  }

  /// Whether the batch should be handed over now.
  var isFull: Bool { rows.count >= Self.capacity }

  /// Adds a tile whose bytes stay in place until the batch is hashed.
  func append(_ archiveKey: UInt64, at data: UnsafeRawBufferPointer, image: Int32? = nil) {
    rows.append(
      Row(archiveKey: archiveKey, address: data.baseAddress, count: data.count, image: image))
  }

  /// Adds a tile and a copy of its bytes; returns false, with nothing added, if there is no room.
  ///
  /// An empty batch always has room.
  package func append(
    _ archiveKey: UInt64, copying data: UnsafeRawBufferPointer, image: Int32? = nil
  ) -> Bool {
    if rows.isEmpty, bytes.count < max(data.count, Self.byteCapacity) {
      bytes.deallocate()
      bytes = .allocate(byteCount: max(data.count, Self.byteCapacity), alignment: 16)
    }
    guard !isFull, byteCount + data.count <= bytes.count else { return false }
    let place = UnsafeMutableRawBufferPointer(
      rebasing: bytes[byteCount..<(byteCount + data.count)])
    place.copyMemory(from: data)
    append(archiveKey, at: UnsafeRawBufferPointer(place), image: image)
    byteCount += data.count
    return true
  }

  /// Empties the batch so that it can be refilled.
  func removeAll() {
    rows.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
