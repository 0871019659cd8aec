package import Columns
package import Tiling

/// Points in Z-order: the input of the quad tree and the grid clusters.
package struct MortonOrder: Sendable {
  /// The codes, ascending (``MortonCode``).
  package private(set) var codes: Column<UInt64>

  /// The point of each code; points of equal code are in ascending index.
  package private(set) var indices: Column<UInt32>

  /// Creates the order by sorting points by their Morton code.
  ///
  /// - Complexity: O(n); 12 bytes per point for the result and as many for scratch.
  package init(_ points: Column<WorldPoint>, threads: Int = 1) {
    precondition(points.count < UInt32.max, "points are numbered with 32 bits")
    codes = Column(uninitializedCount: points.count, in: points.scratch)
    indices = Column(uninitializedCount: points.count, in: points.scratch)
    points.withUnsafeBufferPointer { points in
      codes.withUnsafeMutableBufferPointer { codes in
        indices.withUnsafeMutableBufferPointer { indices in
          ChunkedWork(count: points.count, threads: threads).forEach { _, range in
            for index in range {
              codes[index] = MortonCode(points[index]).rawValue
              indices[index] = UInt32(truncatingIfNeeded: index)
            }
          }
        }
      }
    }
    var sorter = RadixSorter()
    sorter.sort(&codes, &indices, threads: threads)
  }

  /// Reorders points of equal code by a stricter rule, which must be a strict weak order.
  ///
  /// - Complexity: O(n + Σ k log k) over the runs of k equal codes.
  package mutating func sortTies(by precedes: (_ left: UInt32, _ right: UInt32) -> Bool) {
    codes.withUnsafeBufferPointer { codes in
      indices.withUnsafeMutableBufferPointer { indices in
        var start = 0
        while start < codes.count {
          var end = start + 1
          while end < codes.count, codes[end] == codes[start] { end += 1 }
          if end - start > 1 { Self.sort(indices[start..<end], by: precedes) }
          start = end
        }
      }
    }
  }

  private static func sort(
    _ run: Slice<UnsafeMutableBufferPointer<UInt32>>, by precedes: (UInt32, UInt32) -> Bool
  ) {
    let run = UnsafeMutableBufferPointer(rebasing: run)
    let isSorted = run.indices.dropFirst().allSatisfy { !precedes(run[$0], run[$0 - 1]) }
    if isSorted { return }
    var sorted = ContiguousArray(run)
    sorted.sort(by: precedes)
    _ = run.update(fromContentsOf: sorted)
  }
}
