import Features
import Synchronization
import Workers

/// Batches that were handed over and read, kept for the next sections: their columns have grown to
/// the size that the file needs.
final class BatchPool: Sendable {
  private let batches = Mutex<[FeatureBatch]>([])

  func take() -> FeatureBatch { batches.withLock { $0.popLast() } ?? FeatureBatch() }

  func put(_ batch: consuming FeatureBatch) {
    let batch = batch
    batches.withLock { if $0.count < 64 { $0.append(batch) } }
  }
}

/// The sections of a file that are being read, in the order of the file.
typealias ReadAhead<Section: Sendable, Contents: Sendable> = JobQueue<Section, Contents, Never>

/// The use of several threads by a reader.
package struct ReadingThreads: Hashable, Sendable {
  /// The number of threads; with one, the file is read from front to back.
  package var count: Int

  /// The bytes of a section that one thread reads at a time: large enough that starting it costs
  /// nothing, small enough that what is in flight stays in the third-level cache.
  package var sectionBytes: Int

  /// Whether the file is cut into sections although there is only one thread, or it is short.
  package var alwaysCuts = false

  package init(_ count: Int, sectionBytes: Int = 1 << 20) {
    self.count = count
    self.sectionBytes = sectionBytes
  }

  /// One thread that reads from front to back.
  package static let one = ReadingThreads(1)

  /// The maximum number of sections in flight.
  var limit: Int { count + 2 }

  /// Whether the rest of a file is worth cutting.
  func cuts(_ rest: Int) -> Bool { alwaysCuts || count > 1 && rest > 2 * sectionBytes }
}
