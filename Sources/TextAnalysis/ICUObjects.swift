import Synchronization

/// A cache of ICU objects by the settings that they were opened with: opening one takes a thousand
/// times as long as using it.
final class ICUObjects<Key: Hashable & Sendable, Object: Sendable>: Sendable {
  /// The maximum number of objects, since the settings may come from the data.
  private static var limit: Int { 64 }

  private let objects = Mutex<[Key: Object]>([:])

  /// Returns the object for a key, and opens it if it is not in the cache.
  func value(
    for key: Key, open: () throws(TextAnalysisError) -> Object
  ) throws(TextAnalysisError) -> Object {
    if let object = objects.withLock({ $0[key] }) { return object }
    let object = try open()
    objects.withLock {
      if $0.count >= Self.limit { $0.removeAll() }
      $0[key] = object
    }
    return object
  }
}
