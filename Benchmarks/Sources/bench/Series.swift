/// The values of one quantity over all runs.
struct Series {
  var values: [Double]

  /// The middle value, or the mean of the middle two; 0 of none.
  var median: Double {
    guard !values.isEmpty else { return 0 }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var smallest: Double { values.min() ?? 0 }
  var largest: Double { values.max() ?? 0 }
}

extension Sequence {
  /// The values of a quantity of all elements.
  func series(_ value: (Element) -> Double) -> Series { Series(values: map(value)) }
}
