import Features

/// The stops of `step` and `interpolate`: inputs in ascending order, each with an output.
struct Stops: Sendable {
  private(set) var inputs: [Double] = []
  private(set) var outputs: [any Node] = []

  mutating func append(_ input: Double, _ output: any Node) {
    inputs.append(input)
    outputs.append(output)
  }

  /// Returns the index of the last stop at or below an input; the first for anything smaller and
  /// for NaN.
  ///
  /// - Complexity: O(log *n*).
  func index(atOrBelow input: Double) -> Int {
    var low = 0
    var high = inputs.count
    while low < high {
      let middle = (low + high) / 2
      if inputs[middle] <= input { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  /// Parses one stop from an expression's items; returns `nil` after an error.
  mutating func parse(
    _ input: PropertyValue, at inputIndex: Int, _ items: [PropertyValue], outputAt index: Int,
    of name: String, as type: ExpressionType?, _ parser: Parser
  ) -> (any Node)? {
    let problem: String
    switch input.double {
    case let number?:
      if inputs.last.map({ $0 < number }) ?? true {
        guard let output = parser.parse(items, index, as: type) else { return nil }
        append(number, output)
        return output
      }
      problem = "must be arranged with input values in strictly ascending order."
    case nil:
      problem =
        "must be defined using literal numeric values (not computed expressions) for the input "
        + "values."
    }
    parser.fail("Input/output pairs for \"\(name)\" expressions \(problem)", at: inputIndex)
    return nil
  }
}

/// A node with stops over an input, possibly the zoom.
protocol Curve: Node {
  var input: any Node { get }
  var stops: Stops { get }
}

extension Parser {
  /// Checks the number of a curve's items.
  func checkCurve(_ items: [PropertyValue]) -> Bool {
    guard items.count - 1 >= 4 else {
      fail("Expected at least 4 arguments, but found only \(items.count - 1).")
      return false
    }
    guard (items.count - 1).isMultiple(of: 2) else {
      fail("Expected an even number of arguments.")
      return false
    }
    return true
  }
}
