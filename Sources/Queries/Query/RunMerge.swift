/// A merge of the sorted runs of a spool file into one order.
struct RunMerge {
  /// A run with the records that were read ahead.
  private struct Cursor {
    var next: Int64
    let end: Int64
    var bytes: [UInt8] = []
    var index = 0
    /// The current record in ``bytes``.
    var key = 0..<0
    var record = 0..<0
  }

  private let spool: SpoolFile
  private let chunk: Int
  private var cursors: [Cursor]
  /// The cursors that have a record, as a binary heap by key.
  private var heap: [Int] = []

  /// The number of bytes that all runs together read ahead; each reads at least 64 KiB.
  private static let readAhead = 32 << 20

  init(_ runs: [SpoolFile.Run], of spool: SpoolFile) throws {
    self.spool = spool
    chunk = max(64 << 10, Self.readAhead / max(1, runs.count))
    cursors = runs.map { Cursor(next: $0.start, end: $0.end) }
    for index in cursors.indices where try advance(index) {
      heap.append(index)
      siftUp(from: heap.count - 1)
    }
  }

  /// Passes the next record to `visit`.
  ///
  /// - Returns: `false` at the end.
  /// - Complexity: O(log runs) comparisons.
  mutating func next(_ visit: (UnsafeRawBufferPointer) throws -> Void) throws -> Bool {
    guard let first = heap.first else { return false }
    try cursors[first].bytes.withUnsafeBytes {
      try visit(UnsafeRawBufferPointer(rebasing: $0[cursors[first].record]))
    }
    if try !advance(first) {
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
    }
    siftDown()
    return true
  }

  /// Moves a cursor to its next record; `false` at the run's end.
  private mutating func advance(_ index: Int) throws -> Bool {
    guard try load(index, SpoolFile.headerSize) else { return false }
    let start = cursors[index].index
    let (keyCount, recordCount) = cursors[index].bytes.withUnsafeBytes {
      (
        $0.loadUnaligned(fromByteOffset: start, as: Int.self),
        $0.loadUnaligned(fromByteOffset: start + MemoryLayout<Int>.size, as: Int.self)
      )
    }
    let size = SpoolFile.headerSize + keyCount + recordCount
    guard try load(index, size) else { return false }
    let keyStart = cursors[index].index + SpoolFile.headerSize
    cursors[index].key = keyStart..<(keyStart + keyCount)
    cursors[index].record = (keyStart + keyCount)..<(keyStart + keyCount + recordCount)
    cursors[index].index += size
    return true
  }

  /// Ensures that `count` bytes from the cursor's index on are in memory.
  private mutating func load(_ index: Int, _ count: Int) throws -> Bool {
    let held = cursors[index].bytes.count - cursors[index].index
    if held >= count { return true }
    let left = cursors[index].end - cursors[index].next
    let added = Int(min(left, Int64(max(chunk, count - held))))
    guard held + added >= count else { return false }
    cursors[index].bytes.removeFirst(cursors[index].index)
    cursors[index].index = 0
    cursors[index].bytes += repeatElement(0, count: added)
    let offset = cursors[index].next
    try cursors[index].bytes.withUnsafeMutableBytes {
      try spool.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0[held...]))
    }
    cursors[index].next += Int64(added)
    return true
  }

  // MARK: The heap

  private func precedes(_ first: Int, _ second: Int) -> Bool {
    cursors[first].bytes.withUnsafeBytes { one in
      cursors[second].bytes.withUnsafeBytes { other in
        UnsafeRawBufferPointer(rebasing: one[cursors[first].key])
          .precedes(UnsafeRawBufferPointer(rebasing: other[cursors[second].key]))
      }
    }
  }

  private mutating func siftUp(from start: Int) {
    var child = start
    while child > 0, precedes(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
        if precedes(heap[child], heap[least]) { least = child }
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
