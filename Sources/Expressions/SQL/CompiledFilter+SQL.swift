package import Tiling

extension CompiledFilter {
  /// Returns the filter as a condition for SQLite, `nil` if no part of it can be expressed with the
  /// same meaning; filters that are expressions cannot.
  ///
  /// Sources whose texts are not UTF-8 reject them; where the filter would not have read such a
  /// text, the condition may let the record pass unchecked.
  ///
  /// - Parameter column: returns the column of a property's name; `nil` where records have no such
  ///   property.
  package func sqlCondition(column: @escaping (String) -> SQLColumn?) -> SQLCondition? {
    if let constant {
      return SQLCondition(text: constant ? "1" : "0", parameters: [], isExact: true)
    }
    guard let predicate = (root as? PredicateRoot)?.predicate else { return nil }
    return SQLTranslation(names: propertyNames, column: column).condition(predicate)
  }

  /// Boxes each of which a record's geometry must touch for the filter to be true; empty for
  /// filters that do not depend on it.
  ///
  /// In degrees; the east may be beyond 180°, and longitudes are meant up to whole turns.
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
      guard box.minX <= box.maxX else { return [] }
      return [GeoBounds(west: box.minX, south: box.minY, east: box.maxX, north: box.maxY)]
    default: return []
    }
  }
}
