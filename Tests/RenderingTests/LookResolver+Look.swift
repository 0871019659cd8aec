import Styling

extension LookResolver {
  /// Returns the uppermost look of a feature: its label, or its circle.
  func look(of feature: any LookFeature) throws -> Look? { try looks(of: feature).last }
}
