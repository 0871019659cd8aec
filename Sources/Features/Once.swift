import Synchronization

/// A value that is made when it is first needed, for all threads.
///
/// A fault of the data (``SourceError``) is kept like a value. After another error, such as a
/// cancellation, the next call tries again.
package final class Once<Value: Sendable>: Sendable {
  private let outcome = Mutex<Result<Value, SourceError>?>(nil)

  package init() {}

  /// The value, if it was made.
  package var known: Value? { outcome.withLock { try? $0?.get() } }

  /// Returns the value; the first call makes it, and others wait for it.
  package func value(_ make: () throws -> Value) throws -> Value {
    try outcome.withLock { outcome in
      if let outcome { return try outcome.get() }
      do {
        let value = try make()
        outcome = .success(value)
        return value
      } catch let error as SourceError {
        outcome = .failure(error)
        throw error
      }
    }
  }
}
