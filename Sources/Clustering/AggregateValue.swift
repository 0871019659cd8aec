/// The value of one `clusterProperties` entry: for a point, or for all points of a cluster.
package enum AggregateValue: BitwiseCopyable, Hashable, Sendable {
  /// The property is absent or null.
  case null
  case number(Double)
  case boolean(Bool)

  /// The number, or `nil` for anything else.
  @inlinable
  package var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// Orders values totally, to distinguish points that are otherwise equal.
  @inlinable
  package static func precedes(_ left: AggregateValue, _ right: AggregateValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)):
      return left.isTotallyOrdered(belowOrEqualTo: right) && left.bitPattern != right.bitPattern
    case (.boolean(let left), .boolean(let right)): return !left && right
    default: return left.rank < right.rank
    }
  }

  @usableFromInline
  var rank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .number: 2
    }
  }
}
