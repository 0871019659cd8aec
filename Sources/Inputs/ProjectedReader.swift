import Features
import Projections

/// A reader whose records come in another reference system, converted to longitude and latitude batch
/// by batch.
struct ProjectedReader: DerivedReader {
  private(set) var base: any FeatureReader
  private let projection: Projection

  init(_ base: any FeatureReader, _ projection: Projection) {
    self.base = base
    self.projection = projection
  }

  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    let hasRecords = try base.read(into: &batch)
    batch.geometry.changePositions { projection.apply(to: &$0) }
    return hasRecords
  }
}
