import Features

/// A reader that tells how far it is, and ends early when its listener throws.
struct WatchedReader: FeatureReader {
  private var base: any FeatureReader
  private let advance: (Int) throws -> Void

  /// What the listener threw.
  private(set) var failure: (any Error)?

  init(_ base: any FeatureReader, advance: @escaping (Int) throws -> Void) {
    self.base = base
    self.advance = advance
  }

  var propertyNames: [String] { base.propertyNames }
  var ledger: SourceLedger { base.ledger }
  var bytesRead: Int { base.bytesRead }
  var byteCount: Int? { base.byteCount }
  var geometryColumns: [String] { base.geometryColumns }
  var layer: String { base.layer }

  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    do {
      try advance(base.bytesRead)
    } catch {
      failure = error
      batch.removeAll()
      return false
    }
    return try base.read(into: &batch)
  }
}
