/// A repeating pattern of dashes and gaps along a line, in pixels.
struct DashPattern {
  /// The start and end of each dash within one period, ascending.
  private(set) var dashes: [(start: Double, end: Double)] = []

  /// The length after which the pattern repeats, and the total length of its dashes.
  let period: Double
  private let dashedLength: Double

  /// Creates a pattern; nil for a solid line.
  ///
  /// With an odd count the last length is a dash that the first one continues, as in MapLibre
  /// (`getDashRanges`).
  init?(_ lengths: [Double]) {
    var position = 0.0
    var dashed = 0.0
    for (index, length) in lengths.enumerated() {
      if index & 1 == 0 {
        dashes.append((position, position + length))
        dashed += length
      }
      position += length
    }
    guard position > dashed else { return nil }
    period = position
    dashedLength = dashed
  }

  /// Returns the length of dashes between two distances from the line's start, in pixels.
  ///
  /// - Complexity: O(dashes of a period).
  func dashedLength(from start: Double, to end: Double) -> Double {
    guard start < end else { return 0 }
    return covered(to: end) - covered(to: start)
  }

  /// Whether there is a dash at this distance; its end belongs to the gap.
  func isDash(at distance: Double) -> Bool {
    let position = distance - (distance / period).rounded(.down) * period
    return dashes.contains { $0.start <= position && position < $0.end }
  }

  private func covered(to distance: Double) -> Double {
    let turns = (distance / period).rounded(.down)
    let position = distance - turns * period
    var sum = turns * dashedLength
    for dash in dashes {
      sum += min(max(position - dash.start, 0), dash.end - dash.start)
    }
    return sum
  }

  /// Calls `body` with each distance in a half-open range at which a dash begins or ends.
  ///
  /// - Complexity: O(dashes within the range).
  func forEachEnd(in range: Range<Double>, _ body: (Double) -> Void) {
    var turn = (range.lowerBound / period).rounded(.down)
    while turn * period < range.upperBound {
      for dash in dashes {
        for end in [dash.start, dash.end] where range.contains(turn * period + end) {
          body(turn * period + end)
        }
      }
      turn += 1
    }
  }
}
