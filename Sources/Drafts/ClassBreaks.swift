import Platform

/// The limits of classes of about equally many records each, rounded to numbers that can be read.
struct ClassBreaks: Hashable {
  /// The lower limits of all classes but the first, ascending.
  let values: [Double]

  /// - Parameters:
  ///   - numbers: the values, ascending.
  ///   - count: the number of classes; equal values may leave fewer.
  init(_ numbers: [Double], classes count: Int = 5) {
    guard let first = numbers.first, let last = numbers.last, first < last, count > 1 else {
      values = []
      return
    }
    var breaks: [Double] = []
    for index in 1..<count {
      let place = numbers.count * index / count
      let exact = numbers[place]
      // A limit may move over at most a tenth of a class on either side.
      let reach = max(numbers.count / (count * 5), 1)
      let low = numbers[max(place - reach, 0)]
      let high = numbers[min(place + reach, numbers.count - 1)]
      let rounded = Self.round(exact, low: low, high: high)
      guard rounded > first, rounded <= last, rounded > breaks.last ?? -.infinity else { continue }
      breaks.append(rounded)
    }
    values = breaks
  }

  /// Creates the limits of classes that lie alike on both sides of 0.
  ///
  /// - Parameter numbers: the values, of which some are below 0.
  init(around0 numbers: [Double]) {
    let sizes = numbers.map(abs).filter { $0 > 0 }.sorted()
    func limit(_ share: Int) -> Double {
      let place = sizes.count * share / 3
      let reach = max(sizes.count / 15, 1)
      return Self.round(
        sizes[place], low: sizes[max(place - reach, 0)],
        high: sizes[min(place + reach, sizes.count - 1)])
    }
    guard sizes.count >= 3 else {
      values = [0]
      return
    }
    let (near, far) = (limit(1), limit(2))
    values = near < far ? [-far, -near, 0, near, far] : [-far, 0, far]
  }

  /// Returns the number with the fewest digits between two others, 1, 2 and 5 before the rest, that
  /// is nearest to a value.
  static func round(_ value: Double, low: Double, high: Double) -> Double {
    guard low < high else { return value }
    var power = pow(10, log10(max(abs(low), abs(high), high - low)).rounded(.up))
    // Ten digits are more than any legend shows.
    for _ in 0..<10 {
      for factor in [1, 0.5, 0.2] {
        let step = power * factor
        // The quotient of a power of ten keeps fractions such as 0.3 exact.
        let multiple = (value / step).rounded()
        let candidate = step >= 1 ? multiple * step : multiple / (1 / step).rounded()
        if candidate >= low, candidate <= high { return candidate }
      }
      power /= 10
    }
    return value
  }
}
