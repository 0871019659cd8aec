extension ValueSpecification {
  /// A description of the valid values for messages: `a whole number from 0 to 22`.
  var words: String {
    switch self {
    case .anything: "a value"
    case .string: "a text"
    case .boolean: "true or false"
    case .integer(let range):
      range.upperBound == .max
        ? "a whole number from \(range.lowerBound)"
        : "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "a number\(Self.words(of: range))"
    case .percentage: "a share such as 20%"
    case .choice(let choices):
      choices.count == 1 ? "'\(choices[0])'" : "one of \(choices.joined(separator: ", "))"
    case .numberChoice(let choices):
      (choices.dropLast().map { "\($0)" }.joined(separator: ", "))
        + (choices.count > 1 ? " or " : "") + "\(choices.last ?? 0)"
    case .list(let item, let count):
      count.lowerBound == count.upperBound
        ? "a list of \(count.lowerBound) values, each \(item.words)"
        : "a list\(count.lowerBound > 0 ? " that is not empty" : ""), each item \(item.words)"
    case .object, .typed: "an object"
    case .map(of: .anything): "an object"
    case .map(let item): "an object whose values are each \(item.words)"
    case .zoomMap(let item): "an object of zooms, each \(item.words)"
    case .oneOf(let choices): choices.map(\.words).joined(separator: ", or ")
    }
  }

  private static func words(of range: ClosedRange<Double>) -> String {
    let low = DocumentNode.words(of: range.lowerBound)
    let high = DocumentNode.words(of: range.upperBound)
    switch ((-range.lowerBound).isEndless, range.upperBound.isEndless) {
    case (true, true): return ""
    case (true, false): return " up to \(high)"
    case (false, true): return " from \(low)"
    case (false, false): return " from \(low) to \(high)"
    }
  }

  /// Returns the specification that the value itself, regardless of its contents, fits: `self` or
  /// one of the alternatives.
  func fitting(_ node: DocumentNode) -> ValueSpecification? {
    let fits: Bool
    switch self {
    case .anything: fits = true
    case .string: fits = node.text?.isEmpty == false
    case .boolean: fits = node.bool != nil
    case .integer(let range): fits = node.integer.map(range.contains) ?? false
    case .number(let range): fits = node.number.map(range.contains) ?? false
    case .percentage: fits = node.text.flatMap(ChangeRange.End.percent) != nil
    case .choice(let choices):
      // `null` without quotes is the choice of that name.
      if case .null = node.value {
        fits = choices.contains("null")
      } else {
        fits = node.text.map(choices.contains) ?? false
      }
    case .numberChoice(let choices): fits = node.integer.map(choices.contains) ?? false
    case .list(_, let count): fits = (node.items?.count).map(count.contains) ?? false
    case .object, .map, .zoomMap, .typed: fits = node.members != nil
    case .oneOf(let choices): return choices.lazy.compactMap { $0.fitting(node) }.first
    }
    return fits ? self : nil
  }
}

extension Double {
  /// Whether the magnitude only stands for "no limit".
  fileprivate var isEndless: Bool { self >= .greatestFiniteMagnitude }
}
