package import Columns
package import Features

/// An operation that combines the values of two groups of points into the value of both.
///
/// The built-in operations ignore values of another kind and keep the other operand. A cluster
/// without any usable value has `.null`. The smallest and the largest text count only where no point
/// has a number.
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
    case .min:
      Self.extreme(accumulated, value) {
        Swift.min($0, $1)
      } texts: {
        Swift.min($0, $1)
      }
    case .max:
      Self.extreme(accumulated, value) {
        Swift.max($0, $1)
      } texts: {
        Swift.max($0, $1)
      }
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

  private static func extreme(
    _ left: AggregateValue, _ right: AggregateValue, _ numbers: (Double, Double) -> Double,
    texts: (UInt32, UInt32) -> UInt32
  ) -> AggregateValue {
    switch (left, right) {
    case (.text(let left), .text(let right)): .text(texts(left, right))
    case (.text, .null), (.text, .boolean): left
    case (.null, .text), (.boolean, .text): right
    default: self.numbers(left, right, numbers)
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

/// An entry of `clusterProperties`: a value for every point and the rule that makes one of them.
package struct AggregateColumn: Sendable {
  /// The rule that makes one value of those of a cluster's points.
  package enum Rule: Sendable {
    /// Pairs of values are combined, in any grouping.
    case reduced(AggregateOperation)
    /// All values are taken at once.
    case gathered(GatheredValues)
  }

  /// The name under which layers find the cluster's value.
  package let name: String

  /// The mapped value of each point, in the order of the points.
  package let values: Column<AggregateValue>

  package let rule: Rule

  /// Whether the values of all points of a cluster are taken at once.
  var isGathered: Bool { if case .gathered = rule { true } else { false } }

  /// The texts that ``values`` refer to, and the form of lists.
  let table: AggregateTable

  package init(
    name: String, values: Column<AggregateValue>, rule: Rule,
    texts: PropertyColumn = PropertyColumn(name: ""), separator: String? = nil
  ) {
    self.name = name
    self.values = values
    self.rule = rule
    table = AggregateTable(
      texts: texts, lists: Column(in: values.scratch), separator: separator)
  }

  package init(
    name: String, values: Column<AggregateValue>, operation: AggregateOperation
  ) {
    self.init(name: name, values: values, rule: .reduced(operation))
  }
}

/// The computation of one aggregate, cluster by cluster.
struct Aggregation {
  private let column: AggregateColumn
  private var work: GatheredWork?

  init(_ column: AggregateColumn) {
    self.column = column
    if case .gathered(let values) = column.rule { work = GatheredWork(values) }
  }

  /// The texts and lists that the values of all clusters so far refer to.
  var table: AggregateTable {
    var table = column.table
    if let work { table.lists = work.lists }
    return table
  }

  /// Returns the value of a cluster.
  ///
  /// - Parameters:
  ///   - parts: the values of the parts that the cluster consists of; not empty.
  ///   - members: the input indices of its points.
  mutating func value(
    of parts: some Sequence<AggregateValue>, members: some Sequence<UInt32>
  ) -> AggregateValue {
    guard case .reduced(let operation) = column.rule else {
      return work?.value(of: members) ?? .null
    }
    var joined: AggregateValue?
    for part in parts { joined = joined.map { operation($0, part) } ?? part }
    return joined ?? .null
  }
}
