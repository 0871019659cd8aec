package import Columns

/// An operation that combines the values of two groups of points into the value of both.
///
/// The built-in operations ignore values of another kind: the other operand is kept, and a cluster
/// none of whose points has a value has `.null`.
package enum AggregateOperation: Sendable {
  case sum, product, min, max
  /// Whether any point is true; numbers and nulls are ignored.
  case any
  /// Whether all points are true; numbers and nulls are ignored.
  case all
  /// The `["…", ["accumulated"], ["get", name]]` form of MapLibre, evaluated by the caller. It is
  /// called with the accumulated value so far and the next value, from one thread at a time.
  case custom(@Sendable (_ accumulated: AggregateValue, _ value: AggregateValue) -> AggregateValue)

  /// Combines the accumulated value and the next value.
  func callAsFunction(_ accumulated: AggregateValue, _ value: AggregateValue) -> AggregateValue {
    switch self {
    case .sum: Self.numbers(accumulated, value) { $0 + $1 }
    case .product: Self.numbers(accumulated, value) { $0 * $1 }
    case .min: Self.numbers(accumulated, value) { Swift.min($0, $1) }
    case .max: Self.numbers(accumulated, value) { Swift.max($0, $1) }
    case .any: Self.booleans(accumulated, value) { $0 || $1 }
    case .all: Self.booleans(accumulated, value) { $0 && $1 }
    case .custom(let reduce): reduce(accumulated, value)
    }
  }

  private static func numbers(
    _ left: AggregateValue, _ right: AggregateValue, _ join: (Double, Double) -> Double
  ) -> AggregateValue {
    switch (left, right) {
    case (.number(let left), .number(let right)): .number(join(left, right))
    case (.number, _): left
    case (_, .number): right
    default: .null
    }
  }

  private static func booleans(
    _ left: AggregateValue, _ right: AggregateValue, _ join: (Bool, Bool) -> Bool
  ) -> AggregateValue {
    switch (left, right) {
    case (.boolean(let left), .boolean(let right)): .boolean(join(left, right))
    case (.boolean, _): left
    case (_, .boolean): right
    default: .null
    }
  }
}

/// An entry of `clusterProperties`: a value for every point and the operation that combines values.
package struct AggregateColumn: Sendable {
  /// The name under which layers find the cluster's value.
  package let name: String

  /// The mapped value of each point, in the order of the points.
  package let values: Column<AggregateValue>

  package let operation: AggregateOperation

  package init(
    name: String, values: Column<AggregateValue>, operation: AggregateOperation
  ) {
    self.name = name
    self.values = values
    self.operation = operation
  }
}
