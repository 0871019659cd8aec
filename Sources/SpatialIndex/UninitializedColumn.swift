extension ContiguousArray where Element: BitwiseCopyable {
  /// Creates a column whose every element the caller writes before it reads any.
  ///
  /// It avoids clearing tens of megabytes that are overwritten at once. Only for plain values.
  ///
  /// - Complexity: O(1); pages are touched when written.
  @inlinable
  package init(uninitializedCount count: Int) {
    self.init(unsafeUninitializedCapacity: count) { _, initialized in initialized = count }
  }
}
