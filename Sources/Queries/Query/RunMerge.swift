import HeapModule

/// A merge of the sorted runs of a spool file into one order.
struct RunMerge {
  /// A run with the records that were read ahead, ordered by the key of the current record; no two
  /// records have equal keys.
  private final class Cursor: Comparable {
    var next: Int64
    let end: Int64
    var bytes: [UInt8] = []
    var index = 0
    /// The current record in ``bytes``.
    var key = 0..<0
    var record = 0..<0

    init(_ run: SpoolFile.Run) {
      next = run.start
      end = run.end
    }

    static func == (first: Cursor, second: Cursor) -> Bool { first === second }

    static func < (first: Cursor, second: Cursor) -> Bool {
      first.bytes.withUnsafeBytes { one in
        second.bytes.withUnsafeBytes { other in
          UnsafeRawBufferPointer(rebasing: one[first.key])
            .precedes(UnsafeRawBufferPointer(rebasing: other[second.key]))
        }
      }
    }
  }

  private let spool: SpoolFile
  private let chunk: Int
  /// The cursors that have a record.
  private var cursors = Heap<Cursor>()

  /// The number of bytes that all runs together read ahead; each reads at least 64 KiB.
  private static let readAhead = 32 << 20

  init(_ runs: [SpoolFile.Run], of spool: SpoolFile) throws {
    self.spool = spool
    chunk = max(64 << 10, Self.readAhead / max(1, runs.count))
    for cursor in runs.map(Cursor.init) where try advance(cursor) { cursors.insert(cursor) }
  }

  /// Passes the next record to `visit`.
  ///
  /// - Returns: `false` at the end.
  /// - Complexity: O(log runs) comparisons.
  mutating func next(_ visit: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    guard let first = cursors.popMin() else { return false }
    try first.bytes.withUnsafeBytes {
      try visit(UnsafeRawBufferPointer(rebasing: $0[first.record]))
    }
    if try advance(first) { cursors.insert(first) }
    return true
  }

  /// Moves a cursor to its next record; `false` at the run's end.
  private func advance(_ cursor: Cursor) throws -> Bool {
    guard try load(cursor, SpoolFile.headerSize) else { return false }
    let start = cursor.index
    let (keyCount, recordCount) = cursor.bytes.withUnsafeBytes {
      (
        $0.loadUnaligned(fromByteOffset: start, as: Int.self),
        $0.loadUnaligned(fromByteOffset: start + MemoryLayout<Int>.size, as: Int.self)
      )
    }
    let size = SpoolFile.headerSize + keyCount + recordCount
    guard try load(cursor, size) else { return false }
    let keyStart = cursor.index + SpoolFile.headerSize
    cursor.key = keyStart..<(keyStart + keyCount)
    cursor.record = (keyStart + keyCount)..<(keyStart + keyCount + recordCount)
    cursor.index += size
    return true
  }

  /// Ensures that `count` bytes from the cursor's index on are in memory.
  private func load(_ cursor: Cursor, _ count: Int) throws -> Bool {
    let held = cursor.bytes.count - cursor.index
    if held >= count { return true }
    let left = cursor.end - cursor.next
    let added = Int(min(left, Int64(max(chunk, count - held))))
    guard held + added >= count else { return false }
    cursor.bytes.removeFirst(cursor.index)
    cursor.index = 0
    cursor.bytes += repeatElement(0, count: added)
    let offset = cursor.next
    try cursor.bytes.withUnsafeMutableBytes {
      try spool.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0[held...]))
    }
    cursor.next += Int64(added)
    return true
  }
}
