package import Tiling

extension CompiledFilter {
  /// The filter as a condition for SQLite, `nil` where no part of it has a form with the same
  /// meaning; filters that are expressions have none.
  ///
  /// Sources whose texts are not UTF-8 reject them; where the filter would not have asked for such
  /// a text, the condition may let the record pass unseen.
  ///
  /// - Parameter column: the column of a property's name; `nil` where records have no such property.
  package func sqlCondition(column: @escaping (String) -> SQLColumn?) -> SQLCondition? {
    if let constant {
      return SQLCondition(text: constant ? "1" : "0", parameters: [], isExact: true)
    }
    guard let predicate = (root as? PredicateRoot)?.predicate else { return nil }
    return SQLTranslation(names: propertyNames, column: column).condition(predicate)
  }

  /// Boxes that a record's geometry must touch, each, for the filter to be true; none for filters
  /// that do not depend on it.
  ///
  /// Degrees; the east may be beyond 180°, and longitudes are meant up to whole turns.
  package var requiredBounds: [GeoBounds] {
    guard let predicate = (root as? PredicateRoot)?.predicate else { return [] }
    return Self.bounds(of: predicate)
  }

  private static func bounds(of predicate: any PredicateNode) -> [GeoBounds] {
    switch predicate {
    case let junction as PredicateJunction where junction.decisive == .no:
      return junction.operands.flatMap(bounds(of:))
    case let spatial as SpatialPredicate where spatial.relation != .disjoint:
      let box = spatial.geometry.box
      guard box.west <= box.east else { return [] }
      return [GeoBounds(west: box.west, south: box.south, east: box.east, north: box.north)]
    default: return []
    }
  }
}
