import Foundation
import Synchronization

/// A thread that records the peaks of the process's memory, from its creation to ``stop()``.
///
/// Systems report the peak of all resident pages, but not of anonymous ones, so the thread samples
/// every 20 ms, which takes 0.1 % of a core.
final class MemoryWatch: Sendable {
  private static let interval = DispatchTimeInterval.milliseconds(20)

  private let peak = Mutex(MemoryUse())
  private let isOver = DispatchSemaphore(value: 0)

  init() {
    let thread = Thread { [self] in
      let gauge = MemoryGauge()
      repeat {
        note(gauge.use)
      } while isOver.wait(timeout: .now() + Self.interval) == .timedOut
    }
    thread.start()
  }

  /// The peaks so far.
  var most: MemoryUse { peak.withLock { $0 } }

  private func note(_ use: MemoryUse) { peak.withLock { $0.formMaximum(use) } }

  /// Ends the thread and returns the peaks.
  func stop() -> MemoryUse {
    isOver.signal()
    note(MemoryGauge().use)
    return peak.withLock { $0 }
  }
}

/// The memory of a run from its beginning to its end, also before, between and after its stages.
package enum RunMemory {
  private static let watch = Mutex<MemoryWatch?>(nil)

  /// Begins to watch, unless it has begun.
  package static func begin() {
    watch.withLock { $0 = $0 ?? MemoryWatch() }
  }

  /// The peaks since the beginning; zeros before it.
  package static var peak: MemoryUse { watch.withLock { $0?.most ?? MemoryUse() } }

  /// Ends watching.
  package static func end() {
    _ = watch.withLock { $0.take() }?.stop()
  }
}
