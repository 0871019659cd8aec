/// The value of one `clusterProperties` entry: for a point, or for all points of a cluster.
package enum AggregateValue: BitwiseCopyable, Hashable, Sendable {
  /// The property is absent or null.
  case null
  case number(Double)
  case boolean(Bool)
  /// A row of ``AggregateTable/texts``, which ascend: rows compare as their texts do.
  case text(UInt32)
  /// A run of values in ``AggregateTable/lists``; only clusters have lists.
  case list(start: UInt32, count: UInt32)

  /// The number, or `nil` for anything else.
  @inlinable
  package var number: Double? {
    if case .number(let number) = self { return number }
    return nil
  }

  /// Orders values totally: null, Booleans, numbers, texts.
  @inlinable
  package static func precedes(_ left: AggregateValue, _ right: AggregateValue) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)):
      return left.isTotallyOrdered(belowOrEqualTo: right) && left.bitPattern != right.bitPattern
    case (.boolean(let left), .boolean(let right)): return !left && right
    case (.text(let left), .text(let right)): return left < right
    default: return left.rank < right.rank
    }
  }

  @usableFromInline
  var rank: Int {
    switch self {
    case .null: 0
    case .boolean: 1
    case .number: 2
    case .text: 3
    case .list: 4
    }
  }
}
