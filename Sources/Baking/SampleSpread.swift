/// The mean and the spread of the values of a sample, and the sample size that a precision needs.
package struct SampleSpread: Sendable {
  private var count = 0
  private var sum = 0.0
  private var squares = 0.0

  /// The standard error of a plan's samples as a share of the mean, unless that takes too many
  /// tiles or too long.
  static let planPrecision = 0.015

  mutating func add(_ value: Double) {
    count += 1
    sum += value
    squares += value * value
  }

  var mean: Double { sum / Double(max(count, 1)) }

  private var variance: Double { max(squares / Double(max(count, 1)) - mean * mean, 0) }

  /// Returns the size of a sample whose mean has a standard error of a share of it.
  ///
  /// The error of *n* of *N* values is deviation · √(1/n − 1/N).
  func size(within share: Double, of population: Int) -> Int {
    let allowed = share * mean
    guard variance > 0, allowed > 0, population > 0 else { return 0 }
    return Int((1 / (allowed * allowed / variance + 1 / Double(population))).rounded(.up))
  }
}
