import Features
import Tiling

/// The spatial relations of CQL2 that are supported.
enum SpatialRelation: String, CaseIterable, Sendable {
  case intersects = "S_INTERSECTS"
  case disjoint = "S_DISJOINT"
  case within = "S_WITHIN"
  case contains = "S_CONTAINS"
  case equals = "S_EQUALS"

  /// The relations of the standard that are rejected by name.
  static let refused = ["S_TOUCHES", "S_CROSSES", "S_OVERLAPS"]

  /// The converse relation, which holds for *b* and *a* exactly if this one holds for *a* and *b*.
  var reversed: SpatialRelation {
    switch self {
    case .within: .contains
    case .contains: .within
    case .intersects, .disjoint, .equals: self
    }
  }
}

/// A predicate on the relation of a record's geometry to one in the text; unknown without geometry.
///
/// Positions are degrees in a plane, with whole turns of longitude ignored. Boundaries belong to
/// geometries, and `S_WITHIN` additionally demands that the interiors meet (OGC 06-103r4, 6.1.15).
final class SpatialPredicate: PredicateNode {
  let relation: SpatialRelation
  let geometry: PlanarGeometry
  var inputs: Traits.Inputs { [.feature, .geometry] }

  init(_ relation: SpatialRelation, _ geometry: PlanarGeometry) {
    self.relation = relation
    self.geometry = geometry
  }

  /// - Complexity: O(positions) where the boxes are disjoint, otherwise O(edges × edges) at worst.
  func truth(_ context: EvaluationContext) -> Truth {
    guard let record = context.feature?.geometry, !record.isEmpty else { return .unknown }
    guard !PlanarBox(record).turns(toTouch: geometry.box).isEmpty else {
      return Truth(relation == .disjoint)
    }
    guard let record = PlanarGeometry(record) else { return .unknown }
    return switch relation {
    case .intersects: Truth(record.intersects(geometry))
    case .disjoint: Truth(!record.intersects(geometry))
    case .within: Truth(record.isWithin(geometry))
    case .contains: Truth(geometry.isWithin(record))
    case .equals: Truth(record.isEqual(to: geometry))
    }
  }
}

/// The record's geometry as a value, for `geometry IS NULL`.
final class ScalarGeometry: ScalarNode {
  var kind: ScalarValue.Kind? { nil }
  var inputs: Traits.Inputs { [.feature, .geometry] }

  func value(_ context: EvaluationContext) -> ScalarValue? {
    guard let geometry = context.feature?.geometry, !geometry.isEmpty else { return nil }
    return .other
  }
}

extension RecordGeometry {
  /// Whether the geometry has no positions.
  fileprivate var isEmpty: Bool {
    switch self {
    case .none: true
    case .points(let positions): positions.isEmpty
    case .shape(let column, let record): column.partRange(record).isEmpty
    }
  }
}
