import Platform

/// The classes of some numbers: ascending upper bounds, each of which its class owns.
package struct ClassBreaks: Hashable, Sendable {
  package enum Method: String, CaseIterable, Sendable {
    /// Natural breaks: the least sum of squared distances from the means of the classes.
    case jenks
    /// Equal numbers of values, with interpolated bounds.
    case quantile
    /// Equal ratios of the bounds; values that are not positive belong to the first class.
    case log
    /// Equal differences of the bounds.
    case equal
  }

  /// The least value.
  package let minimum: Double

  /// The upper bound of each class, ascending; the last one is the greatest value.
  package let uppers: [Double]

  /// Creates the classes of values.
  ///
  /// - Parameters:
  ///   - values: finite numbers in any order.
  ///   - count: the number of classes; there are fewer if there are fewer different values or bounds.
  /// - Returns: `nil` without values.
  /// - Complexity: O(*n* log *n*); for `jenks` also O(`count` · *d* log *d*) for *d* different values.
  package init?(_ values: [Double], _ method: Method, count: Int) {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else { return nil }
    minimum = first
    func steps(_ bound: (Double) -> Double) -> [Double] {
      (1...count).map { $0 == count ? last : bound(Double($0) / Double(count)) }
    }
    let bounds: [Double] =
      switch method {
      case .quantile: steps { Self.quantile($0, of: sorted) }
      case .equal: steps { first + (last - first) * $0 }
      case .jenks: NaturalBreaks(sorted).uppers(count: count)
      case .log:
        if let least = sorted.first(where: { $0 > 0 }) {
          steps { least * pow(last / least, $0) }
        } else {
          [last]
        }
      }
    uppers = bounds.reduce(into: []) { uppers, bound in
      if bound > uppers.last ?? -.infinity { uppers.append(bound) }
    }
  }

  /// Returns the class of a value, from 0; values above the last bound belong to the last class.
  package func number(of value: Double) -> Int {
    min(uppers.firstIndex { value <= $0 } ?? .max, uppers.count - 1)
  }

  private static func quantile(_ fraction: Double, of sorted: [Double]) -> Double {
    let place = fraction * Double(sorted.count - 1)
    let low = Int(place.rounded(.down))
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
  }
}

/// Natural breaks by dynamic programming: W. D. Fisher, "On grouping for maximum homogeneity",
/// Journal of the American Statistical Association 53 (1958).
///
/// The best start of the last class never decreases with the number of values, so each class costs
/// O(*d* log *d*): the middle of a range is solved first and bounds both halves.
private struct NaturalBreaks {
  /// The different values, ascending.
  private var values: [Double] = []

  /// The sums of the counts, the values and their squares before each value. Values are taken from
  /// their mean, so that squares do not cancel each other.
  private var counts: [Double] = [0]
  private var sums: [Double] = [0]
  private var squares: [Double] = [0]

  init(_ sorted: [Double]) {
    let mean = sorted.reduce(0) { $0 + $1 / Double(sorted.count) }
    for value in sorted {
      if value != values.last {
        values.append(value)
        counts.append(counts[values.count - 1])
        sums.append(sums[values.count - 1])
        squares.append(squares[values.count - 1])
      }
      counts[values.count] += 1
      sums[values.count] += value - mean
      squares[values.count] += (value - mean) * (value - mean)
    }
  }

  /// Returns the sum of squared distances from the mean of the values of a range.
  private func cost(_ range: Range<Int>) -> Double {
    let (low, high) = (range.lowerBound, range.upperBound)
    let sum = sums[high] - sums[low]
    return max(squares[high] - squares[low] - sum * sum / (counts[high] - counts[low]), 0)
  }

  func uppers(count: Int) -> [Double] {
    let classes = min(count, values.count)
    var costs = (0...values.count).map { $0 == 0 ? 0 : cost(0..<$0) }
    var starts: [[UInt32]] = []
    for number in 1..<max(classes, 1) {
      var next = [Double](repeating: .infinity, count: values.count + 1)
      var start = [UInt32](repeating: 0, count: values.count + 1)
      solve(number + 1...values.count, from: number...values.count, costs, &next, &start)
      costs = next
      starts.append(start)
    }
    var uppers: [Double] = []
    var end = values.count
    for start in starts.reversed() {
      uppers.append(values[end - 1])
      end = Int(start[end])
    }
    return (uppers + [values[end - 1]]).reversed()
  }

  /// Finds the best start of the last class for each number of values.
  private func solve(
    _ ends: ClosedRange<Int>, from candidates: ClosedRange<Int>, _ costs: [Double],
    _ next: inout [Double], _ start: inout [UInt32]
  ) {
    let end = (ends.lowerBound + ends.upperBound) / 2
    var best = candidates.lowerBound
    for candidate in candidates where candidate < end {
      let cost = costs[candidate] + cost(candidate..<end)
      if cost < next[end] { (next[end], best) = (cost, candidate) }
    }
    start[end] = UInt32(truncatingIfNeeded: best)
    if ends.lowerBound < end {
      solve(ends.lowerBound...(end - 1), from: candidates.lowerBound...best, costs, &next, &start)
    }
    if end < ends.upperBound {
      solve((end + 1)...ends.upperBound, from: best...candidates.upperBound, costs, &next, &start)
    }
  }
}
