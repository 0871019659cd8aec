import Synchronization

/// Values that are made from archives, each kept until its archive is replaced; those used last
/// stay.
final class FileStampCache<Value: Sendable>: Sendable {
  /// The value of one path, made by one thread while others wait for it.
  private final class Slot: Sendable {
    let made = Mutex<(stamp: FileStamp?, value: Value)?>(nil)
  }

  private struct Slots {
    var slots: [String: Slot] = [:]
    /// The paths in order of use, the most recent last.
    var order: [String] = []
  }

  private let slots = Mutex(Slots())
  private let limit: Int

  /// - Parameter limit: the maximum number of values.
  init(limit: Int) {
    self.limit = limit
  }

  /// Returns the value of an archive, made by `make` if there is none of its present state.
  ///
  /// - Throws: what `make` throws.
  func value(of path: String, _ make: () throws -> Value) throws -> Value {
    try slot(path).made.withLock { made in
      let stamp = FileStamp(path)
      if let made, made.stamp == stamp { return made.value }
      let value = try make()
      made = (stamp, value)
      return value
    }
  }

  private func slot(_ path: String) -> Slot {
    slots.withLock { slots in
      slots.order.removeAll { $0 == path }
      slots.order.append(path)
      if let known = slots.slots[path] { return known }
      if slots.order.count > limit { slots.slots[slots.order.removeFirst()] = nil }
      let slot = Slot()
      slots.slots[path] = slot
      return slot
    }
  }
}
