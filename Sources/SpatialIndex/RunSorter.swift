package import Columns

/// A sorter of keys and payloads that do not fit into memory together: runs are sorted in memory
/// and merged in sequence, so that files are read and written from their beginnings to their ends.
///
/// It gives the result of ``RadixSorter``, whatever the length of a run: equal keys keep their
/// order within a run, and the merge takes them from earlier runs first.
package struct RunSorter {
  /// The number of elements of a run.
  private let runLength: Int

  /// Creates the sorter of some keys; `nil` where they can be sorted in memory at once.
  package init?(_ keys: Column<UInt64>) {
    // Two copies of each key and payload: 2 · (8 + 4) bytes.
    guard let length = keys.scratch?.workCount(ofStride: 24), length < keys.count else {
      return nil
    }
    runLength = length
  }

  /// Sorts keys ascending; payloads follow their keys, and equal keys keep their order.
  ///
  /// - Complexity: O(n · log runs), one pass over the runs and one over all.
  package func sort(
    _ keys: inout Column<UInt64>, _ payloads: inout Column<UInt32>, threads: Int
  ) {
    let runs = stride(from: 0, to: keys.count, by: runLength).map {
      $0..<min($0 + runLength, keys.count)
    }
    var sorter = RadixSorter()
    for run in runs { Self.sort(run, of: &keys, &payloads, with: &sorter, threads: threads) }
    sorter.releaseBuffers()
    Self.merge(runs, of: &keys, &payloads)
  }

  private static func sort(
    _ run: Range<Int>, of keys: inout Column<UInt64>, _ payloads: inout Column<UInt32>,
    with sorter: inout RadixSorter, threads: Int
  ) {
    var runKeys = Column(keys[run])
    var runPayloads = Column(payloads[run])
    sorter.sort(&runKeys, &runPayloads, threads: threads)
    keys.replace(run, with: runKeys)
    payloads.replace(run, with: runPayloads)
  }

  private static func merge(
    _ runs: [Range<Int>], of keys: inout Column<UInt64>, _ payloads: inout Column<UInt32>
  ) {
    var mergedKeys = Column<UInt64>(uninitializedCount: keys.count, in: keys.scratch)
    var mergedPayloads = Column<UInt32>(uninitializedCount: keys.count, in: payloads.scratch)
    keys.withUnsafeBufferPointer { keys in
      payloads.withUnsafeBufferPointer { payloads in
        mergedKeys.withUnsafeMutableBufferPointer { keysOut in
          mergedPayloads.withUnsafeMutableBufferPointer { payloadsOut in
            var heads = RunHeads(runs, of: keys)
            for place in keysOut.indices {
              let source = heads.next(of: keys)
              keysOut[place] = keys[source]
              payloadsOut[place] = payloads[source]
            }
          }
        }
      }
    }
    keys = mergedKeys
    payloads = mergedPayloads
  }
}

/// The first unmerged element of each run, as a binary heap: the smallest key comes first; of
/// equal keys, the one of the earliest run.
private struct RunHeads {
  private struct Head {
    var key: UInt64
    var next: Int
    let end: Int

    /// Runs follow each other, so the smaller index belongs to the earlier run.
    func precedes(_ other: Head) -> Bool { (key, next) < (other.key, other.next) }
  }

  private var heads: ContiguousArray<Head>

  init(_ runs: [Range<Int>], of keys: UnsafeBufferPointer<UInt64>) {
    heads = ContiguousArray(
      runs.filter { !$0.isEmpty }.map {
        Head(key: keys[$0.lowerBound], next: $0.lowerBound, end: $0.upperBound)
      })
    // A sorted array is a heap.
    heads.sort { $0.precedes($1) }
  }

  /// Takes the place of the least element; there must be one.
  mutating func next(of keys: UnsafeBufferPointer<UInt64>) -> Int {
    let place = heads[0].next
    if place + 1 < heads[0].end {
      heads[0].next = place + 1
      heads[0].key = keys[place + 1]
    } else if heads.count > 1 {
      heads[0] = heads.removeLast()
    } else {
      heads.removeLast()
      return place
    }
    sink()
    return place
  }

  /// Moves the first head down to where it belongs.
  private mutating func sink() {
    heads.withUnsafeMutableBufferPointer { heads in
      let head = heads[0]
      var place = 0
      while true {
        var child = 2 * place + 1
        guard child < heads.count else { break }
        if child + 1 < heads.count, heads[child + 1].precedes(heads[child]) { child += 1 }
        guard heads[child].precedes(head) else { break }
        heads[place] = heads[child]
        place = child
      }
      heads[place] = head
    }
  }
}
