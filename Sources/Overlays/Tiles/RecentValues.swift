/// The most recently used values by key: at least those that fill half of the room.
///
/// When the newer half is full it becomes the older one; values of the former older half that were
/// not used again are dropped.
struct RecentValues<Key: Hashable, Value> {
  /// The cost that each half holds.
  private let half: Int

  private var newer: [Key: Value] = [:]
  private var older: [Key: Value] = [:]
  private var cost = 0

  /// - Parameter room: the greatest sum of costs.
  init(room: Int) { half = max(room / 2, 1) }

  /// Returns the value of a key and makes it one of the newer ones.
  ///
  /// - Parameter cost: returns the cost of a value.
  mutating func value(of key: Key, cost: (Value) -> Int) -> Value? {
    if let value = newer[key] { return value }
    guard let value = older.removeValue(forKey: key) else { return nil }
    insert(value, for: key, cost: cost(value))
    return value
  }

  mutating func insert(_ value: Value, for key: Key, cost added: Int) {
    if cost + added > half {
      older = newer
      newer = [:]
      cost = 0
    }
    if newer.updateValue(value, forKey: key) == nil { cost += added }
  }
}
