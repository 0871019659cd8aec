import Synchronization

/// Some thousand tiles on their way to the ``TileHasher``, with or without bytes of their own.
///
/// Filled by one thread, then handed over to those that read it; never changed while it is read.
final class TileBatch: @unchecked Sendable {
  /// Tiles of one batch: enough to make the hand-over free, few enough to stay in the cache.
  static let capacity = 4096

  /// Bytes that a batch holds by itself.
  private static let byteCapacity = 4 << 20

  /// One tile.
  struct Row {
    /// `TileCoord.archiveKey`.
    var archiveKey: UInt64
    /// The bytes of the tile: in the batch itself, or kept by whoever filled it.
    var address: UnsafeRawPointer?
    var count: Int
  }

  /// How many have still to read it.
  let readers = Atomic<Int>(0)

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

  /// Adds a tile whose bytes stay where they are until the batch is hashed.
  func append(_ archiveKey: UInt64, at data: UnsafeRawBufferPointer) {
    rows.append(Row(archiveKey: archiveKey, address: data.baseAddress, count: data.count))
  }

  /// Adds a tile and a copy of its bytes; false, and nothing added, if there is no room left.
  ///
  /// An empty batch always has room.
  func append(_ archiveKey: UInt64, copying data: UnsafeRawBufferPointer) -> Bool {
    if rows.isEmpty, bytes.count < max(data.count, Self.byteCapacity) {
      bytes.deallocate()
      bytes = .allocate(byteCount: max(data.count, Self.byteCapacity), alignment: 16)
    }
    guard !isFull, byteCount + data.count <= bytes.count else { return false }
    let place = UnsafeMutableRawBufferPointer(
      rebasing: bytes[byteCount..<(byteCount + data.count)])
    place.copyMemory(from: data)
    append(archiveKey, at: UnsafeRawBufferPointer(place))
    byteCount += data.count
    return true
  }

  /// Makes the batch ready to be filled again.
  func removeAll() {
    rows.removeAll(keepingCapacity: true)
    byteCount = 0
  }
}
