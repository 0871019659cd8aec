import Features

/// A reader that reports its progress, and ends early when its listener throws or enough records
/// are read.
struct WatchedReader: DerivedReader {
  private(set) var base: any FeatureReader
  /// The number of records that are still wanted.
  private var wanted: Int
  private let advance: (Int) throws -> Void

  /// The properties that any record so far has.
  private(set) var namesSeen: Set<String> = []

  /// The error that the listener threw.
  private(set) var failure: (any Error)?

  /// - Parameter limit: the number of records after which the reading ends, at the end of a batch;
  ///   `nil` reads all.
  package init(
    _ base: any FeatureReader, limit: Int? = nil, advance: @escaping (Int) throws -> Void
  ) {
    self.base = base
    wanted = limit ?? .max
    self.advance = advance
  }

  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    do {
      try advance(base.bytesRead)
    } catch {
      failure = error
      batch.removeAll()
      return false
    }
    guard wanted > 0 else {
      batch.removeAll()
      return false
    }
    let hasRecords = try base.read(into: &batch)
    wanted -= batch.count
    batch.insertNames(into: &namesSeen)
    return hasRecords
  }
}
