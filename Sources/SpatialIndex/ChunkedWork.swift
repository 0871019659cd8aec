import Workers

/// Work over 0 ..< count, divided into contiguous chunks for several threads.
///
/// Bodies write to disjoint places only, so that results never depend on the number of threads.
package struct ChunkedWork: Sendable {
  /// The chunks in ascending order; together they cover 0 ..< count. No chunk is empty unless
  /// count is 0.
  package let chunks: [Range<Int>]

  /// The number of threads that share the chunks.
  private let threads: Int

  /// Creates evenly divided work, in fewer chunks if one would have fewer than `minimum` items.
  ///
  /// - Parameter chunksPerThread: more than one if equally large chunks may take different times;
  ///   a thread that has finished a chunk takes the next.
  package init(count: Int, threads: Int, minimum: Int = 4096, chunksPerThread: Int = 1) {
    let most = threads > 1 ? threads * chunksPerThread : 1
    let wanted = max(1, min(most, count / max(1, minimum)))
    self.threads = min(max(1, threads), wanted)
    chunks = (0..<wanted).map { count * $0 / wanted..<count * ($0 + 1) / wanted }
  }

  /// Creates work divided like `init(count:threads:minimum:)`, but with every chunk beginning at an
  /// index for which `isBoundary` returns true.
  ///
  /// - Complexity: O(threads × longest run).
  package init(
    count: Int, threads: Int, minimum: Int = 4096, isBoundary: (_ index: Int) -> Bool
  ) {
    let even = ChunkedWork(count: count, threads: threads, minimum: minimum).chunks
    var starts = [0]
    for chunk in even.dropFirst() {
      var start = max(chunk.lowerBound, starts[starts.count - 1])
      while start < count, !isBoundary(start) { start += 1 }
      starts.append(start)
    }
    starts.append(count)
    self.threads = even.count
    chunks = zip(starts, starts.dropFirst()).map { $0..<$1 }
  }

  /// Calls the body once per chunk, on the threads, and waits for all.
  package func forEach(_ body: (_ chunk: Int, _ range: Range<Int>) -> Void) {
    if chunks.count == 1 { return body(0, chunks[0]) }
    withoutActuallyEscaping(body) { body in
      let shared = SharedBody(body)
      // No thread uses the body after this call, but a thread that starts late may still hold the
      // box.
      defer { shared.body = nil }
      let queue = JobQueue<Int, Void, Never>(threads: threads - 1, caller: .helps) {
        { chunk in shared.body?(chunk, chunks[chunk]) }
      }
      for chunk in chunks.indices { queue.submit(chunk) }
      while queue.next() != nil {}
    }
  }

  /// A body that several threads call.
  ///
  /// Safe: bodies write to disjoint places, and the queue that calls them ends before the body does.
  private final class SharedBody: @unchecked Sendable {
    var body: ((_ chunk: Int, _ range: Range<Int>) -> Void)?

    init(_ body: @escaping (_ chunk: Int, _ range: Range<Int>) -> Void) {
      self.body = body
    }
  }

  /// Returns the start of each chunk's output when chunk `i` writes `counts[i]` items; the total is
  /// last.
  package static func offsets(_ counts: [Int]) -> [Int] {
    counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
  }
}
